import { isHex } from '../../codec/isHex.js'
import { readTransaction, toTransactionBytes, transactionId } from '../../codec/transaction.js'
import { DEFAULT_NODE_WAIT_TIMEOUT } from '../../constants.js'
import { BridgeDisconnectedError } from '../../errors/bridge.js'
import { BridgeRequestError, UnsupportedByConnectorError, UnsupportedByNodeError } from '../../errors/operation.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { UTxO } from '../../types/utxo.js'
import { valueOf } from '../connection/nodeRequests.js'
import type { NodeRequestOptions } from '../connection/nodeRequests.js'
import { withSignal } from '../connection/withSignal.js'
import { assertSignal, waitForMessage } from '../delivery/MessageDispatcher.js'
import type { LayerPayload } from '../protocol/messages.js'
import type { MoveContext } from './MoveContext.js'
import { commandRefusal } from '../protocol/commandRefusal.js'
import type { TransactionJson, UTxOObject } from '../protocol/types.js'
import { textIn } from '../protocol/wireRecord.js'
import { inputTxId } from '../protocol/clientInput.js'
import { buildInput } from '../protocol/encode.js'
import { decodeCommitReply, decodeEffectReply, decodeSubmitCardanoReply } from '../protocol/replies.js'
import { routes } from '../protocol/routes.js'
import type { CommitBody } from '../protocol/routes.js'
import { utxoToJson } from '../protocol/utxoJson.js'
import { pendingDeposits } from './nodeQueries.js'
import { assertTimeout } from '../txs/submitTx.js'

/** A transaction by its CBOR alone. */
export interface TransactionData {
  /** CBOR hex. */
  cborHex: string
  /** Free text for the description in the transaction's JSON envelope. */
  description: string
}

/** A blueprint of the deposit: a transaction that states how the outputs in `utxo` are used. */
export interface CommitData extends TransactionData {
  /** The outputs that it spends: a list, or as the node writes them. @default {} */
  utxo?: UTxOObject | readonly UTxO[]
  /** Address of the change (bech32). */
  changeAddress?: string
}

/**
 * Argument of `commit`: a blueprint (`buildDeposit` makes one), outputs to deposit as they are (a list, or as the node
 * writes them), or the node's own request: `blueprintTx` with the outputs it spends (`utxo`) and where the change goes
 * (`changeAddress`, bech32).
 */
export type CommitRequest =
  CommitData | readonly UTxO[] | UTxOObject | { blueprintTx: TransactionJson; utxo: UTxOObject; changeAddress?: string }

/**
 * The node's draft of a deposit transaction, CBOR in `cborHex`. Sign it, keep its witnesses, and submit it to the base
 * ledger.
 */
export type DepositDraft = TransactionJson & { cborHex: string }

/** The result of a submission to the base ledger. */
export interface CardanoSubmission {
  /** Hex, 64 characters. */
  txId: string
  [key: string]: unknown
}

/** Limits of the wait for the recovery of a deposit. */
export interface RecoverOptions {
  /** Time limit, ms. @default 300000, the node's own limit */
  timeout?: number
  /** Ends the wait, which then rejects with the signal's reason; the node may recover the deposit all the same. */
  signal?: AbortSignal | undefined
}

/** Statuses without an answer of the node (0: none; the rest: a proxy's): it may still be working on the request. */
const NO_ANSWER: readonly number[] = [0, 408, 502, 504]

/** Requests the node's draft of a deposit (POST /commit). Sent once; a refusal carries the node's reason. */
export async function commit(context: MoveContext, data: CommitRequest): Promise<DepositDraft> {
  if (typeof data !== 'object' || data === null)
    throw new InvalidArgumentError('data', 'a blueprint, a list of outputs or a UTxO map', data)
  const body = toCommitBody(data)
  assertBalanced(context, body)
  const request = routes.commit(body)
  return valueOf(request, await context.requestNode(request, decodeCommitReply))
}

function toCommitBody(data: CommitRequest): CommitBody {
  if (Array.isArray(data)) return utxoToJson(data as readonly UTxO[])
  if (!('cborHex' in data) || typeof data.cborHex !== 'string') return data as CommitBody
  const { cborHex, description, utxo = {}, changeAddress } = data as CommitData
  const blueprintTx = { type: 'Tx ConwayEra', description, cborHex, txId: idOf(cborHex) }
  return {
    blueprintTx,
    utxo: Array.isArray(utxo) ? utxoToJson(utxo as readonly UTxO[]) : (utxo as UTxOObject),
    ...(changeAddress == null ? {} : { changeAddress })
  }
}

/**
 * Throws when change is requested from a node that does not support it: it would deposit all that is spent, or keep the
 * rest.
 */
