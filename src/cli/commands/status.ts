import { LOVELACE, valueFromAmounts } from '../../codec/value.js'
import { formatAda } from '../../utils/inner.js'
import type { Terminal } from '../terminal.js'
import { parseOptions } from '../usage.js'
import { NODE_OPTIONS, timeoutOf, withHead } from './headConnection.js'

/** `layer-sdk status`: reads where a head and its node stand. */
export async function status(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, NODE_OPTIONS)
  const found = await withHead(values, timeoutOf(values), async (client) => {
    const { nodeVersion, synced, headStatus, headId, snapshotNumber, parties, contestationDeadline, ready } =
      client.status()
    // Before a head is open, or without its outputs, the count is unknown.
    const utxos = ready && headId !== null ? client.bridge.snapshotUtxoArray() : null
    const lovelace = utxos?.reduce((sum, { output }) => sum + (valueFromAmounts(output.amount).get(LOVELACE) ?? 0n), 0n)
    const outputs = utxos === null ? null : utxos.length
    return {
      nodeVersion,
      synced,
      headStatus,
      headId,
      snapshotNumber,
      outputs,
      lovelace: lovelace === undefined ? null : String(lovelace),
      parties,
      contestationDeadline
    }
  })
  if (values.json === true) terminal.out(JSON.stringify(found))
  else terminal.out(plain(found))
}

interface Found {
  readonly nodeVersion: string | null
  readonly synced: boolean | null
  readonly headStatus: string | null
  readonly headId: string | null
  readonly snapshotNumber: number | null
  readonly outputs: number | null
  readonly lovelace: string | null
  readonly parties: readonly string[] | null
  readonly contestationDeadline: number | null
}

function plain({
  nodeVersion,
  synced,
  headStatus,
  headId,
  snapshotNumber,
  outputs,
  lovelace,
  parties,
  contestationDeadline
}: Found): string {
  const sync = synced === null ? '' : synced ? ', in sync' : ', behind the base ledger'
  const rows: [string, string][] = [
    ['Node', `${nodeVersion ?? 'of an unknown version'}${sync}`],
    ['Head', headId === null ? (headStatus ?? 'unknown') : `${headStatus ?? 'unknown'}, ${headId}`]
  ]
  if (headId !== null) rows.push(['Snapshot', snapshotNumber === null ? 'none yet' : String(snapshotNumber)])
  if (outputs !== null) rows.push(['Outputs', `${outputs}, ${formatAda(BigInt(lovelace ?? 0))} ada`])
  if (parties !== null) rows.push(['Parties', String(parties.length)])
  if (contestationDeadline !== null) rows.push(['Contest', `until ${new Date(contestationDeadline).toISOString()}`])
  return rows.map(([name, value]) => `${name.padEnd(8)}  ${value}`).join('\n')
}
