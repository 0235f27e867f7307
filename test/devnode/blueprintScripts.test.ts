import * as CSL from '@emurgo/cardano-serialization-lib-nodejs'
import { scalusEvaluator } from '../../src/adapters/scalus'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { COST_MODELS_PV11 } from '../../src/codec/costModelsPv11'
import { readTransaction } from '../../src/codec/transaction'
import { decodeTransactionBody } from '../../src/codec/transactionBody'
import { CborWriter } from '../../src/codec/cbor/writer'
import type { DevNodeOptions, DevNodeProfile, FundedKey, ScriptEvaluator } from '../../src/devnode'
import { blake2b224 } from '../../src/hash/blake2b'
import type { TxOutput, UTxO } from '../../src/types/utxo'
import type { Setup } from './harness'
import { openHead, request, setUp } from './harness'
import type { BlueprintParts, Language } from './scriptBlueprints'
import { DATUM, DATUM_HASH, indexOf, inputCbor, scriptBlueprint, set, statedJson, testScript } from './scriptBlueprints'
import { ada, buildTx, envelopeOf, lovelaceOf, signTx } from './transactions'

// POST /commit with a blueprint that spends script outputs: hydra-node Chain/Direct/Wallet.hs:263 (coverFee_) and
// hydra-tx Tx/Deposit.hs:24 (depositTx) at ca8d19bca.

const scalus = scalusEvaluator({ timeLimitMs: 50_000 })
const ALWAYS: Record<Language, ReturnType<typeof testScript>> = {
  PlutusV1: testScript('PlutusV1'),
  PlutusV2: testScript('PlutusV2'),
  PlutusV3: testScript('PlutusV3')
}
const ADA = 1_000_000n
const TAKEN = { status: 200, body: { tag: 'TransactionSubmitted' } }

interface Stage extends Setup {
  /** Outputs on the base ledger, as they were asked for. */
  readonly held: UTxO[]
}

/** A head, and outputs on the base ledger that one transaction of its first key has made. */
async function stage(outputs: readonly TxOutput[], options: DevNodeOptions = {}): Promise<Stage> {
  const initializes = options.profile === '1.3' || options.profile === '0.22'
  const setup = (initializes ? setUp : openHead)({ scriptEvaluator: scalus, evaluatorTimeoutMs: 60_000, ...options })
  if (initializes) {
    setup.client.send({ tag: 'Init' })
    setup.clock.advance(50)
  }
  const { node, alice } = setup
  const [from] = node.fund(alice.address, 2_000n * ADA)
  const fee = 400_000n
  const rest = lovelaceOf(from!.output) - fee - outputs.reduce((sum, output) => sum + lovelaceOf(output), 0n)
  const made = [...outputs, ada(alice.address, rest)]
  const tx = signTx(buildTx({ inputs: [from!.input], outputs: made, fee }), alice)
  expect(await node.submitBaseTx(bytesToHex(tx))).toEqual([])
  const { txId } = envelopeOf(tx)
  return { ...setup, held: outputs.map((output, index) => ({ input: { txHash: txId, index }, output })) }
}

const locked = (language: Language, more: Partial<TxOutput> = {}): TxOutput => ({
  ...ada(ALWAYS[language].address, 50n * ADA),
  ...more
})
const commit = async ({ node }: Setup, body: unknown): Promise<{ status: number; text: string; json: any }> => {
  const { status, body: text } = await node.request({ method: 'POST', path: '/commit', body: JSON.stringify(body) })
  return { status, text, json: text.startsWith('{') || text.startsWith('"') ? JSON.parse(text) : undefined }
}
const draftOf = async (
  setup: Setup,
  parts: BlueprintParts,
  utxo: readonly UTxO[],
  changeAddress: string | null = null
) => {
  const blueprintTx = envelopeOf(scriptBlueprint(parts))
  const reply = await commit(setup, { blueprintTx, utxo: statedJson(...utxo), changeAddress })
  expect(reply).toMatchObject({ status: 200 })
  return reply.json.cborHex as string
}
/** Submits a draft as the owners of its inputs sign it. */
const submit = ({ node }: Setup, draft: string, ...owners: readonly FundedKey[]) =>
  request(node, 'POST', '/cardano-transaction', envelopeOf(signTx(hexToBytes(draft), ...owners)))
const bodyOf = (draft: string): CSL.TransactionBody => CSL.Transaction.from_hex(draft).body()
const coinsOf = (draft: string): bigint[] =>
  decodeTransactionBody(readTransaction(hexToBytes(draft))).outputs.map(lovelaceOf)
