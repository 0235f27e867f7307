/**
 * Form of the value of an option on the command line. A value of `seconds` has its unit there (`43200s`), and is a
 * plain number in the configuration file.
 */
export type NodeOptionKind =
  'flag' | 'text' | 'file' | 'host' | 'ip' | 'port' | 'seconds' | 'natural' | 'hex' | 'txIds' | 'chainPoint' | 'network'

/** The part of the node that reads an option: options of two kinds of chain, or of two backends, exclude each other. */
export type NodeOptionGroup = 'node' | 'cardano' | 'direct' | 'blockfrost' | 'offline' | 'program'

/** One option of hydra-node, by its long name. */
export interface NodeOption {
  /** Long name, without the dashes. */
  readonly name: string
  readonly kind: NodeOptionKind
  readonly group: NodeOptionGroup
  /** Short name of one letter, where there is one. */
  readonly short?: string
  /** Value that the node assumes, as the command line spells it; null where it assumes none. */
  readonly default: string | null
  /** True where the option may be given several times. */
  readonly repeats?: true
  /** Subcommands that read the option, besides the node itself unless `run` is false. */
  readonly subcommands?: readonly ('publish-scripts' | 'gen-hydra-key')[]
  /** False where the node itself does not read it. */
  readonly run?: false
  /**
   * Path of the option in the file of `--config`, e.g. `chain.backend.node-socket`; null where the file does not have
   * it.
   */
  readonly config: string | null
  /** First version of the node that has the option; null where all versions in these tables have it. */
  readonly since: string | null
  /** First version of the node without it; null while there is none. */
  readonly until: string | null
}

/** Returns an option that every known version has: a shorthand for the tables. */
export function option(
  name: string,
  kind: NodeOptionKind,
  group: NodeOptionGroup,
  rest: Partial<Omit<NodeOption, 'name' | 'kind' | 'group'>> = {}
): NodeOption {
  const config = { node: name, cardano: `chain.${name}`, offline: `chain.${name}` }[group as string] ?? null
  return { name, kind, group, default: null, config, since: null, until: null, ...rest }
}
