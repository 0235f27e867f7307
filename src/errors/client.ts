import { adaText } from './adaText.js'
import { LayerSdkError } from './base.js'
import { addOldProperties, OLD_NAMES } from './oldNames.js'

/** The head is in a state that does not allow the action. Wait for one of `allowedStates`. */
export class HeadStateError extends LayerSdkError<'CLIENT_HEAD_STATE'> {
  override readonly name = 'HeadStateError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  /** State of the head, null while it is not known. */
  readonly headStatus: string | null
  /** States that allow the action. */
  readonly allowedStates: readonly string[]
  constructor(action: string, headStatus: string | null, allowedStates: readonly string[]) {
    super('CLIENT_HEAD_STATE', `${action} is not possible in this state of the head.`, {
      expected: `the head to be ${allowedStates.join(' or ')}`,
      got: headStatus ?? 'a state that is not known yet'
    })
    this.headStatus = headStatus
    this.allowedStates = allowedStates
  }
}

/** The node is behind the base ledger, and refuses all inputs meanwhile. Wait until `status().synced` is true. */
export class NodeUnsyncedError extends LayerSdkError<'CLIENT_NODE_UNSYNCED'> {
  override readonly name = 'NodeUnsyncedError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  constructor(action: string) {
    super('CLIENT_NODE_UNSYNCED', `${action} has to wait: the node is behind the base ledger.`, {
      expected: 'a node that is in sync (status().synced)',
      details: ['No transaction was sent']
    })
  }
}

/** Actions whose command the node confirms only by its effect, so that a timeout leaves the outcome unknown. */
const COMMANDS_OF_LIFE = /^(open|recover|(close|abort|fanout|closeAndFanout)Head)$/

/** An action reached its time limit. With `outcome: 'none'` it was not sent, so it can be repeated. */
export class ClientTimeoutError extends LayerSdkError<'CLIENT_TIMEOUT'> {
  override readonly name = 'ClientTimeoutError'
  /**
   * `unknown` for `open`, `recover`, `closeHead`, `abortHead`, `fanoutHead` and `closeAndFanoutHead`, which may have
   * been sent; `none` for all others: a transaction that was sent ends with {@link OutcomeUnknownError} instead.
   */
  override readonly outcome: 'none' | 'unknown'
  /** Time limit that was reached, ms. */
  readonly timeoutMs: number
  constructor(action: string, timeoutMs: number, waitingFor: string) {
    super('CLIENT_TIMEOUT', `${action} was not finished within ${timeoutMs} ms.`, {
      details: [`It was waiting for ${waitingFor}`]
    })
    this.timeoutMs = timeoutMs
    this.outcome = COMMANDS_OF_LIFE.test(action) ? 'unknown' : 'none'
  }
}

/**
 * A transaction was sent, and it is not known yet if it will be confirmed. Do not pay again: `waitForTx(txId)` resolves
 * or rejects when the outcome is known. Until then the inputs of the transaction stay reserved.
 */
export class OutcomeUnknownError extends LayerSdkError<'CLIENT_OUTCOME_UNKNOWN'> {
  override readonly name = 'OutcomeUnknownError'
  /** It may still be confirmed. */
  override readonly outcome = 'unknown'
  /** Transaction id for `waitForTx(txId)`: hex, 64 characters. */
  readonly txId: string
  /** Time after which it can no longer be confirmed, ms since the Unix epoch; null when its validity has no end. */
  readonly expiresAt: number | null
  constructor(txId: string, expiresAt: number | null, reason: string, cause?: unknown) {
    super(
      'CLIENT_OUTCOME_UNKNOWN',
      'It is not known whether the transaction will be confirmed; do not pay again before asking with waitForTx().',
      {
        got: reason,
        details: [
          `Transaction ${txId}`,
          expiresAt === null
            ? 'It carries no upper bound of validity'
            : `It can be confirmed until ${new Date(expiresAt).toISOString()}`
        ],
        cause
      }
    )
    this.txId = txId
    this.expiresAt = expiresAt
  }
}

/** Reason for which the ledger refused a transaction, as a word that programs can compare. */
export type LedgerReason =
  | 'output-below-minimum'
  | 'inputs-spent'
  | 'value-not-conserved'
  | 'missing-signature'
  | 'fee-too-small'
  | 'outside-validity'
  | 'script-failed'
  | 'too-large'
  | 'other'

