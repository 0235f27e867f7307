import { LayerSdkError } from './base.js'

/**
 * The document is not saved facts of a head that the doctor can read: it is of another kind, damaged, or of a newer
 * version. Gather the facts again with `checkHead()`.
 */
export class HeadFactsError extends LayerSdkError<'DOCTOR_FACTS'> {
  override readonly name = 'HeadFactsError'
  constructor(expected: string, got: string, cause?: unknown) {
    super('DOCTOR_FACTS', 'The facts of the head cannot be read; gather them again.', { expected, got, cause })
  }
}

/** The rules of alerts cannot be used. Correct all the mistakes that `problems` lists. */
export class AlertRulesError extends LayerSdkError<'DOCTOR_RULES'> {
  override readonly name = 'AlertRulesError'
  /** All problems, each with the place of its rule. Never empty. */
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super('DOCTOR_RULES', 'The rules of alerts cannot be used.', {
      expected: 'built-in rules, codes of the doctor and tags of messages, each once',
      got: problems.length === 1 ? 'a rule that is none' : `${problems.length} problems`,
      details: problems
    })
    this.problems = Object.freeze([...problems])
  }
}

/**
 * The saved state of a watch cannot be read: the document is of another kind, damaged, or of a newer version. Update
 * layer-sdk, or use a different state, which begins without memory of earlier alerts.
 */
export class WatchStateError extends LayerSdkError<'DOCTOR_WATCH_STATE'> {
  override readonly name = 'WatchStateError'
  constructor(expected: string, got: string, cause?: unknown) {
    super('DOCTOR_WATCH_STATE', 'The state of the watch cannot be read; it was left as it is.', {
      expected,
      got,
      cause
    })
  }
}

/**
 * An export cannot resume from its cursor, because the cursor is invalid, newer than the source, or from another node.
 * Pass the cursor of the last whole line of an export of this source, or none.
 */
export class ExportCursorError extends LayerSdkError<'DOCTOR_CURSOR'> {
  override readonly name = 'ExportCursorError'
  constructor(expected: string, got: string) {
    super('DOCTOR_CURSOR', 'The export cannot go on from this cursor.', {
      expected,
      got,
      details: ['Pass the cursor of the last whole line that was exported from this source, or none']
    })
  }
}

/** Finding of the doctor that blocks a withdrawal. */
export interface BlockingFinding {
  /** Stable code of `layer-sdk/doctor`, e.g. `'decommit-unpostable'`. */
  readonly code: string
  /** The finding in one sentence. */
  readonly what: string
  /** Next step that resolves the finding. */
  readonly remedy: string
}

/**
 * A withdrawal was not sent, because the base ledger would refuse the transaction that pays it out of the head, and an
 * approved withdrawal (decommit) cannot be cancelled. Read the remedies in `findings`.
 */
export class WithdrawBlockedError extends LayerSdkError<'CLIENT_WITHDRAW_BLOCKED'> {
  override readonly name = 'WithdrawBlockedError'
  /** No transaction was sent. */
  override readonly outcome = 'none'
  /** The blocking findings. Never empty. */
  readonly findings: readonly BlockingFinding[]
  constructor(findings: readonly BlockingFinding[]) {
    super('CLIENT_WITHDRAW_BLOCKED', 'The withdrawal was not sent: it could never leave the head.', {
      expected: 'a decommit that the base ledger accepts, or `force: true`',
      got: findings.map(({ code, what }) => `${code}: ${what}`).join(' '),
      details: ['No transaction was sent', ...findings.map(({ remedy }) => remedy)]
    })
    this.findings = Object.freeze([...findings])
  }
}
