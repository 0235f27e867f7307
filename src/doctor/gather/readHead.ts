import { parseAddress } from '../../codec/address.js'
import { ProtocolError } from '../../errors/bridge.js'
import type { UTxOObject, WireRecord } from '../../bridge/inner.js'
import { decodeHeadReply, decodeSnapshotReply, getOwn, isRecord, textIn, utxoFromJson } from '../../bridge/inner.js'
import type { UTxO } from '../../types/utxo.js'
import type { HeadStateFacts, SnapshotFacts } from '../facts/HeadFacts.js'
import type { NodeReader } from './NodeReader.js'

/** Reads GET /head. */
export async function readHeadState(reader: NodeReader): Promise<HeadStateFacts> {
  const reply = decodeHeadReply(200, (await reader.text('/head')) ?? 'null')
  if (reply.kind !== 'ok') throw new ProtocolError('The state of the head', { expected: 'a head', got: reply.kind })
  const { info, pendingTxIds, decommitTxId, raw } = reply.value
  const contents = isRecord(raw) ? recordIn(raw, 'contents') : {}
  const coordinated = recordIn(contents, 'coordinatedHeadState')
  const spendable = spendableIn(contents, 0)
  const version = getOwn(coordinated, 'version') ?? getOwn(contents, 'version')
  return {
    headStatus: info.headStatus,
    headId: info.headId,
    parties: info.parties.map(({ vkey }) => vkey),
    contestationPeriod: info.contestationPeriod ?? null,
    version: typeof version === 'number' ? version : null,
    decommitTxId,
    depositTxId: textIn(coordinated, 'currentDepositTxId') ?? null,
    unconfirmed: pendingTxIds.length,
    signing: signingIn(coordinated),
    onChain: info.headStatus === 'FanningOut' ? null : headValue(spendable, info.headId),
    wallet: spendable.filter((utxo) => isWallet(utxo))
  }
}

const recordIn = (record: WireRecord, name: string): WireRecord => {
  const value = getOwn(record, name)
  return isRecord(value) ? value : {}
}

/** Levels of the chain state: 2.4 nests it one deeper than 2.3. */
const MAX_DEPTH = 4

function spendableIn(record: WireRecord, depth: number): UTxO[] {
  const spendable = getOwn(record, 'spendableUTxO')
  if (isRecord(spendable)) {
    // Outputs of others may have parts that this package does not read: each alone.
    return Object.entries(spendable).flatMap(([key, output]) => {
      try {
        return utxoFromJson({ [key]: output } as UTxOObject)
      } catch {
        return []
      }
    })
  }
  if (depth >= MAX_DEPTH) return []
  for (const name of ['chainState', 'spendable', 'contents', 'state']) {
    const inner = getOwn(record, name)
    if (isRecord(inner)) {
      const found = spendableIn(inner, depth + 1)
      if (found.length > 0) return found
    }
  }
  return []
}

/** HydraHeadV1, HydraHeadV2: the token of a head's output. */
const HEAD_TOKEN = /^(4879647261486561645631|4879647261486561645632)$/

/**
 * Returns the value of the head's output without the head's own tokens; null where the node does not show the output.
 */
function headValue(spendable: readonly UTxO[], headId: string | null): Record<string, string> | null {
  if (headId === null) return null
  const headOutput = spendable.find(({ output }) =>
    output.amount.some(({ unit }) => unit.startsWith(headId) && HEAD_TOKEN.test(unit.slice(headId.length)))
  )
  if (headOutput === undefined) return null
  return Object.fromEntries(
    headOutput.output.amount
      .filter(({ unit }) => !unit.startsWith(headId))
      .map(({ unit, quantity }) => [unit, quantity])
  )
}

/** Returns true for an output that may be of the node's wallet: at a key, without datum. */
function isWallet({ output }: UTxO): boolean {
  if (output.inlineDatum !== undefined || output.datumHash !== undefined) return false
  try {
    return parseAddress(output.address).payment?.kind === 'key'
  } catch {
    return false
  }
}

function signingIn(coordinated: WireRecord): HeadStateFacts['signing'] {
  const seen = recordIn(coordinated, 'seenSnapshot')
  if (textIn(seen, 'tag') !== 'SeenSnapshot') return null
  const number = getOwn(recordIn(seen, 'snapshot'), 'number')
  if (typeof number !== 'number') return null
  return { number, signers: signersIn(getOwn(seen, 'signatories')) }
}

/** Returns the keys of those who signed, from an object by key or a list of pairs of party and signature. */
function signersIn(signatories: unknown): string[] {
  if (isRecord(signatories)) return Object.keys(signatories)
  if (!Array.isArray(signatories)) return []
  return (signatories as unknown[]).flatMap((pair) => {
    const party: unknown = Array.isArray(pair) ? pair[0] : pair
    const vkey = textIn(party, 'vkey')
    return vkey === undefined ? [] : [vkey]
  })
}

/** Reads `GET /snapshot`; null without a head, and after the fanout. */
export async function readConfirmed(reader: NodeReader): Promise<SnapshotFacts | null> {
  const text = await reader.text('/snapshot')
  if (text === null) return null
  const reply = decodeSnapshotReply(200, text)
  if (reply.kind !== 'ok') throw new ProtocolError('The snapshot', { expected: 'a snapshot', got: reply.kind })
  if (reply.value.tag === 'InitialSnapshot')
    return {
      number: 0,
      version: 0,
      utxo: utxoFromJson(reply.value.initialUTxO ?? {}),
      toCommit: [],
      toDecommit: [],
      depositTxId: null
    }
  const { number, version, utxo, utxoToCommit, utxoToDecommit, depositTxId } = reply.value.snapshot
  return {
    number,
    version: version ?? null,
    utxo: utxoFromJson(utxo ?? {}),
    toCommit: utxoFromJson(utxoToCommit ?? {}),
    toDecommit: utxoFromJson(utxoToDecommit ?? {}),
    depositTxId: depositTxId ?? null
  }
}