const inputsOf = (draft: string): string[] => {
  const inputs = bodyOf(draft).inputs()
  return Array.from({ length: inputs.len() }, (_, i) => inputs.get(i)).map(
    (input) => `${input.transaction_id().to_hex()}#${input.index()}`
  )
}
const refOf = ({ input }: UTxO): string => `${input.txHash}#${input.index}`
/** Redeemers of a draft: what each points to, its data and its units. */
const redeemersOf = (draft: string) => {
  const redeemers = CSL.Transaction.from_hex(draft).witness_set().redeemers()!
  const inputs = inputsOf(draft)
  return Array.from({ length: redeemers.len() }, (_, i) => redeemers.get(i)).map((each) => {
    const index = Number(each.index().to_str())
    const kind = each.tag().kind()
    const units = [each.ex_units().mem().to_str(), each.ex_units().steps().to_str()].map(Number)
    return { target: kind === 0 ? inputs[index] : `${kind} ${index}`, data: each.data().to_hex(), units }
  })
}

describe.each<DevNodeProfile>(['0.22', '1.3', '2.0', '2.2', '2.3', '2.4', 'master'])(
  'a blueprint with script inputs at node %s',
  (profile) => {
    it('is drafted, and once its owner has signed the base ledger takes it and the head gets it', async () => {
      const setup = await stage([locked('PlutusV3'), locked('PlutusV2', { datumHash: DATUM_HASH })], { profile })
      const { held, node, clock, alice } = setup
      const [own] = node.baseUtxos(alice.address)
      const inputs = [...held, own!].map(({ input }) => input)
      const redeemers = held.map(({ input }) => ({ tag: 0, index: indexOf(inputs, input) }))
      const scripts = [ALWAYS.PlutusV3, ALWAYS.PlutusV2]
      const draft = await draftOf(setup, { inputs, redeemers, scripts, datums: [DATUM] }, [...held, own!])
      expect(await submit(setup, draft, alice)).toEqual(TAKEN)
      clock.advance(500)
      expect(node.headUtxos().map(refOf).sort()).toEqual([...held, own!].map(refOf).sort())
    }, 60_000)
  }
)

