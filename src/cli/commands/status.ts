import type { HeadClient } from '../../client/index.js'
import { depositPhase, depositTimes } from '../../codec/depositPhase.js'
import type { DepositPhase, DepositTimes } from '../../codec/depositPhase.js'
import { LOVELACE, valueFromAmounts } from '../../codec/value.js'
import { FundsLog } from '../../doctor/inner.js'
import { formatAda } from '../../utils/inner.js'
import { phaseText } from '../phaseText.js'
import type { Terminal } from '../terminal.js'
import { parseOptions } from '../usage.js'
import { NODE_OPTIONS, timeoutOf, withHead } from './headConnection.js'

/** `layer-sdk status`: shows the state of a head and of its node. */
export async function status(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, NODE_OPTIONS)
  const found = await withHead(values, timeoutOf(values), async (client) => {
    const { nodeVersion, synced, headStatus, headId, snapshotNumber, parties, contestationDeadline, ready } =
      client.status()
    // Before a head is open, or without its outputs, the count is unknown.
    const utxos = ready && headId !== null ? client.bridge.snapshotUtxoArray() : null
    const lovelace = utxos?.reduce((sum, { output }) => sum + (valueFromAmounts(output.amount).get(LOVELACE) ?? 0n), 0n)
    const outputs = utxos === null ? null : utxos.length
    const deposits = await pendingDeposits(client)
    return {
      nodeVersion,
      synced,
      headStatus,
      headId,
      snapshotNumber,
      outputs,
      lovelace: lovelace === undefined ? null : String(lovelace),
      parties,
      contestationDeadline,
      deposits
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
  readonly deposits: readonly PendingDeposit[] | null
}

/** Deposit on the base ledger that is not in the head yet. `phase` is that at the time of the answer. */
interface PendingDeposit extends DepositTimes {
  readonly depositTxId: string
  readonly phase: DepositPhase | null
  /** When the next phase begins, ms since the Unix epoch. */
  readonly nextAt: number | null
}

/** Returns the pending deposits that the node lists, with their times; null when node or gateway has no such list. */
async function pendingDeposits({ bridge }: HeadClient): Promise<readonly PendingDeposit[] | null> {
  const ids = await bridge.pendingDeposits().catch(() => null)
  if (ids === null || ids.length === 0) return ids === null ? null : []
  // A node without its history names them alone.
  const funds = new FundsLog()
  for (const message of await bridge.messagesAbout(ids).catch(() => [])) funds.apply(message)
  const rows = new Map(funds.deposits.map((row) => [row.id, row]))
  return ids.map((depositTxId) => {
    const row = rows.get(depositTxId)
    const times = depositTimes(row?.deadline ?? null, bridge.getSnapshot().depositPeriod, {
      recordedAt: row?.times.recorded ?? null,
      claimableAt: row?.times.activated ?? null
    })
    return { depositTxId, ...times, ...depositPhase(times, Date.now()) }
  })
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
  contestationDeadline,
  deposits
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
  for (const deposit of deposits ?? [])
    rows.push(['Deposit', `${deposit.depositTxId}, ${phaseText(deposit, Date.now())}`])
  return rows.map(([name, value]) => `${name.padEnd(8)}  ${value}`).join('\n')
}
