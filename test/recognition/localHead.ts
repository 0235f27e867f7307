import type { DevNodeOptions, DevNodeProfile, FundedKey } from '../../src/devnode'
import { DevNode, manualClock } from '../../src/devnode'
import { depositAddress } from '../../src/devnode/inner'
import { SLOT_CONFIG } from '../../src/constants'
import { IndexerProvider } from '../../src/providers'
import type { RecogniseHeadOptions, Recognition } from '../../src/recognition'
import { recogniseHead } from '../../src/recognition'
import type { UTxO } from '../../src/types/utxo'
import { newTx, request, submitDeposit, TestClient } from '../devnode/harness'
import { ada, buildTx, envelopeOf, lovelaceOf, pay, signTx } from '../devnode/transactions'

const ENDPOINT = 'http://head.test'

/** A head of the local node whose time stands still, and a wallet that reads it over the indexer and GET /snapshot. */
export class LocalHead {
  readonly node: DevNode
  readonly client: TestClient
  readonly alice: FundedKey
  readonly bob: FundedKey
  /** Id of the head, before and after its life too. */
  readonly headId: string
  deposited: UTxO | null = null
  depositTxId: string | null = null

  constructor(profile: DevNodeProfile, options: DevNodeOptions = {}) {
    const settings: DevNodeOptions = {
      profile,
      accumulator: 'real',
      testKeys: ['alice', 'bob', 'carol'],
      accounts: 0,
      ...options,
      timings: { blockMs: 2_000, depositPeriodMs: 600_000, contestationPeriodMs: 60_000, ...options.timings },
      clock: manualClock(1_788_000_000_000)
    }
    const twin = new DevNode({ ...settings, open: true })
    this.headId = twin.headId!
    void twin.stop()
    this.node = new DevNode(settings)
    this.client = new TestClient(this.node)
    const [alice, bob] = this.node.keys
    this.alice = alice
    this.bob = bob
  }

  provider(): RecogniseHeadOptions['provider'] {
    return new IndexerProvider({
      apiKey: 'preprod0123456789',
      network: 'preprod',
      baseUrl: 'http://127.0.0.1:1/api/v0',
      retry: { attempts: 1 },
      fetch: async (url, init) => {
        const { pathname, search } = new URL(url)
        const reply = await this.node.baseRequest({ method: init?.method ?? 'GET', path: pathname + search })
        return new Response(reply.body, { status: reply.status })
      }
    })
  }

  async recognise(more: Partial<RecogniseHeadOptions> = {}): Promise<Recognition> {
    return recogniseHead({
      headId: this.headId,
      provider: this.provider(),
      endpoints: [ENDPOINT],
      addresses: [this.alice.address],
      slotConfig: SLOT_CONFIG.PREPROD,
      depositAddress: depositAddress(0),
      fetchImpl: async () => {
        const reply = await this.node.request({ method: 'GET', path: '/snapshot', body: '' })
        return new Response(reply.body, { status: reply.status })
      },
      ...more
    })
  }

  advance(ms: number): Promise<unknown> {
    return this.node.advanceTime(ms)
  }

  async open(): Promise<void> {
    this.client.send({ tag: 'Init' })
    await this.advance(2_001)
  }

  async deposit(): Promise<void> {
    const [utxo] = this.node.baseUtxos(this.alice.address)
    this.deposited = utxo!
    this.depositTxId = await submitDeposit(this.node, this.alice, utxo!)
  }

  /** Pays in the head, from alice to bob. */
  async pay(lovelace: bigint): Promise<void> {
    const [own] = this.node.headUtxos(this.alice.address)
    this.client.send(newTx(pay(own!, this.alice, this.bob.address, lovelace)))
    await this.advance(100)
  }

  /** Withdraws from the head to alice's address on the base ledger. */
  async decommit(lovelace: bigint): Promise<void> {
    const [own] = this.node.headUtxos(this.alice.address)
    const split = buildTx({
      inputs: [own!.input],
      outputs: [ada(this.alice.address, lovelace), ada(this.alice.address, lovelaceOf(own!.output) - lovelace)]
    })
    const first = envelopeOf(signTx(split, this.alice))
    this.client.send(newTx(first))
    await this.advance(100)
    const out = buildTx({ inputs: [{ txHash: first.txId, index: 0 }], outputs: [ada(this.alice.address, lovelace)] })
    this.client.send({ tag: 'Decommit', decommitTx: envelopeOf(signTx(out, this.alice)) })
    await this.advance(100)
  }

  get status(): string {
    return this.node.headStatus
  }

  /** Lovelace of alice on the base ledger. */
  baseLovelace(): bigint {
    return this.node.baseUtxos(this.alice.address).reduce((sum, { output }) => sum + lovelaceOf(output), 0n)
  }

  async snapshot(): Promise<any> {
    return (await request(this.node, 'GET', '/snapshot')).body
  }
}

/** Lovelace that a recognition accounts for, on the base ledger and in the head, each once. */
export function lovelaceIn(found: Recognition, base: bigint): bigint {
  const of = (amounts: readonly { unit: string; quantity: string }[]): bigint =>
    BigInt(amounts.find(({ unit }) => unit === 'lovelace')?.quantity ?? 0)
  const { available = [], arriving = [], leaving = [] } = found.inHead ?? {}
  const pending = found.deposits.filter(({ inSnapshot }) => !inSnapshot)
  return base + of(available) + of(arriving) + of(leaving) + pending.reduce((sum, { amount }) => sum + of(amount), 0n)
}