describe('the draft of a blueprint with script inputs', () => {
  it.each([false, true])(
    'keeps every redeemer with its input, whatever place the fuel takes (as a list: %s)',
    async (asList) => {
      const places = new Set<number>()
      for (let seed = 0; seed < 12; seed++) {
        const setup = await stage([locked('PlutusV3'), locked('PlutusV3'), locked('PlutusV3')], {
          seed: `fuel ${seed}`,
          scriptEvaluator: unitsOfAll
        })
        const { held, node, alice } = setup
        const [own] = node.baseUtxos(alice.address)
        const inputs = [...held, own!].map(({ input }) => input)
        const redeemers = held.map(({ input }, i) => ({
          tag: 0,
          index: indexOf(inputs, input),
          data: `d8798101`.replace('01', `0${i + 1}`)
        }))
        const utxo = [...held, own!]
        const draft = await draftOf(setup, { inputs, redeemers, scripts: [ALWAYS.PlutusV3], asList }, utxo)
        const found = redeemersOf(draft)
        expect(found.map(({ target, data }) => [target, data]).sort()).toEqual(
          held.map((utxo, i) => [refOf(utxo), redeemers[i]!.data]).sort()
        )
        const fuel = inputsOf(draft).findIndex((ref) => !utxo.map(refOf).includes(ref))
        places.add(fuel)
      }
      expect(places.size).toBeGreaterThan(2)
    }
  )

  it('states the units that the scripts take, and hashes them with the cost models of the base ledger', async () => {
    const setup = await stage(
      [
        locked('PlutusV1', { datumHash: DATUM_HASH }),
        locked('PlutusV2', { inlineDatum: 'd87980' }),
        locked('PlutusV3')
      ],
      { protocolParameters: { costModels: shortModels() } }
    )
    const { held } = setup
    const inputs = held.map(({ input }) => input)
    const redeemers = inputs.map((input) => ({ tag: 0, index: indexOf(inputs, input) }))
    // PlutusV1 sees no inline datums: the deposit's own output has one.
    const blueprintTx = envelopeOf(
      scriptBlueprint({ inputs, redeemers, scripts: Object.values(ALWAYS), datums: [DATUM] })
    )
    const refused = await commit(setup, { blueprintTx, utxo: statedJson(...held) })
    expect(refused.status).toBe(500)
    expect(refused.text).toMatch(/^ScriptFailedInWallet \{.*InlineDatumsNotSupported/)
    const rest = held.slice(1)
    const parts = {
      inputs: rest.map(({ input }) => input),
      redeemers: rest.map((_, index) => ({ tag: 0, index })),
      scripts: [ALWAYS.PlutusV2, ALWAYS.PlutusV3],
      datums: [DATUM]
    }
    const draft = await draftOf(setup, parts, rest)
    for (const { units } of redeemersOf(draft)) expect(Math.min(...units)).toBeGreaterThan(0)
    const models = CSL.Costmdls.new()
    for (const [language, name] of [
      [CSL.Language.new_plutus_v2(), 'PlutusV2'],
      [CSL.Language.new_plutus_v3(), 'PlutusV3']
    ] as const) {
      const model = CSL.CostModel.new()
      shortModels()[name]!.forEach((cost, i) => model.set(i, CSL.Int.from_str(String(cost))))
      models.insert(language, model)
    }
    const wits = CSL.Transaction.from_hex(draft).witness_set()
    const expected = CSL.hash_script_data(wits.redeemers()!, models, wits.plutus_data())
    expect(bodyOf(draft).script_data_hash()!.to_hex()).toBe(expected.to_hex())
  }, 60_000)

  it('puts the fuel up as collateral, replaces the interval and the fee, and keeps all else of the body', async () => {
    const setup = await stage([locked('PlutusV3')])
    const { held, node, alice, bob } = setup
    const [own] = node.baseUtxos(alice.address)
    const inputs = [...held, own!].map(({ input }) => input)
    const keyHash = blake2b224(hexToBytes(alice.vkey.slice(4)))
    const extra: [number, Uint8Array][] = [
      [3, new CborWriter().uint(99_999_999).toBytes()],
      [8, new CborWriter().uint(1).toBytes()],
      [11, new CborWriter().bytes(new Uint8Array(32)).toBytes()],
      [13, set(inputCbor(own!.input))],
      [14, set(new CborWriter().bytes(keyHash).toBytes())],
      [15, new CborWriter().uint(0).toBytes()]
    ]
    const redeemers = [{ tag: 0, index: indexOf(inputs, held[0]!.input) }]
    const parts = { inputs, redeemers, scripts: [ALWAYS.PlutusV3], extra, outputs: [ada(bob.address, 20n * ADA)] }
    const draft = await draftOf(setup, parts, [...held, own!], alice.address)
    const body = bodyOf(draft)
    const fuel = inputsOf(draft).filter((ref) => ![...held, own!].map(refOf).includes(ref))
    const collateral = body.collateral()!
    expect([collateral.len(), `${collateral.get(0).transaction_id().to_hex()}#${collateral.get(0).index()}`]).toEqual([
      1,
      fuel[0]
    ])
    expect(body.validity_start_interval_bignum()).toBeUndefined()
    expect(Number(body.ttl_bignum()!.to_str())).toBeLessThan(99_999_999)
    expect(bytesToHex(body.required_signers()!.get(0).to_bytes())).toBe(bytesToHex(keyHash))
    expect(body.network_id()!.kind()).toBe(0)
    expect(body.script_data_hash()!.to_hex()).not.toBe('00'.repeat(32))
    // The deposit, the user's change, the node's change.
    const coins = coinsOf(draft)
    const spent = 50n * ADA + lovelaceOf(own!.output)
    expect(coins.slice(0, 2)).toEqual([20n * ADA, spent - 20n * ADA])
    expect(coins[2]).toBe(1_000n * ADA - BigInt(body.fee().to_str()))
    expect(await submit(setup, draft, alice)).toEqual(TAKEN)
  }, 60_000)

  it("returns the balance after the blueprint's own fee, and raises change to what an output has to hold", async () => {
    const setup = await stage([locked('PlutusV3')])
    const { held, alice, bob } = setup
    const change = async (lovelace: bigint, fee: bigint): Promise<bigint[]> => {
      const parts = {
        inputs: [held[0]!.input],
        redeemers: [{ tag: 0, index: 0 }],
        scripts: [ALWAYS.PlutusV3],
        outputs: [ada(bob.address, lovelace)],
        fee
      }
      const draft = await draftOf(setup, parts, held, alice.address)
      return coinsOf(draft).slice(0, 2)
    }
    expect(await change(30n * ADA, 2n * ADA)).toEqual([30n * ADA, 18n * ADA])
    const [deposited, raised] = await change(50n * ADA, 0n)
    expect(deposited).toBe(50n * ADA)
    expect(raised).toBeGreaterThan(500_000n)
    expect(raised).toBeLessThan(2n * ADA)
  }, 60_000)

  it('mints what the blueprint mints, into the deposit', async () => {
    const setup = await stage([locked('PlutusV3')])
    const { held, alice, bob, node, clock } = setup
    const unit = `${ALWAYS.PlutusV3.hash}746f6b656e`
    const mint = new CborWriter().map(1).bytes(hexToBytes(ALWAYS.PlutusV3.hash)).map(1).bytes(hexToBytes('746f6b656e'))
    const output = { address: bob.address, amount: [...ada(bob.address, 20n * ADA).amount, { unit, quantity: '7' }] }
    const parts: BlueprintParts = {
      inputs: [held[0]!.input],
      redeemers: [
        { tag: 0, index: 0 },
        { tag: 1, index: 0, data: '182a' }
      ],
      scripts: [ALWAYS.PlutusV3],
      outputs: [output],
      extra: [[9, mint.uint(7).toBytes()]]
    }
    const draft = await draftOf(setup, parts, held, alice.address)
    expect(redeemersOf(draft)).toContainEqual({ target: '1 0', data: '182a', units: expect.anything() })
    expect(await submit(setup, draft)).toEqual(TAKEN)
    clock.advance(500)
    expect(node.headUtxos().map((utxo) => utxo.output.amount)).toEqual([output.amount])
  }, 60_000)

  it('runs a script of a reference input that the request states, and deposits its output too where it makes none', async () => {
    const carrier = { ...ada(testScript('PlutusV3').address, 30n * ADA), scriptRef: ALWAYS.PlutusV3.ref }
    const setup = await stage([locked('PlutusV3'), carrier])
    const { held, alice, bob } = setup
    const [script, reference] = held as [UTxO, UTxO]
    const parts: BlueprintParts = {
      inputs: [script.input],
      referenceInputs: [reference.input],
      redeemers: [{ tag: 0, index: 0 }],
      outputs: [ada(bob.address, 20n * ADA)]
    }
    const draft = await draftOf(setup, parts, held, alice.address)
    expect(bodyOf(draft).script_data_hash()).toBeDefined()
    expect(await submit(setup, draft)).toEqual(TAKEN)
    // Deposit.hs: without outputs the whole of what is stated; the fuel pays for what is not spent.
    const whole = await draftOf(setup, { ...parts, outputs: [] }, held)
    const coins = coinsOf(whole)
    expect(coins).toEqual([80n * ADA, 970n * ADA - BigInt(bodyOf(whole).fee().to_str())])
  }, 60_000)
})

describe('a blueprint whose scripts cannot be settled', () => {
  const refusal = async (
    options: DevNodeOptions,
    change: (parts: BlueprintParts, own: UTxO) => BlueprintParts = (parts) => parts,
    script = ALWAYS.PlutusV3
  ): Promise<{ status: number; text: string; json: any }> => {
    const setup = await stage([ada(script.address, 50n * ADA)], options)
    const { held } = setup
    const parts = { inputs: [held[0]!.input], redeemers: [{ tag: 0, index: 0 }], scripts: [script] }
    const [own] = setup.node.baseUtxos(setup.alice.address)
    const blueprintTx = envelopeOf(scriptBlueprint(change(parts, own!)))
    return commit(setup, { blueprintTx, utxo: statedJson(...held, own!) })
  }
  const shown = (pointer: string, reason: string): RegExp =>
    new RegExp(
      `^ScriptFailedInWallet \\{redeemerPtr = "${pointer}", failureReason = "${reason}.*failingTx = [0-9a-f]{64}\\}$`
    )
  const SPENDING = 'ConwaySpending \\(AsIx \\{unAsIx = \\d\\}\\)'

  it('is refused with the reason when the node has no script evaluator', async () => {
    expect(await refusal({ scriptEvaluator: undefined as never })).toMatchObject({
      status: 400,
      json: { tag: 'FailedToConstructDepositTx', failureReason: expect.stringContaining('scriptEvaluator') }
    })
  })

  // Server.hs:139: what the wallet throws comes as the exception's text.
  it('is refused in the words of the wallet when a script fails', async () => {
    const failed = await refusal({}, undefined, testScript('PlutusV3', 'fails'))
    expect(failed.status).toBe(500)
    expect(failed.text).toMatch(shown(SPENDING, 'ValidationFailure'))
  }, 60_000)

  it.each<[string, (parts: BlueprintParts, own: UTxO) => BlueprintParts, string, string]>([
    ['a script is missing', (parts) => ({ ...parts, scripts: [] }), SPENDING, 'Missing script witness for'],
    [
      'a redeemer points to nothing',
      (parts) => ({ ...parts, redeemers: [...parts.redeemers, { tag: 1, index: 0 }] }),
      SPENDING,
      'ContextError .*RedeemerPointerPointsToNothing'
    ],
    [
      'a redeemer points to the input of a key',
      (parts, own) => {
        const inputs = [...parts.inputs, own.input]
        return { ...parts, inputs, redeemers: [0, 1].map((index) => ({ tag: 0, index })) }
      },
      SPENDING,
      'RedeemerPointsToUnknownScriptHash'
    ],
    [
      'a reference input is not stated',
      (parts) => ({ ...parts, referenceInputs: [{ txHash: 'ab'.repeat(32), index: 0 }] }),
      SPENDING,
      'ContextError .*TranslationLogicMissingInput'
    ]
  ])('is refused in the words of the wallet when %s', async (_, change, pointer, reason) => {
    const refused = await refusal({}, change)
    expect(refused.status).toBe(500)
    expect(refused.text).toMatch(shown(pointer, reason))
  })

  it.each<[string, ScriptEvaluator, string]>([
    ['fails itself', async () => Promise.reject(new Error('out of memory')), 'out of memory'],
    [
      'answers about another redeemer',
      async () => [{ tag: 'mint', index: 0, mem: 1n, cpu: 1n }],
      'got those of mint#0'
    ],
    ['never answers', () => new Promise(() => {}), 'did not answer within 50 ms']
  ])('is refused with the reason when the evaluator %s, and the node works on', async (_, evaluator, reason) => {
    expect(await refusal({ scriptEvaluator: evaluator, evaluatorTimeoutMs: 50 })).toMatchObject({
      status: 400,
      json: { failureReason: expect.stringContaining(reason) }
    })
  })

  it('gives back the fuel: more refusals than the node has fuel leave it drafting', async () => {
    const setup = await stage([locked('PlutusV3')], { scriptEvaluator: async () => Promise.reject(new Error('no')) })
    const blueprintTx = envelopeOf(
      scriptBlueprint({ inputs: [setup.held[0]!.input], redeemers: [{ tag: 0, index: 0 }], scripts: [ALWAYS.PlutusV3] })
    )
    const body = { blueprintTx, utxo: statedJson(...setup.held) }
    const plain = { utxoToCommit: statedJson(setup.node.baseUtxos(setup.alice.address)[0]!) }
    const first = await commit(setup, plain)
    for (let i = 0; i < 40; i++) expect((await commit(setup, body)).status).toBe(400)
    expect((await commit(setup, plain)).status).toBe(200)
    // No refusal has made the node forget a draft.
    const signed = envelopeOf(signTx(hexToBytes(first.json.cborHex), setup.alice))
    expect(await request(setup.node, 'POST', '/cardano-transaction', signed)).toEqual(TAKEN)
    setup.clock.advance(500)
    expect(setup.client.all('CommitFinalized')).toHaveLength(1)
  })

  it('claims one fuel for each of two drafts whose scripts run at the same time', async () => {
    const setup = await stage([locked('PlutusV3'), locked('PlutusV3')], { scriptEvaluator: unitsOfAll })
    const drafts = await Promise.all(
      setup.held.map((utxo) =>
        draftOf(setup, { inputs: [utxo.input], redeemers: [{ tag: 0, index: 0 }], scripts: [ALWAYS.PlutusV3] }, [utxo])
      )
    )
    for (const draft of drafts) expect(await submit(setup, draft)).toEqual(TAKEN)
    setup.clock.advance(5000)
    expect(setup.node.headUtxos()).toHaveLength(2)
  })
})

/** Gives each redeemer of a transaction the same units. */
const unitsOfAll: ScriptEvaluator = async ({ tx }) => {
  const redeemers = CSL.Transaction.from_bytes(tx).witness_set().redeemers()!
  return Array.from({ length: redeemers.len() }, (_, i) => redeemers.get(i)).map((each) => ({
    tag: ['spend', 'mint'][each.tag().kind()]!,
    index: Number(each.index().to_str()),
    mem: 500n,
    cpu: 64_100n
  }))
}

/** Cost models of a network before protocol version 11: PlutusV3 has 251 entries. */
function shortModels(): Record<string, number[]> {
  const { PlutusV1, PlutusV2, PlutusV3 } = COST_MODELS_PV11
  return { PlutusV1: [...PlutusV1], PlutusV2: [...PlutusV2], PlutusV3: PlutusV3.slice(0, 251) }
}
