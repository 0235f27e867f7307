import * as CSL from '@emurgo/cardano-serialization-lib-nodejs'
import { addressToString, enterpriseAddress } from '../../../src/codec/address'
import { CborWriter } from '../../../src/codec/cbor/writer'
import { bytesToHex, hexToBytes } from '../../../src/codec/hex'
import { nativeScriptHash } from '../../../src/codec/nativeScript'
import type { DevNodeProfile, FundedKey } from '../../../src/devnode'
import { blake2b224 } from '../../../src/hash/blake2b'
import type { UTxO } from '../../../src/types/utxo'
import type { Setup } from '../harness'
import { request, setUp, utxoJson } from '../harness'
import { ada, buildTx, envelopeOf, signTx } from '../transactions'

// File and line: cardano-scaling/hydra ca8d19bca, below hydra-node/src/Hydra/ unless a package is named.
const PROFILES: DevNodeProfile[] = ['0.22', '1.3', '2.0', '2.2', '2.3', '2.4', 'master']
const initializes = (profile: DevNodeProfile): boolean => profile === '0.22' || profile === '1.3'

/** A node that drafts: its head is open, or before 2.0 initializing. */
function drafting(profile: DevNodeProfile): Setup {
  const setup = setUp({ profile })
  setup.client.send({ tag: 'Init' })
  setup.clock.advance(50)
  return setup
}

async function draftOf({ node }: Setup, body: unknown): Promise<string> {
  const reply = await request(node, 'POST', '/commit', body)
  expect(reply).toMatchObject({ status: 200 })
  return reply.body.cborHex as string
}

/** Submits a draft to the base ledger as its user signs it; resolves with the node's answer. */
const submit = ({ node }: Setup, cborHex: string, ...keys: FundedKey[]) =>
  request(node, 'POST', '/cardano-transaction', envelopeOf(signTx(hexToBytes(cborHex), ...keys)))

const TAKEN = { status: 200, body: { tag: 'TransactionSubmitted' } }
const keyHashOf = ({ vkey }: FundedKey): string => bytesToHex(blake2b224(hexToBytes(vkey.slice(4))))

// Chain/Direct/Wallet.hs:263, coverFee_: script keys, required signers and the witness map count.
describe.each(PROFILES)('a draft of node %s, once signed, is taken by the base ledger', (profile) => {
  it('with one key, or with two', async () => {
    const setup = drafting(profile)
    const [alice, bob] = setup.node.keys
    const utxos = [setup.node.baseUtxos(alice.address)[0]!, setup.node.baseUtxos(bob.address)[0]!]
    expect(await submit(setup, await draftOf(setup, utxoJson(utxos[0]!)), alice)).toEqual(TAKEN)
    const other = drafting(profile)
    expect(await submit(other, await draftOf(other, utxoJson(...utxos)), alice, bob)).toEqual(TAKEN)
  })

  it('with a native script of three keys, all of which sign', async () => {
    const setup = drafting(profile)
    const { node } = setup
    const keys = node.keys as [FundedKey, FundedKey, FundedKey]
    const script = `8303038${keys.length}${keys.map((key) => `8200581c${keyHashOf(key)}`).join('')}`
    const address = addressToString(
      enterpriseAddress(0, { kind: 'script', hash: nativeScriptHash(hexToBytes(script)) })
    )
    const [held] = node.fund(address, 50_000_000n)
    const witnesses: [number, Uint8Array][] = [[1, hexToBytes(`d9010281${script}`)]]
    const blueprintTx = envelopeOf(buildTx({ inputs: [held!.input], outputs: [], witnesses }))
    const draft = await draftOf(setup, { blueprintTx, utxo: utxoJson(held!), changeAddress: null })
    expect(await submit(setup, draft, ...keys)).toEqual(TAKEN)
  })

  it('with a signer that only the blueprint demands', async () => {
    const setup = drafting(profile)
    const [alice, bob, carol] = setup.node.keys as [FundedKey, FundedKey, FundedKey]
    const [held] = setup.node.baseUtxos(alice.address)
    const signers = new CborWriter()
      .tag(258)
      .array(2)
      .bytes(hexToBytes(keyHashOf(bob)))
      .bytes(hexToBytes(keyHashOf(carol)))
      .toBytes()
    const blueprintTx = envelopeOf(buildTx({ inputs: [held!.input], outputs: [], extra: [[14, signers]] }))
    const draft = await draftOf(setup, { blueprintTx, utxo: utxoJson(held!) })
    expect(await submit(setup, draft, alice, bob, carol)).toEqual(TAKEN)
  })

  it("keeping the blueprint's metadata beside the node's own name of it", async () => {
    const setup = drafting(profile)
    const [alice] = setup.node.keys
    const [held] = setup.node.baseUtxos(alice.address)
    const auxiliaryData = hexToBytes('a11902a2a1636d7367816568656c6c6f')
    const hash = CSL.hash_auxiliary_data(CSL.AuxiliaryData.from_bytes(auxiliaryData)).to_hex()
    const blueprintTx = envelopeOf(
      buildTx({ inputs: [held!.input], outputs: [], auxiliaryData, extra: [[7, hexToBytes(`5820${hash}`)]] })
    )
    const draft = await draftOf(setup, { blueprintTx, utxo: utxoJson(held!) })
    const metadata = CSL.Transaction.from_hex(draft).auxiliary_data()!.metadata()!
    const [label, name] = initializes(profile) ? ['HydraV1', 'CommitTx'] : ['HydraV2', 'DepositTx']
    expect(metadata.get(CSL.BigNum.from_str('55555'))!.as_text()).toBe(`${label}/${name}`)
    expect(metadata.get(CSL.BigNum.from_str('674'))!.to_hex()).toBe('a1636d7367816568656c6c6f')
    expect(await submit(setup, draft, alice)).toEqual(TAKEN)
  })
})

