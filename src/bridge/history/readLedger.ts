import { UnsupportedByConnectorError } from '../../errors/operation.js'
import type { NodeAccess } from '../connection/NodeAccess.js'
import type { LedgerReading, LedgerReadingEnd } from './LedgerReading.js'
import { readGatewayLedger } from './readGatewayLedger.js'
import { readNodeLedger } from './readNodeLedger.js'

/** Reads the ledger's past: from the history of a node, or from the log of a gateway. */
export async function readLedger(
  node: Pick<NodeAccess, 'connector' | 'requestNode'>,
  reading: LedgerReading
): Promise<LedgerReadingEnd> {
  const { history, log } = node.connector.capabilities
  if (history) return readNodeLedger(node.connector, reading)
  if (log === true) return readGatewayLedger(node, reading)
  throw new UnsupportedByConnectorError('Reading the history')
}
