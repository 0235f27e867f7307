import { parseJson } from '../../codec/json.js'
import { ProtocolError } from '../../errors/bridge.js'
import { BridgeRequestError, UnsupportedByConnectorError } from '../../errors/operation.js'
import type { NodeAccess } from '../connection/NodeAccess.js'
import { decodePayload } from '../protocol/decode.js'
import { getOwn, isRecord } from '../protocol/wireRecord.js'
import type { WireRecord } from '../protocol/wireRecord.js'
import { stringifyJson } from '../../codec/json.js'
import type { LedgerDecoder } from './LedgerDecoder.js'
import type { LedgerEvent } from './LedgerEvent.js'
import type { LedgerReading, LedgerReadingEnd } from './LedgerReading.js'

const WHAT = 'The history of the gateway'

/**
 * Reads the ledger's past from a gateway's log, page by page. The log is bounded: its oldest record may be younger than
 * the head, and is then a `checkpoint`.
 *
 * @throws {@link UnsupportedByConnectorError} where the gateway has no such route; {@link BridgeRequestError},
 * {@link ProtocolError}, or the error of the receiver
 */
export async function readGatewayLedger(
  { requestNode }: Pick<NodeAccess, 'requestNode'>,
  reading: LedgerReading
): Promise<LedgerReadingEnd> {
  const { decoder, from } = reading
  const { position } = from
  let { place } = from
  for (;;) {
    const query = new URLSearchParams()
    if (place !== null) query.set('at', place)
    if (position !== null) {
      query.set('head', position.headId)
      query.set('number', String(position.number))
    }
    const page = await requestNode({ method: 'GET', path: `/history?${query}` }, readPage, { signal: reading.signal })
    for (const entry of page.entries) {
      const event = eventOf(entry, decoder)
      if (event !== null) reading.onEvent(event)
    }
    place = page.place
    if (!page.more) return { end: 'present', place }
    await reading.room()
  }
}

interface Page {
  readonly entries: readonly WireRecord[]
  readonly place: string
  readonly more: boolean
}

function readPage(status: number, text: string): Page {
  if (status === 404 || status === 405) throw new UnsupportedByConnectorError('GET /history')
  if (status !== 200) throw new BridgeRequestError('GET /history', { status, reason: text.slice(0, 200) })
  const body = parseJson(text, WHAT)
  const entries = isRecord(body) ? getOwn(body, 'entries') : undefined
  const place = isRecord(body) ? getOwn(body, 'place') : undefined
  if (!Array.isArray(entries) || !entries.every(isRecord) || typeof place !== 'string')
    throw new ProtocolError(WHAT, { expected: '{ entries, place, more }', got: 'another value' })
  return { entries: entries as WireRecord[], place, more: getOwn(body as WireRecord, 'more') === true }
}

/** Returns the event of an entry, which is a message with details of the gateway, a checkpoint, or a gap. */
function eventOf(entry: WireRecord, decoder: LedgerDecoder): LedgerEvent | null {
  const message = getOwn(entry, 'message')
  const [headId, from, number] = ['headId', 'from', 'number'].map((name) => getOwn(entry, name))
  if (isRecord(message)) {
    const spent = getOwn(entry, 'spent')
    return decoder.read(decodePayload(stringifyJson(message), Date.now()), {
      from: typeof from === 'number' ? from : undefined,
      spent: isRecord(spent) ? (spent as Record<string, string>) : undefined
    })
  }
  if (typeof headId !== 'string' || typeof number !== 'number')
    throw new ProtocolError(WHAT, { expected: 'an entry of a snapshot', got: 'another value' })
  if (typeof from === 'number') return { kind: 'gap', headId, from, number }
  decoder.restart(headId, number)
  return { kind: 'checkpoint', headId, number, utxo: null }
}