describe.each<DevNodeProfile>(['0.22', '1.3'])('an empty commit on node %s', (profile) => {
  it('opens the head: its draft needs no other signature', async () => {
    const setup = drafting(profile)
    expect(await submit(setup, await draftOf(setup, {}))).toEqual(TAKEN)
    setup.clock.advance(500)
    expect(setup.node.headStatus).toBe('Open')
  })
})

// Chain/Direct/Handlers.hs:281 and hydra-tx Tx/Deposit.hs:77.
describe('the interval of a deposit', () => {
  const ttlOf = (cborHex: string): number => Number(CSL.Transaction.from_hex(cborHex).body().ttl_bignum()!.to_str())

  it.each([
    [3_600_000, 200],
    [100_000, 150],
    [4_000, 10],
    [1_000, 10]
  ])(
    'ends half way to the deadline, after 10 to 200 slots, and has no start (period %i ms: %i slots)',
    async (depositPeriodMs, slots) => {
      const { node, client, clock, alice } = setUp({ profile: '2.3', timings: { depositPeriodMs } })
      client.send({ tag: 'Init' })
      clock.advance(50)
      const [held] = node.baseUtxos(alice.address)
      const interval: [number, Uint8Array][] = [
        [3, new CborWriter().uint(99_999_999_999).toBytes()],
        [8, new CborWriter().uint(1).toBytes()]
      ]
      const blueprintTx = envelopeOf(buildTx({ inputs: [held!.input], outputs: [], extra: interval }))
      const { body } = await request(node, 'POST', '/commit', { blueprintTx, utxo: utxoJson(held!) })
      expect(ttlOf(body.cborHex)).toBe(node.slot + slots)
      expect(CSL.Transaction.from_hex(body.cborHex).body().validity_start_interval_bignum()).toBeUndefined()
    }
  )

  it.each<[number, object]>([
    [199_000, TAKEN],
    [200_000, { status: 400, body: { failureReason: expect.stringContaining('OutsideValidityIntervalUTxO') } }]
  ])('holds to the slot: a draft that is submitted after %i ms', async (ms, answer) => {
    const setup = drafting('2.3')
    const [held] = setup.node.baseUtxos(setup.alice.address)
    const draft = await draftOf(setup, utxoJson(held!))
    setup.clock.advance(ms)
    expect(await submit(setup, draft, setup.alice)).toMatchObject(answer)
  })
})

describe("the datum of a deposit's output", () => {
  // hydra-tx Tx/Deposit.hs:97 and hydra-plutus Contract/Deposit.hs:36, Contract/Commit.hs:22: (head id, deadline,
  // [Commit]).
  it('names the head, the deadline and each output that is deposited, with the output as Plutus data in bytes', async () => {
    const { node, client, clock, alice } = setUp({ profile: '2.3', timings: { depositPeriodMs: 1_000_000 } })
    client.send({ tag: 'Init' })
    clock.advance(50)
    const held = node.baseUtxos(alice.address)[0]!
    const { body } = await request(node, 'POST', '/commit', utxoJson(held))
    const outputs = CSL.Transaction.from_hex(body.cborHex).body().outputs()
    const datum = outputs.get(0).plutus_data()!.as_constr_plutus_data() ?? null
    const fields = (datum === null ? outputs.get(0).plutus_data()!.as_list()! : datum.data())!
    expect(fields.len()).toBe(3)
    expect(bytesToHex(fields.get(0).as_bytes()!)).toBe(node.headId)
    expect(fields.get(1).as_integer()!.to_str()).toBe(String(clock.now() + 3_000_000))
    const commit = fields.get(2).as_list()!.get(0).as_constr_plutus_data()!
    expect([fields.get(2).as_list()!.len(), commit.alternative().to_str(), commit.data().len()]).toEqual([1, '0', 2])
    const reference = commit.data().get(0).as_constr_plutus_data()!
    expect([bytesToHex(reference.data().get(0).as_bytes()!), reference.data().get(1).as_integer()!.to_str()]).toEqual([
      held.input.txHash,
      String(held.input.index)
    ])
    const output = CSL.PlutusData.from_bytes(commit.data().get(1).as_bytes()!).as_constr_plutus_data()!
    expect([output.alternative().to_str(), output.data().len()]).toEqual(['0', 4])
    expect(output.data().get(1).to_hex()).toContain(BigInt(held.output.amount[0]!.quantity).toString(16))
  })
})

