import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { DevNode } from '../../../src/devnode'
import type { UTxO } from '../../../src/types/utxo'
import { buildPayment } from '../../../src/tx'
import { ChainCliWallet } from '../../../src/wallet'
import type { ProgramRun } from '../../support/cliProgram'
import { CliProgram } from '../../support/cliProgram'
import { scaled } from '../../support/scale'

interface Listening {
  url: string
  controlUrl: string
  indexerUrl: string
}

interface Message {
  tag: string
  seq: number
  snapshot: {
    number: number
    confirmed: { txId: string }[]
    utxo: Record<string, { address: string; value: { lovelace: number } }>
  }
}

const LANES = 4
const [ALICE] = new DevNode().keys
const wallet = new ChainCliWallet({ networkId: 0, skey: ALICE!.skey })

/** What clients have been told: it must be there after every kill. */
class Told {
  /** Number of the snapshot by the id of each confirmed transaction. */
  readonly confirmed = new Map<string, number>()
  /** Tag and snapshot by the `seq` of each message that is on disk before it goes out. */
  readonly durable = new Map<number, number>()
  readonly funded: string[] = []
}

/**
 * Pays alice to herself on every lane, again with each snapshot, and funds her on the base ledger, until the process is
 * gone.
 */
async function load({ url, controlUrl }: Listening, told: Told): Promise<void> {
  const socket = new WebSocket(`${url}/?history=no`)
  const gone = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('error', () => resolve()))
  const spent = new Set<string>()
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message & { snapshotUtxo?: Message['snapshot']['utxo'] }
    if (message.tag === 'SnapshotConfirmed') {
      told.durable.set(message.seq, message.snapshot.number)
      for (const { txId } of message.snapshot.confirmed) told.confirmed.set(txId, message.snapshot.number)
    }
    const utxo = message.snapshotUtxo ?? (message.tag === 'SnapshotConfirmed' ? message.snapshot.utxo : undefined)
    for (const [ref, { address, value }] of Object.entries(utxo ?? {})) {
      if (address !== ALICE!.address || spent.has(ref)) continue
      spent.add(ref)
      const [txHash = '', index] = ref.split('#')
      const output: UTxO = {
        input: { txHash, index: Number(index) },
        output: { address, amount: [{ unit: 'lovelace', quantity: String(value.lovelace) }] }
      }
      void pay(socket, output, BigInt(value.lovelace))
    }
  })
  void (async () => {
    for (;;) {
      const response = await fetch(`${controlUrl}/faucet`, {
        method: 'POST',
        body: JSON.stringify({ address: ALICE!.address, lovelace: 2_000_000 })
      }).catch(() => null)
      if (response === null) return
      const { utxos } = (await response.json().catch(() => ({ utxos: [] }))) as { utxos: UTxO[] }
      for (const { input } of utxos) told.funded.push(`${input.txHash}#${input.index}`)
    }
  })()
  await gone
}

/** All of an output to oneself: a transaction of another id each time. */
async function pay(socket: WebSocket, utxo: UTxO, lovelace: bigint): Promise<void> {
  const { cborHex } = buildPayment({
    utxos: [utxo],
    to: ALICE!.address,
    amount: lovelace,
    changeAddress: ALICE!.address
  })
  const transaction = { type: 'Witnessed Tx ConwayEra', description: '', cborHex: await wallet.signTx(cborHex) }
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ tag: 'NewTx', transaction }))
}

/** The whole history of the node. */
function historyOf({ url }: Listening): Promise<Message[]> {
  return new Promise((resolve, reject) => {
    const messages: Message[] = []
    const socket = new WebSocket(`${url}/?history=yes`)
    socket.on('error', reject)
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Message
      if (message.tag !== 'Greetings') return void messages.push(message)
      socket.terminate()
      resolve(messages)
    })
  })
}

