import type { NodeOption } from '../nodeOptions/NodeOption.js'

/** Subcommands of hydra-node; `run` is the node itself. */
export type NodeCommand = 'run' | 'publish-scripts' | 'gen-hydra-key'

/** Options of a node as they were given, from a command line or a configuration file. */
export interface GivenOptions {
  readonly command: NodeCommand
  /** Values by long name, as the command line spells them; a flag's is empty. */
  readonly values: ReadonlyMap<string, readonly string[]>
  /**
   * `arguments`: a whole command line. `part`: a configuration file, or a command line beside one, which the other part
   * may complete.
   */
  readonly extent: 'arguments' | 'part'
}

/** The value of an option that is given once; the node's default where it is not given, null without one. */
export function givenValue(given: GivenOptions, options: readonly NodeOption[], name: string): string | null {
  return given.values.get(name)?.[0] ?? options.find((each) => each.name === name)?.default ?? null
}