/** Facts about a failed script, as far as the node's error text contains them. */
export interface ScriptFailure {
  /** `PlutusV1`, `PlutusV2` or `PlutusV3`. */
  readonly language: string | undefined
  /** Hex, 56 characters. */
  readonly scriptHash: string | undefined
  /** Purpose and index, such as `spend#0`; nodes of heads do not name it. */
  readonly redeemer: string | undefined
  /** Error of the evaluation: the ledger's own text. */
  readonly error: string | undefined
  /** Trace messages of the script. */
  readonly traces: readonly string[]
  /** Units that the redeemer had left, steps (`cpu`) and memory (`mem`); below zero for those overspent. */
  readonly unitsLeft: { readonly cpu: bigint; readonly mem: bigint } | undefined
}

/**
 * The head's ledger refused a transaction, or the head's state shows that another transaction spent one of its inputs.
 * Read `reason`, then build a new transaction from the current outputs.
 */
export class LedgerError extends LayerSdkError<'CLIENT_LEDGER'> {
  /** With `reason: 'script-failed'`: the failed script, as far as the node's text describes it. */
  readonly script: ScriptFailure | undefined
  override readonly name = 'LedgerError'
  /**
   * The client's node refused the transaction, and no snapshot contains it. Until its validity ends this can change,
   * e.g. if another party's node accepted it: then `onSettled` reports it, and `waitForTx` resolves.
   */
  override readonly outcome = 'none'
  /** Hex, 64 characters. */
  readonly txId: string
  /** Reason of the refusal, as a word that programs can compare. */
  readonly reason: LedgerReason
  /** Figures in the node's text by name, e.g. `{ minimum: 978370n, actual: 1n }` (lovelace, slots or bytes). */
  readonly figures: Readonly<Record<string, bigint>>
  /** The node's own text, unchanged; empty when the head's state showed that an input is spent. */
  readonly nodeText: string
  /** The refused transaction whose output this one spends; undefined when this one itself was refused. */
  readonly ancestorTxId: string | undefined
  constructor(details: {
    txId: string
    reason: LedgerReason
    summary: string
    figures: Readonly<Record<string, bigint>>
    nodeText: string
    ancestorTxId?: string | undefined
    script?: ScriptFailure | undefined
    /** The node's text without the bytes of scripts. @default nodeText */
    shownText?: string
  }) {
    const { txId, ancestorTxId, summary, shownText: nodeText = details.nodeText } = details
    super(
      'CLIENT_LEDGER',
      ancestorTxId === undefined ? summary : 'A transaction that this one builds on was refused.',
      {
        details: [
          `Transaction ${txId}`,
          ...(ancestorTxId === undefined ? [] : [`Refused: ${ancestorTxId}. ${summary}`]),
          nodeText === ''
            ? "The head's state shows it"
            : `The node says: ${nodeText.length > 400 ? `${nodeText.slice(0, 400)}... (${nodeText.length} characters, whole in nodeText)` : nodeText}`
        ]
      }
    )
    this.txId = txId
    this.reason = details.reason
    this.figures = details.figures
    this.nodeText = details.nodeText
    this.ancestorTxId = ancestorTxId
    this.script = details.script
  }
}

/** A transaction expired unconfirmed. It can never be confirmed, and its inputs are free again: send a new one. */
export class TxExpiredError extends LayerSdkError<'CLIENT_TX_EXPIRED'> {
  override readonly name = 'TxExpiredError'
  /** It will not be confirmed. */
  override readonly outcome = 'none'
  /** Hex, 64 characters. */
  readonly txId: string
  constructor(txId: string) {
    super('CLIENT_TX_EXPIRED', 'The transaction expired before the head confirmed it; it can be paid again.', {
      details: [`Transaction ${txId}`]
    })
    this.txId = txId
  }
}

/**
 * A transaction spends outputs that an unconfirmed transaction of this client spends already. It was not sent: wait for
 * `txId`, or build it from the outputs of `getUtxos()`.
 */