// Chain/Direct/Handlers.hs:271, rejectLowDeposits over the outputs as stated.
describe('DepositTooLow', () => {
  it('is decided by the outputs as stated, before anything is looked up', async () => {
    const { node, alice } = drafting('2.3')
    const nowhere: UTxO = { input: { txHash: 'ff'.repeat(32), index: 0 }, output: ada(alice.address, 0n) }
    const [held] = node.baseUtxos(alice.address)
    for (const input of [nowhere.input, held!.input]) {
      const stated = { [`${input.txHash}#${input.index}`]: { address: alice.address, value: { lovelace: 0 } } }
      expect(await request(node, 'POST', '/commit', stated)).toMatchObject({
        status: 400,
        body: { tag: 'DepositTooLow', providedValue: 0 }
      })
    }
  })

  it.each(['0.22', '1.3'] as const)(
    'is unknown to what opens a head of profile %s: the base ledger refuses it',
    async (profile) => {
      // 1.3.0 Chain/Direct/Handlers.hs:184, draftCommitTx; 0.22.4 has no such check at all.
      const setup = drafting(profile)
      const [held] = setup.node.fund(setup.alice.address, 500_000n)
      const reply = await submit(setup, await draftOf(setup, utxoJson(held!)), setup.alice)
      expect(reply).toMatchObject({
        status: 400,
        body: { failureReason: expect.stringContaining('BabbageOutputTooSmallUTxO') }
      })
    }
  )

  it("measures by the head's own parameters", async () => {
    const { node, client, clock, alice } = setUp({ protocolParameters: { utxoCostPerByte: 43_100 } })
    client.send({ tag: 'Init' })
    clock.advance(50)
    const [held] = node.fund(alice.address, 5_000_000n)
    expect(await request(node, 'POST', '/commit', utxoJson(held!))).toMatchObject({
      status: 400,
      body: { tag: 'DepositTooLow', providedValue: 5_000_000 }
    })
  })
})

// Chain/Direct/Handlers.hs:325, rejectOversizedDeposit.
describe("a deposit that the head's output could never take in", () => {
  const assets = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      unit: `${'ab'.repeat(28)}${(from + i).toString(16).padStart(64, '0')}`,
      quantity: '1'
    }))
  /** Two outputs of 90 assets each: each fits an output, both together fit none. */
  const hold = ({ node, alice }: Setup): UTxO[] =>
    node.fund(
      alice.address,
      ...[0, 90].map((from) => [{ unit: 'lovelace', quantity: '100000000' }, ...assets(from, 90)])
    )

  it('is refused with DepositTooLarge on master, by what it holds together and by what the head holds already', async () => {
    const together = drafting('master')
    const body = {
      tag: 'DepositTooLarge',
      maximumTxSize: 16_384,
      maximumValueSize: 5_000,
      estimatedValueSize: expect.any(Number),
      estimatedTxSize: expect.any(Number)
    }
    const reply = await request(together.node, 'POST', '/commit', utxoJson(...hold(together)))
    expect(reply).toEqual({ status: 400, body })
    expect(reply.body.estimatedValueSize).toBeGreaterThan(5_000)
    const inTurn = drafting('master')
    const [first, second] = hold(inTurn)
    expect(await submit(inTurn, await draftOf(inTurn, utxoJson(first!)), inTurn.alice)).toEqual(TAKEN)
    inTurn.clock.advance(500)
    expect(inTurn.node.headUtxos()).toHaveLength(1)
    expect(await request(inTurn.node, 'POST', '/commit', utxoJson(second!))).toEqual({ status: 400, body })
  })

  it('is drafted by older nodes, and refused by the base ledger', async () => {
    const setup = drafting('2.3')
    const draft = await draftOf(setup, utxoJson(...hold(setup)))
    expect(await submit(setup, draft, setup.alice)).toMatchObject({
      status: 400,
      body: { failureReason: expect.stringContaining('OutputTooBigUTxO') }
    })
  })
})