function assertBalanced(context: MoveContext, body: CommitBody): void {
  if ((body as { changeAddress?: unknown }).changeAddress == null) return
  const { version, balancesBlueprints } = context.profile()
  const expected = 'outputs that are deposited whole'
  if (!balancesBlueprints)
    throw new UnsupportedByNodeError('A deposit with change', {
      expected: `${expected}, or a node from 1.1 on`,
      got: version?.join('.')
    })
  // Hydra.Tx.Commit, up to 1.3: the commit that opens a head uses the inputs of a blueprint only.
  if (context.head().headStatus === 'Initializing')
    throw new UnsupportedByNodeError('A deposit with change', {
      expected: `${expected} while the head is initializing`,
      got: version?.join('.')
    })
}

/** Has the node submit a transaction to the base ledger (POST /cardano-transaction). Sent once. */
export async function submitCardanoTransaction(
  context: MoveContext,
  data: TransactionData
): Promise<CardanoSubmission> {
  if (typeof data !== 'object' || data === null)
    throw new InvalidArgumentError('data', 'an object { cborHex, description } with the signed transaction', data)
  const { cborHex, description } = data
  const txId = idOf(cborHex)
  const request = routes.submitCardanoTransaction({ type: 'Tx ConwayEra', description, cborHex, txId })
  return { txId, ...valueOf(request, await context.requestNode(request, decodeSubmitCardanoReply)) }
}

/**
 * Recovers a deposit that the head has not accepted: DELETE /commits/{id}, or the input Recover where that is not
 * possible. Resolves only once the node has seen this very deposit recovered, because the HTTP answer may be about
 * another client's.
 */
export async function recoverDeposit(context: MoveContext, id: string, options?: RecoverOptions): Promise<string> {
  if (typeof id !== 'string' || id === '' || !isHex(id))
    throw new InvalidArgumentError('depositTxId', 'the id of a deposit', id)
  const timeoutMs = assertTimeout(options?.timeout, DEFAULT_NODE_WAIT_TIMEOUT)
  const signal = assertSignal(options?.signal)
  signal?.throwIfAborted()
  // As the node writes it.
  const depositTxId = id.toLowerCase()
  if (!context.connected())
    return withSignal(context, { signal }, (boundContext) => recoverUnseen(boundContext, depositTxId, timeoutMs))
  const failed = new AbortController()
  const over = new AbortController()
  let text = 'OK'
  const send = async (): Promise<void> => {
    try {
      text = (await deleteDeposit(context, depositTxId, { timeoutMs, signal: over.signal })) ?? text
    } catch (error) {
      // A lost response is no proof; the message decides.
      if (!(error instanceof BridgeRequestError && NO_ANSWER.includes(error.status))) failed.abort(error)
    }
  }
  const onAbort = (): void => failed.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  return waitForMessage(
    context.dispatcher,
    {
      what: `Recovering deposit ${depositTxId}`,
      timeoutMs,
      signal: failed.signal,
      ended: () => new BridgeDisconnectedError(`Recovering deposit ${depositTxId}`),
      start: () => {
        void send()
      }
    },
    (payload) => (isRecovered(payload, depositTxId, context) ? text : undefined)
  ).finally(() => {
    over.abort()
    signal?.removeEventListener('abort', onAbort)
  })
}

function isRecovered(payload: LayerPayload, depositTxId: string, context: MoveContext): boolean {
  if (payload.tag === 'CommitRecovered') return payload.recoveredTxId === depositTxId
  if (
    payload.tag === 'PostTxOnChainFailed' &&
    textIn(payload.postChainTx, 'tag') === 'RecoverTx' &&
    textIn(payload.postChainTx, 'recoverTxId') === depositTxId
  ) {
    const { postTxError: body } = payload
    throw new BridgeRequestError('Recover', {
      status: 400,
      reason: textIn(body, 'failureReason') ?? textIn(body, 'tag') ?? 'no reason given',
      body
    })
  }
  const refused = commandRefusal(payload, context.head())
  if (refused?.input?.tag === 'Recover' && inputTxId(refused.input) === depositTxId) throw refused.error
  return false
}

// Null: sent as an input, to which there is no reply.
async function deleteDeposit(
  context: MoveContext,
  depositTxId: string,
  options: NodeRequestOptions
): Promise<string | null> {
  const request = routes.recoverDeposit(depositTxId, context.profile().quotedDepositId)
  try {
    const reply = await context.requestNode(request, decodeEffectReply, options)
    if (reply.kind !== 'absent' && reply.kind !== 'noRoute') return valueOf(request, reply)
  } catch (error) {
    if (!(error instanceof UnsupportedByConnectorError) || !context.connector.capabilities.allRoutes) throw error
  }
  context.send(buildInput('Recover', depositTxId))
  return null
}

async function recoverUnseen(context: MoveContext, depositTxId: string, timeoutMs: number): Promise<string> {
  const text = await deleteDeposit(context, depositTxId, { timeoutMs })
  // Nodes before 1.0 answer at once, before anything is recovered.
  if (context.profile().sideEffectRoutesWait && (await pendingDeposits(context)).includes(depositTxId)) {
    throw new BridgeRequestError('Recover', {
      status: 200,
      reason: 'the node recovered another deposit; this one is still pending'
    })
  }
  return text ?? 'OK'
}

function idOf(cborHex: string): string {
  return transactionId(readTransaction(toTransactionBytes(cborHex)))
}
