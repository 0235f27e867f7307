import { adaText } from './adaText.js'
import { LayerSdkError } from './base.js'
import { addOldProperties, OLD_NAMES } from './oldNames.js'

/** The head is in a state that does not allow the action. */
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

/** The node has not caught up with the base ledger; it refuses every input until then. */
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

/** Actions whose command the node does not acknowledge before it has an effect. */
const COMMANDS_OF_LIFE = /^(open|recover|(close|abort|fanout|closeAndFanout)Head)$/

/** An action ended at its time limit; of a transaction, before it was sent. */
export class ClientTimeoutError extends LayerSdkError<'CLIENT_TIMEOUT'> {
  override readonly name = 'ClientTimeoutError'
  /**
   * `unknown` for the commands of a head's life, which may have been sent; `none` for all others: payments, deposits and
   * withdrawals that were sent end with {@link OutcomeUnknownError} instead.
   */
  override readonly outcome: 'none' | 'unknown'
  /** ms. */
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
 * A transaction was sent, and its outcome is not known yet. Its inputs stay reserved until the head's state or history
 * decides.
 */
export class OutcomeUnknownError extends LayerSdkError<'CLIENT_OUTCOME_UNKNOWN'> {
  override readonly name = 'OutcomeUnknownError'
  /** It may still be confirmed. */
  override readonly outcome = 'unknown'
  /** Hex, 64 characters. Ask again with `waitForTx(txId)`. */
  readonly txId: string
  /** When it can no longer become valid, ms since the Unix epoch; null where it carries no bound. */
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

/** Why the ledger refused a transaction. */
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

/** A script that failed, as far as the node's text says it. */
export interface ScriptFailure {
  /** `PlutusV1`, `PlutusV2` or `PlutusV3`. */
  readonly language: string | undefined
  /** Hex, 56 characters. */
  readonly scriptHash: string | undefined
  /** Purpose and index, such as `spend#0`; nodes of heads do not name it. */
  readonly redeemer: string | undefined
  /** The error of the evaluation, in the ledger's words. */
  readonly error: string | undefined
  /** Traces of the script. */
  readonly traces: readonly string[]
  /**
   * Units that were left of the redeemer's when a script overspent them, steps (`cpu`) and memory (`mem`): below zero
   * where it used too many.
   */
  readonly unitsLeft: { readonly cpu: bigint; readonly mem: bigint } | undefined
}

/** The head's ledger refused a transaction, or its state shows that another one has spent an input of it. */
export class LedgerError extends LayerSdkError<'CLIENT_LEDGER'> {
  /** Of `reason: 'script-failed'`: the script that failed, as far as the node's text says it. */
  readonly script: ScriptFailure | undefined
  override readonly name = 'LedgerError'
  /**
   * Its node refused these bytes and no snapshot holds them. Until the bound of the transaction that can be revised,
   * e.g. when another party's node has accepted it: `onSettled` reports it, and `waitForTx` then resolves.
   */
  override readonly outcome = 'none'
  /** Hex, 64 characters. */
  readonly txId: string
  /** Why, as a word that programs can compare. */
  readonly reason: LedgerReason
  /** Figures in the node's text by name, e.g. `{ minimum: 978370n, actual: 1n }` (lovelace, slots or bytes). */
  readonly figures: Readonly<Record<string, bigint>>
  /** The node's text, untouched; empty where the head's state decided. */
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

/**
 * A transaction passed its upper bound of validity without being confirmed. It can never be confirmed; its inputs are
 * free again.
 */
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
 * A transaction spends outputs that another transaction of this client, not confirmed yet, spends already. It was not
 * sent.
 */
export class InputReservedError extends LayerSdkError<'CLIENT_INPUT_RESERVED'> {
  override readonly name = 'InputReservedError'
  /** The action had no effect: it was not sent, or the node refused it. */
  override readonly outcome = 'none'
  /** `txHash#index`. */
  readonly input: string
  /** The transaction that spends it: hex, 64 characters; empty for a deposit of this client that is not drafted yet. */
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

/** A withdrawal would leave no output that can be collateral for scripts in the head. No transaction was sent. */
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

/** The wallet's money is spread over more outputs than one transaction can spend. No transaction was sent. */
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

/** A deposit did not get into the head before its deadline. */
export class DepositExpiredError extends LayerSdkError<'CLIENT_DEPOSIT_EXPIRED'> {
  override readonly name = 'DepositExpiredError'
  /** The deposit is on the base ledger, and not in the head. */
  override readonly outcome = 'happened'
  /** Hex, 64 characters. */
  readonly depositTxId: string
  /** From then on `recover` brings it back, ms since the Unix epoch; null where neither draft nor node states a time. */
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

/** A hook of `layer-sdk/react` was used outside of a `HeadProvider`. */
export class HeadProviderMissingError extends LayerSdkError<'CLIENT_PROVIDER_MISSING'> {
  override readonly name = 'HeadProviderMissingError'
  constructor() {
    super('CLIENT_PROVIDER_MISSING', 'The component uses a head and stands in no HeadProvider.', {
      expected: '<HeadProvider client={head}> around it'
    })
  }
}

/** A transaction builder wants something of the base ledger, which a head does not have. */
export class UnsupportedInHeadError extends LayerSdkError<'CLIENT_UNSUPPORTED_IN_HEAD'> {
  override readonly name = 'UnsupportedInHeadError'
  /** Name of the call, e.g. `fetchBlockInfo`. */
  readonly method: string
  constructor(method: string, instead: string) {
    super('CLIENT_UNSUPPORTED_IN_HEAD', `${method} has no meaning in a head.`, { expected: instead })
    this.method = method
  }
}
