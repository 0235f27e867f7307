/**
 * Form of an option's value on the command line. `seconds` has its `s` there (`43200s`) and is a plain number in the
 * configuration file.
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
  /** One letter, where there is one. */
  readonly short?: string
  /** Value that the node assumes, as the command line spells it; null where it assumes none. */
  readonly default: string | null
  /** True where the option may be given several times. */
  readonly repeats?: true
  /** Subcommand that reads it besides the node itself, or the only one that does. */
  readonly subcommands?: readonly ('publish-scripts' | 'gen-hydra-key')[]
  /** False where the node itself does not read it. */
  readonly run?: false
  /** Its place in the file of `--config`, e.g. `chain.backend.node-socket`; null where it has no place there. */
  readonly config: string | null
  /** First version of the node that has it; null where it is older than the tables here. */
  readonly since: string | null
  /** First version of the node without it; null while there is none. */
  readonly until: string | null
}

/** Shorthand of the tables: an option that every known version has. */
export function option(
  name: string,
  kind: NodeOptionKind,
  group: NodeOptionGroup,
  rest: Partial<Omit<NodeOption, 'name' | 'kind' | 'group'>> = {}
): NodeOption {
  const config = { node: name, cardano: `chain.${name}`, offline: `chain.${name}` }[group as string] ?? null
  return { name, kind, group, default: null, config, since: null, until: null, ...rest }
}
