import { VerificationError } from '../../errors/verification.js'
import type { RuleVersions } from '../../errors/verification.js'
import { verificationRule } from '../../verify/inner.js'
import type { Logger } from '../../types/logger.js'

/** Notes if this package knows the rule by which the head's node signs its snapshots. */
export class NodeRule {
  readonly #name: string
  readonly #logger: Logger | undefined
  #version: unknown
  #unknown: RuleVersions | null = null

  /** `name`: text with which the reports begin. */
  constructor(name: string, logger: Logger | undefined) {
    this.#name = name
    this.#logger = logger
  }

  /** Version of the node, and the newest known one, where the node is newer than all known rules; else null. */
  get unknown(): RuleVersions | null {
    return this.#unknown
  }

  /** Notes the version that the node states; one that is too new is reported once. */
  follow(version: unknown): void {
    if (version === this.#version) return
    this.#version = version
    this.#unknown = typeof version === 'string' ? unknownRuleOf(version) : null
    if (this.#unknown !== null)
      this.#logger?.warn(`${this.#name}: ${phraseOf(this.#unknown)}: no proofs are served; update layer-sdk`)
  }
}

/** Returns the versions in a sentence, without its full stop. */
export function phraseOf({ node, newestKnown }: RuleVersions): string {
  return `the node is ${node ?? 'of a later form'}, and the newest whose signatures this package knows is ${newestKnown} (unknown-rule)`
}

function unknownRuleOf(version: string): RuleVersions | null {
  try {
    verificationRule(version)
    return null
  } catch (error) {
    // A text that is no version names no newer node.
    return error instanceof VerificationError ? (error.versions ?? null) : null
  }
}
