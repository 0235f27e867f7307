/** Names of the findings; never renamed or reused. */
export type SetupFindingCode =
  | 'api-exposed'
  | 'bad-value'
  | 'chain-kinds'
  | 'config-unread'
  | 'head-difference'
  | 'key-counts'
  | 'missing-option'
  | 'missing-value'
  | 'network-magic'
  | 'own-key'
  | 'own-peer'
  | 'peer-keys'
  | 'peers-differ'
  | 'period'
  | 'repeated-option'
  | 'same-key'
  | 'secret-key'
  | 'tls-pair'
  | 'too-many-parties'
  | 'unexpected-argument'
  | 'unknown-option'
  | 'unreadable'

/** A fault of a node's arguments or of its configuration file. */
export interface SetupFinding {
  /** Name of the fault. */
  readonly code: SetupFindingCode
  /** `block`: the node refuses it, or the head never opens. `warn`: the node accepts it, but it is dangerous. */
  readonly severity: 'block' | 'warn'
  /** The option, as the command line spells it, e.g. `--peer`; null where it is about several. */
  readonly option: string | null
  /** The fault in one sentence. */
  readonly what: string
  /** The next step. */
  readonly remedy: string
}

/** Makes a finding that blocks. */
export function blocks(code: SetupFindingCode, option: string | null, what: string, remedy: string): SetupFinding {
  return { code, severity: 'block', option, what, remedy }
}

/** Makes a finding that warns. */
export function warns(code: SetupFindingCode, option: string | null, what: string, remedy: string): SetupFinding {
  return { ...blocks(code, option, what, remedy), severity: 'warn' }
}

/**
 * Returns a value as a finding repeats it: a long one is only described, because it may be a secret in the wrong place.
 */
export function shownValue(value: string): string {
  return value.length <= 60 && !/^[0-9a-f]{40,}$/i.test(value) ? `"${value}"` : `a text of ${value.length} characters`
}
