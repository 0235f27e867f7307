import type { NodeOption } from '../nodeOptions/NodeOption.js'

/** Subcommands of hydra-node; `run` is the node itself. */
export type NodeCommand = 'run' | 'publish-scripts' | 'gen-hydra-key'

/** Options of a node as they were given, from a command line or a configuration file. */
export interface GivenOptions {
  readonly command: NodeCommand
  /** Values by long name of the option, as the command line spells them; a flag has an empty one. */
  readonly values: ReadonlyMap<string, readonly string[]>
  /**
   * Extent of the options. `arguments`: a whole command line. `part`: a configuration file, or a command line beside
   * one; the other part may add to it.
   */
  readonly extent: 'arguments' | 'part'
}

/**
 * Returns the value of an option that is given once; the default of the node where it is not given, null where there is
 * no default.
 */
export function givenValue(givenOptions: GivenOptions, options: readonly NodeOption[], name: string): string | null {
  return givenOptions.values.get(name)?.[0] ?? options.find((each) => each.name === name)?.default ?? null
}
