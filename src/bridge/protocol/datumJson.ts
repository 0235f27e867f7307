import type { PlutusDataJson } from '../../codec/plutusData.js'
import { PlutusData } from '../../codec/plutusData.js'
import { isRecord, protocolError } from './wireRecord.js'

/**
 * Returns the CBOR (hex) of an inline datum in the detailed schema, encoded as the ledger's own library does. Only for
 * outputs of nodes that send no raw form: the datum on chain may be encoded in another way, and then have another hash.
 *
 * @throws {@link ProtocolError} when it is not of the schema.
 */
export function datumCbor(json: unknown): string {
  if (!isRecord(json)) return protocolError('An inline datum', 'an object', json)
  try {
    return PlutusData.fromJson(json as unknown as PlutusDataJson).toCbor()
  } catch {
    return protocolError('An inline datum', 'int, bytes in hex, list, map, or constructor from 0 on and fields', json)
  }
}
