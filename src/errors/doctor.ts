import { LayerSdkError } from './base.js'

/** Saved facts of a head cannot be read: another document, a damaged one, or one of a newer version. */
export class HeadFactsError extends LayerSdkError<'DOCTOR_FACTS'> {
  override readonly name = 'HeadFactsError'
  constructor(expected: string, got: string, cause?: unknown) {
    super('DOCTOR_FACTS', 'The facts of the head cannot be read; gather them again.', { expected, got, cause })
  }
}

/** Finding that stands in the way of a withdrawal. */
export interface BlockingFinding {
  /** Stable code of `layer-sdk/doctor`, e.g. `'decommit-unpostable'`. */
  readonly code: string
  /** The finding in one sentence. */
  readonly what: string
  /** Next step. */
  readonly remedy: string
}

/**
 * A withdrawal was not sent: the base ledger would refuse the transaction that brings it out of the head, and an approved
 * decommit cannot be withdrawn.
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
