import { LedgerDecoder, utxoFromJson } from '../../bridge/inner.js'
import type { LayerBridge, LedgerEvent, UTxOObject } from '../../bridge/inner.js'
import { isLayerError } from '../../errors/base.js'
import { decodeTransaction } from '../../tx/inner.js'
import type { DecodedTransaction } from '../../tx/inner.js'
import type { TxInput, TxOutput } from '../../types/utxo.js'
import type { ClientContext } from '../ClientContext.js'
import { refOf } from '../PendingView.js'
import { readTxChange } from '../txChange.js'
import type { HeadTransaction } from './types.js'

/** A transaction as found in the ledger's past. */
interface PastTx {
  readonly headId: string
  readonly snapshotNumber: number
  readonly cborHex: string | null
  /** Addresses of the outputs that it spends, as far as the source states them. */
  readonly spent: Readonly<Record<string, string>>
}

/** Looks for a transaction among those in flight, then in the head's past, and resolves its inputs. */
export async function findHeadTransaction(
  context: ClientContext,
  txId: string,
  signal: AbortSignal
): Promise<HeadTransaction | null> {
  const { bridge, txs, settled } = context
  const ownTx = txs.get(txId)
  const own = ownTx !== undefined || settled.has(txId)
  if (ownTx !== undefined) {
    const decoded = decodeTransaction(ownTx.cborHex)
    const knownOutputs = new Map(ownTx.pending.inputs.map((utxo) => [refOf(utxo), utxo.output]))
    return transactionOf(
      txId,
      { state: 'pending', own, decoded, headId: bridge.getSnapshot().headId },
      knownOutputs,
      {}
    )
  }
  const past = await findPast(bridge, txId, signal)
  if (past === null) return findVerdict(context, txId, own)
  const decoded = past.cborHex === null ? null : decodeTransaction(past.cborHex)
  const known = decoded === null ? new Map<string, TxOutput>() : await findOutputs(bridge, decoded, signal)
  const { headId, snapshotNumber, spent } = past
  return transactionOf(txId, { state: 'confirmed', own, decoded, headId, snapshotNumber }, known, spent)
}

/** Searches the head's outputs and stored refusals for a transaction that neither history nor log contains. */
async function findVerdict({ bridge }: ClientContext, txId: string, own: boolean): Promise<HeadTransaction | null> {
  const found = await bridge.findTransaction(txId)
  if (found.status === 'unknown') return null
  const { headId } = bridge.getSnapshot()
  return found.status === 'invalid'
    ? transactionOf(txId, { state: 'refused', own, decoded: null, headId, reason: found.reason }, new Map(), {})
    : transactionOf(
        txId,
        { state: 'confirmed', own, decoded: null, headId, snapshotNumber: found.snapshotNumber },
        new Map(),
        {}
      )
}

function transactionOf(
  txId: string,
  facts: Pick<HeadTransaction, 'state' | 'own' | 'decoded' | 'headId'> & {
    readonly snapshotNumber?: number
    readonly reason?: string
  },
  knownOutputs: ReadonlyMap<string, TxOutput>,
  spent: Readonly<Record<string, string>>
): HeadTransaction {
  const { decoded, snapshotNumber = null, reason = null, ...rest } = facts
  const inputs = spentBy(decoded).map((input) => {
    const ref = `${input.txHash}#${input.index}`
    const output = knownOutputs.get(ref) ?? null
    return { input, output, address: output?.address ?? spent[ref] ?? null }
  })
  const addresses = inputs.map(({ address }) => address).filter((address) => address !== null)
  const isComplete = decoded !== null && addresses.length === inputs.length
  return { txId, ...rest, snapshotNumber, reason, decoded, inputs, from: isComplete ? [...new Set(addresses)] : null }
}

/** Returns the inputs that a transaction spends: only its collateral where its scripts fail. */
const spentBy = (decoded: DecodedTransaction | null): readonly TxInput[] =>
  decoded === null ? [] : decoded.isValid ? decoded.inputs : decoded.collateral

async function findPast(bridge: LayerBridge, txId: string, signal: AbortSignal): Promise<PastTx | null> {
  let found: PastTx | null = null
  await readPast(bridge, [txId], signal, (event) => {
    if (event.kind !== 'snapshot') return
    const tx = event.txs.find((each) => each.txId === txId && each.verified !== false)
    if (tx === undefined) return
    const { headId, number, spent = {} } = event
    found = { headId, snapshotNumber: number, cborHex: tx.cborHex ?? null, spent }
  })
  return found
}

/**
 * Finds the outputs that a transaction spends, in the transactions, deposits and openings of the head that made them.
 */
async function findOutputs(
  bridge: LayerBridge,
  decoded: DecodedTransaction,
  signal: AbortSignal
): Promise<Map<string, TxOutput>> {
  const inputs = spentBy(decoded)
  const inputRefs = new Set(inputs.map(({ txHash, index }) => `${txHash}#${index}`))
  const knownOutputs = new Map<string, TxOutput>()
  const note = (utxo: UTxOObject): void => {
    for (const ref of inputRefs)
      if (Object.hasOwn(utxo, ref)) knownOutputs.set(ref, utxoFromJson({ [ref]: utxo[ref]! })[0]!.output)
  }
  const makers = [...new Set(inputs.map(({ txHash }) => txHash))]
  await readPast(bridge, [...makers, '"CommitFinalized"', '"CommitApproved"'], signal, (event) => {
    if (event.kind === 'opened' || event.kind === 'deposit') note(event.utxo)
    else if (event.kind === 'checkpoint' && event.utxo !== null) note(event.utxo)
    else if (event.kind === 'snapshot')
      for (const { txId, cborHex } of event.txs)
        if (cborHex !== undefined && makers.includes(txId))
          for (const { index, output } of readTxChange(cborHex)?.made ?? [])
            if (inputRefs.has(`${txId}#${index}`)) knownOutputs.set(`${txId}#${index}`, output)
  })
  return knownOutputs
}

/** Reads the past events whose messages contain one of these words; none where the source has no past. */
async function readPast(
  bridge: LayerBridge,
  words: readonly string[],
  signal: AbortSignal,
  onEvent: (event: LedgerEvent) => void
): Promise<void> {
  try {
    await bridge.readLedger({
      from: { position: null, place: null },
      decoder: new LedgerDecoder(),
      signal,
      concerns: (text) => words.some((word) => text.includes(word)),
      onEvent,
      room: () => null
    })
  } catch (error) {
    if (!isLayerError(error, 'BRIDGE_UNSUPPORTED_BY_CONNECTOR')) throw error
  }
}
