import { ada, buildTx, envelopeOf } from '../../devnode/transactions'
import { HEAD_ID, ScriptedNode, snapshotConfirmed } from '../../support/scriptedNode'
import { ClientPeer } from './clientPeer'
import { FLOOD_AHEAD, FLOOD_STEP } from './flood'

export const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
export const INITIAL = { body: { tag: 'InitialSnapshot', headId: HEAD_ID } }
/** Outputs of a large snapshot. */
export const OUTPUTS = 100_000
const POLICY = 'ab'.repeat(28)

/** A node that says what it is told to, and a bridge of a process of its own. */
export async function withPeer(
  mode: string,
  facts: { options?: object; [fact: string]: unknown },
  run: (node: ScriptedNode, peer: ClientPeer) => Promise<void>
): Promise<void> {
  const node = await new ScriptedNode().start()
  node.routes['GET /snapshot'] = INITIAL
  const peer = await ClientPeer.start(mode, { ...facts, options: { url: node.url, ...facts.options } })
  try {
    await run(node, peer)
  } finally {
    await peer.stop()
    await node.stop()
  }
}

/** An output as the node writes it, about 300 bytes; a tenth of them belong to one address and carry an asset. */
function outputText(index: number): string {
  const address = index % 10 === 0 ? ADDRESS : `addr_test1vz${index.toString(36).padStart(46, 'q')}`
  const assets = index % 10 === 0 ? `,"${POLICY}":{"cd":${index}}` : ''
  return `"${index.toString(16).padStart(64, '0')}#${index % 3}":{"address":"${address}","datum":null,"datumhash":null,"inlineDatum":null,"inlineDatumRaw":null,"referenceScript":null,"value":{"lovelace":${1_000_000 + index}${assets}}}`
}

/** What the bridge's process says of large snapshots. */
export interface SnapshotsResult {
  grown: number
  outputs: number
  /** Reading one balance, microseconds. */
  balanceUs: number
  /** Longest time that the loop stood still, ms. */
  stallMs: number
  lovelace: string
  number: number
}

/** Sends snapshots of {@link OUTPUTS} outputs, 1 % of them new each time. */
export async function largeSnapshots(
  count: number,
  run: (facts: {
    node: ScriptedNode
    texts: string[]
    lovelace: bigint
    result: SnapshotsResult
  }) => Promise<void> | void
): Promise<void> {
  const outputs = Array.from({ length: OUTPUTS }, (_, index) => outputText(index))
  await withPeer('snapshots', { until: count, address: ADDRESS }, async (node, peer) => {
    await peer.hear('ready')
    const texts: string[] = []
    for (let number = 1; number <= count; number++) {
      for (let index = 0; number > 1 && index < OUTPUTS / 100; index++)
        outputs[index * 100] = outputText(OUTPUTS * number + index * 10)
      const text = JSON.stringify(snapshotConfirmed(number)).replace('"utxo":{}', `"utxo":{${outputs.join(',')}}`)
      texts.push(text)
      node.send(text)
    }
    const result = await peer.hear<SnapshotsResult>('result', 60_000)
    const lovelace = outputs
      .filter((text) => text.includes(`"${ADDRESS}"`))
      .reduce((sum, text) => sum + BigInt(/"lovelace":(\d+)/.exec(text)![1]!), 0n)
    await run({ node, texts, lovelace, result })
  })
}

/** What the bridge's process says of a flood. */
export interface FloodResult {
  heard: number
  slow: number
  /** Delay of the event loop, ms. */
  lag: { p99: number; max: number }
  confirmed: number
  /** Memory since the start, collected: bytes. */
  grown: { heap: number; rss: number }
}

/** Sends 10,000 messages a second while `pending` transactions wait for their confirmation, which comes last. */
export async function flood(
  seconds: number,
  pending: number,
  run: (facts: { node: ScriptedNode; total: number; result: FloodResult }) => Promise<void> | void
): Promise<void> {
  const transactions = Array.from({ length: pending }, (_, index) =>
    envelopeOf(
      buildTx({
        inputs: [{ txHash: (index + 1).toString(16).padStart(64, '0'), index: 0 }],
        outputs: [ada(ADDRESS, 2_000_000n)]
      })
    )
  )
  await withPeer('flood', { transactions }, async (node, peer) => {
    await peer.hear('ready')
    await node.until(() => node.inputs.length === transactions.length)
    const total = seconds * 10_000
    let number = 0
    for (let sent = 0, started = performance.now(); sent < total;) {
      const due = Math.min(total, Math.floor((performance.now() - started) * 10))
      for (; sent < due; sent++) {
        // A process that the machine gives no time falls behind; it is not to be overrun for that.
        if (sent % FLOOD_STEP === 0 && sent >= FLOOD_AHEAD)
          await peer.hear(`heard ${sent - FLOOD_AHEAD + FLOOD_STEP}`, 60_000)
        node.send(floodMessage(sent, () => ++number))
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    node.send(snapshotConfirmed(number + 1, { confirmed: transactions, seq: total + 1 }), {
      tag: 'HeadIsContested',
      headId: HEAD_ID,
      snapshotNumber: 1,
      contestationDeadline: '2026-01-01T00:00:00Z'
    })
    await run({ node, total, result: await peer.hear<FloodResult>('result') })
  })
}

/** What a busy head says: mostly about transactions of others. */
function floodMessage(seq: number, next: () => number): object {
  const timestamp = '2026-01-01T00:00:00.123456789Z'
  if (seq % 10 === 0)
    return snapshotConfirmed(next(), {
      seq,
      utxo: { [`${'a'.repeat(64)}#0`]: { address: ADDRESS, value: { lovelace: seq + 1 } } }
    })
  const txId = (seq + 10_000).toString(16).padStart(64, 'f')
  return {
    tag: 'TxValid',
    headId: HEAD_ID,
    seq,
    timestamp,
    transactionId: txId,
    transaction: { type: 'Tx ConwayEra', description: '', cborHex: '84a0a0f5f6', txId }
  }
}