export class InputReservedError extends LayerSdkError<'CLIENT_INPUT_RESERVED'> {
  override readonly name = 'InputReservedError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  /** `txHash#index`. */
  readonly input: string
  /** Id of the transaction that spends `input`: hex, 64 characters; empty for a deposit that has no draft yet. */
  readonly txId: string
  constructor(input: string, txId = '') {
    super('CLIENT_INPUT_RESERVED', `Input ${input} is spent by a transaction in flight; no transaction was sent.`, {
      expected: txId === '' ? 'outputs of the base ledger that no other deposit has' : 'inputs of getUtxos()',
      details: [`It is spent by ${txId === '' ? 'another deposit of this client' : txId}`]
    })
    this.input = input
    this.txId = txId
  }
}

/**
 * A withdrawal would leave no output that can be collateral for scripts in the head. No transaction was sent: withdraw
 * less, or pass `all: true`.
 */
export class LastCollateralError extends LayerSdkError<'CLIENT_LAST_COLLATERAL'> {
  override readonly name = 'LastCollateralError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  constructor() {
    super(
      'CLIENT_LAST_COLLATERAL',
      'The withdrawal would take the last output that can be collateral for scripts in the head; pass all: true to take it too.',
      {
        expected: 'an output of 5 ada or more without tokens, datum and script to stay in the head, or all: true',
        got: 'none that stays'
      }
    )
  }
}

/** The money is spread over more outputs than one transaction can spend. None was sent: call `consolidate()` first. */
export class WalletFragmentedError extends LayerSdkError<'CLIENT_WALLET_FRAGMENTED'> {
  override readonly name = 'WalletFragmentedError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  /** Number of the wallet's outputs that could be spent. */
  readonly outputs: number
  /** Amount that one transaction can move: the sum of the largest outputs that fit into it, lovelace in decimal. */
  readonly reachable: string
  constructor(outputs: number, most: number, reachable: bigint, cause?: unknown) {
    super(
      'CLIENT_WALLET_FRAGMENTED',
      'The money is spread over more outputs than one transaction can spend: bring them together with consolidate().',
      {
        expected: `at most ${reachable} lovelace (${adaText(reachable)} ada), which one transaction can move`,
        got: `${outputs} outputs; one transaction of this head has room for about ${most} of them`,
        ...(cause === undefined ? {} : { cause })
      }
    )
    this.reachable = String(reachable)
    this.outputs = outputs
  }
}

/** The head did not include a deposit in time. After the deadline, `recover({ depositTxId })` brings it back. */
export class DepositExpiredError extends LayerSdkError<'CLIENT_DEPOSIT_EXPIRED'> {
  override readonly name = 'DepositExpiredError'
  /** Always `'happened'`: the deposit is on the base ledger, but not in the head. */
  override readonly outcome = 'happened'
  /** Hex, 64 characters. */
  readonly depositTxId: string
  /** Time from which `recover` brings it back, ms since the Unix epoch; null when neither draft nor node states it. */
  readonly recoverableAt: number | null
  constructor(depositTxId: string, recoverableAt: number | null) {
    super('CLIENT_DEPOSIT_EXPIRED', 'The deposit expired before the head took it.', {
      expected: 'recover({ depositTxId }) after its deadline',
      details: [
        `Deposit ${depositTxId}`,
        ...(recoverableAt === null ? [] : [`Deadline ${new Date(recoverableAt).toISOString()}`])
      ]
    })
    this.depositTxId = depositTxId
    this.recoverableAt = recoverableAt
    addOldProperties(this, OLD_NAMES.deposit)
  }
}

/** A hook of `layer-sdk/react` was used outside of a `HeadProvider`. Put `<HeadProvider client={head}>` around it. */
export class HeadProviderMissingError extends LayerSdkError<'CLIENT_PROVIDER_MISSING'> {
  override readonly name = 'HeadProviderMissingError'
  constructor() {
    super('CLIENT_PROVIDER_MISSING', 'The component uses a head and stands in no HeadProvider.', {
      expected: '<HeadProvider client={head}> around it'
    })
  }
}

/** A transaction builder requested data of the base ledger, which a head does not have. Use a base ledger provider. */
export class UnsupportedInHeadError extends LayerSdkError<'CLIENT_UNSUPPORTED_IN_HEAD'> {
  override readonly name = 'UnsupportedInHeadError'
  /** Name of the call, e.g. `fetchBlockInfo`. */
  readonly method: string
  constructor(method: string, instead: string) {
    super('CLIENT_UNSUPPORTED_IN_HEAD', `${method} has no meaning in a head.`, { expected: instead })
    this.method = method
  }
}