describe('a local head node that is killed', () => {
  const program = new CliProgram()
  const folder = mkdtempSync(join(tmpdir(), 'devnode-kill-'))
  const runs: ProgramRun[] = []
  beforeAll(() => program.build())
  afterAll(async () => {
    for (const run of runs) run.kill('SIGKILL')
    await Promise.all(runs.map(({ exit }) => exit))
    program.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  it(
    `loses nothing that was confirmed, doubles nothing, and its seq goes on, ${scaled(200)} times`,
    async () => {
      const told = new Told()
      let state = 7
      const below = (limit: number): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return Math.floor((state / 2 ** 32) * limit)
      }
      const inHead = Array.from({ length: LANES }, (_, i) => `--in-head=${ALICE!.address}=${50_000_000 + i}`)
      const args = [
        'devnode',
        '--port',
        '0',
        '--json',
        '--accounts',
        '0',
        '--open',
        ...inHead,
        '--snapshot-interval',
        '2',
        '--state',
        join(folder, 'head.state')
      ]
      for (let trial = 0; trial <= scaled(200); trial++) {
        const run = program.launch(...args)
        runs.push(run)
        const listening = JSON.parse(
          await Promise.race([run.first, run.exit.then(() => Promise.reject(new Error(run.errors())))])
        ) as Listening
        await check(listening, told)
        const loading = load(listening, told)
        await new Promise((resolve) => setTimeout(resolve, 50 + below(400)))
        run.kill('SIGKILL')
        await Promise.all([run.exit, loading])
      }
      // The load was one: a kill in the middle of nothing would prove nothing.
      expect(told.confirmed.size).toBeGreaterThan(scaled(200))
      expect(told.funded.length).toBeGreaterThan(scaled(200))
    },
    scaled(200) * 30_000
  )
})

async function check(listening: Listening, told: Told): Promise<void> {
  // After 20,000 messages the log is rotated: what is older has been looked at before.
  const history = (await historyOf(listening)).filter(({ tag }) => tag !== 'EventLogRotated')
  const seqs = history.map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.map((_, i) => seqs[0]! + i))
  const snapshots = history.filter(({ tag }) => tag === 'SnapshotConfirmed')
  const found = new Map<string, number>()
  for (const { snapshot } of snapshots) {
    for (const { txId } of snapshot.confirmed) {
      expect(found.has(txId)).toBe(false)
      found.set(txId, snapshot.number)
    }
  }
  const first = snapshots[0]?.snapshot.number ?? 1
  expect(snapshots.map(({ snapshot }) => snapshot.number)).toEqual(snapshots.map((_, i) => first + i))
  for (const [txId, number] of told.confirmed)
    if (number >= first) expect([txId, found.get(txId)]).toEqual([txId, number])
  const numbers = new Map(snapshots.map(({ seq, snapshot }) => [seq, snapshot.number]))
  for (const [seq, number] of told.durable) if (number >= first) expect([seq, numbers.get(seq)]).toEqual([seq, number])
  // No money comes or goes: the lanes hold what they held.
  const lovelace = Object.values(snapshots.at(-1)?.snapshot.utxo ?? {}).map(({ value }) => value.lovelace)
  // The first one takes them in.
  if ((snapshots.at(-1)?.snapshot.number ?? 0) > 1)
    expect(lovelace.sort()).toEqual(Array.from({ length: LANES }, (_, i) => 50_000_000 + i))
  const refs = await baseRefs(listening)
  expect(new Set(refs).size).toBe(refs.length)
  const onBase = new Set(refs)
  expect(told.funded.filter((ref) => !onBase.has(ref))).toEqual([])
}

/** References of alice's outputs on the base ledger. */
async function baseRefs({ indexerUrl }: Listening): Promise<string[]> {
  const refs: string[] = []
  for (let page = 1; ; page++) {
    const response = await fetch(`${indexerUrl}/addresses/${ALICE!.address}/utxos?page=${page}`)
    const utxos = (await response.json()) as { tx_hash: string; output_index: number }[]
    refs.push(...utxos.map(({ tx_hash, output_index }) => `${tx_hash}#${output_index}`))
    if (utxos.length < 100) return refs
  }
}
