import { bytesToHex } from '../../../src/codec/hex'
import type { DevNodeOptions, ScriptEvaluationRequest, ScriptEvaluator } from '../../../src/devnode'
import { DevNode } from '../../../src/devnode'
import type { UTxO } from '../../../src/types/utxo'
import type { Setup } from '../harness'
import { deposit, newTx, openHead, request, setUp, submitDeposit } from '../harness'
import type { SpendOptions } from '../scriptTxs'
import { ALWAYS_V3_ADDRESS, spendFromScript } from '../scriptTxs'
import { envelopeOf, pay } from '../transactions'

const UNITS = [{ tag: 'spend', index: 0, mem: 500n, cpu: 64_100n }]
const passes: ScriptEvaluator = async () => UNITS
const fails: ScriptEvaluator = async () =>
  Promise.reject({ redeemer: { tag: 'spend', index: 0 }, message: 'Error evaluated', logs: ['not "yet"'] })
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const modelOf = ({ node }: Setup): number[] =>
  (node.protocolParameters['costModels'] as Record<string, number[]>)['PlutusV3']!

/** A base ledger with an output of the script, and a spend of it. */
function onBase(
  options: DevNodeOptions
): Setup & { locked: UTxO; collateral: UTxO; spend(more?: SpendOptions): Uint8Array } {
  const setup = setUp(options)
  const [locked] = setup.node.fund(ALWAYS_V3_ADDRESS, 50_000_000n)
  const [collateral] = setup.node.fund(setup.alice.address, 5_000_000n)
  const spend = (more: SpendOptions = {}): Uint8Array =>
    spendFromScript(locked!, collateral!, setup.alice, modelOf(setup), { fee: 300_000n, ...more })
  return { ...setup, locked: locked!, collateral: collateral!, spend }
}
const submit = ({ node }: Setup, tx: Uint8Array): Promise<readonly string[]> => node.submitBaseTx(bytesToHex(tx))

/** An open head with an output of the script in it. */
async function inHead(
  options: DevNodeOptions
): Promise<Setup & { locked: UTxO; collateral: UTxO; spend(more?: SpendOptions): Uint8Array }> {
  const setup = openHead(options)
  const model = modelOf(setup)
  const coins = await deposit(setup, setup.alice)
  const funded = pay(coins, setup.alice, ALWAYS_V3_ADDRESS, 50_000_000n)
  setup.client.send(newTx(funded))
  const [locked] = setup.node.headUtxos(ALWAYS_V3_ADDRESS)
  const [collateral] = setup.node.headUtxos(setup.alice.address)
  setup.clock.advance(100)
  setup.client.take()
  return {
    ...setup,
    locked: locked!,
    collateral: collateral!,
    spend: (more = {}) => spendFromScript(locked!, collateral!, setup.alice, model, more)
  }
}

describe('an evaluator that misbehaves', () => {
  const hostile = new Proxy(
    {},
    {
      get() {
        throw new Error('never look at me')
      }
    }
  )
  const cases: [string, unknown, string][] = [
    [
      'throws at once',
      () => {
        throw new TypeError('boom')
      },
      'boom'
    ],
    ['rejects with an error of its own', async () => Promise.reject(new Error('out of memory')), 'out of memory'],
    ['rejects with nothing', async () => Promise.reject(undefined), 'it rejected with undefined'],
    ['rejects with a text', async () => Promise.reject('no'), 'it rejected with'],
    ['rejects with what throws at a look', async () => Promise.reject(hostile), 'cannot be read'],
    ['answers at once, with nothing', () => undefined, 'expected an array'],
    ['answers no array', async () => 'yes', 'expected an array'],
    ['answers what throws at a look', async () => [hostile], 'cannot be read'],
    ['answers nothing about the redeemer', async () => [], 'expected units of spend#0, got those of none'],
    [
      'answers about another redeemer',
      async () => [{ tag: 'mint', index: 0, mem: 1n, cpu: 1n }],
      'expected units of spend#0, got those of mint#0'
    ],
    ['answers twice about it', async () => [...UNITS, ...UNITS], 'once for each redeemer'],
    ['answers an unknown tag', async () => [{ ...UNITS[0], tag: 'Spend' }], 'once for each redeemer'],
    ['answers negative units', async () => [{ ...UNITS[0], mem: -1n }], 'once for each redeemer'],
    ['answers units that are no numbers', async () => [{ ...UNITS[0], cpu: Number.NaN }], 'once for each redeemer'],
    ['answers an index that is none', async () => [{ ...UNITS[0], index: 0.5 }], 'once for each redeemer'],
    ['never answers', () => new Promise(() => {}), 'it did not answer within 50 ms (evaluatorTimeoutMs)']
  ]
  it.each(cases)('is told apart from a failing script when it %s', async (_, evaluator, words) => {
    const setup = onBase({ scriptEvaluator: evaluator as ScriptEvaluator, evaluatorTimeoutMs: 50 })
    for (const isValid of [true, false]) {
      const [reason, ...others] = await submit(setup, setup.spend({ isValid }))
      expect(reason).toMatch(/^DevNodeEvaluatorFailure "/)
      expect(reason).toContain(words)
      expect(others).toEqual([])
    }
    expect(setup.node.baseUtxos(ALWAYS_V3_ADDRESS)).toEqual([setup.locked])
    await setup.node.stop()
  })

  it('cannot change what the node holds', async () => {
    const setup = onBase({
      scriptEvaluator: async (request: ScriptEvaluationRequest) => {
        request.tx.fill(0)
        for (const [input, output] of request.resolved) [input, output].forEach((bytes) => bytes.fill(0))
        expect(() => (request.costModels.PlutusV3 as number[]).push(1)).toThrow(TypeError)
        return UNITS
      }
    })
    expect(await submit(setup, setup.spend())).toEqual([])
    expect(setup.node.baseUtxos(ALWAYS_V3_ADDRESS)).toHaveLength(1)
  })

  it('ends no head: the next transaction gets its verdict', async () => {
    const setup = await inHead({
      scriptEvaluator: () => {
        throw new Error('boom')
      },
      timings: { invalidRetries: 0 }
    })
    setup.client.send(newTx(envelopeOf(setup.spend())))
    await turn()
    expect(setup.client.last('TxInvalid')['validationError']['reason']).toBe('DevNodeEvaluatorFailure "boom"')
    setup.client.send(newTx(pay(setup.collateral, setup.alice, setup.bob.address, 1_000_000n)))
    expect(setup.client.all('TxValid')).toHaveLength(1)
  })

  it('holds no stopped node', async () => {
    const setup = onBase({ scriptEvaluator: () => new Promise(() => {}) })
    const verdict = submit(setup, setup.spend())
    await turn()
    await setup.node.stop()
    expect(await verdict).toEqual(['DevNodeEvaluatorFailure "the node was stopped"'])
  })

  it.each([
    ['scriptEvaluator', {}],
    ['scriptEvaluator', 'scalus'],
    ['evaluatorTimeoutMs', 0],
    ['evaluatorTimeoutMs', 'soon']
  ])('is no option %s of %p', (name, value) => {
    expect(() => new DevNode({ [name]: value })).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })
})

describe('scripts on the base ledger', () => {
  it('are asked for with everything that they see', async () => {
    let asked: ScriptEvaluationRequest | undefined
    const setup = onBase({ scriptEvaluator: async (request) => ((asked = request), UNITS) })
    const tx = setup.spend()
    expect(await submit(setup, tx)).toEqual([])
    expect(bytesToHex(asked!.tx)).toBe(bytesToHex(tx))
    expect(asked!.resolved.map(([input]) => bytesToHex(input))).toEqual(
      [setup.locked, setup.collateral].map(({ input }) => `825820${input.txHash}0${input.index}`)
    )
    expect(asked).toMatchObject({
      protocolVersion: 11,
      slot: { zeroTimeMs: 1_655_683_200_000, zeroSlot: 0, slotLengthMs: 1000 },
      maxExUnits: { mem: 14_000_000n }
    })
    expect(asked!.costModels.PlutusV3).toHaveLength(297)
  })

  it('make a transaction valid that they let pass', async () => {
    const setup = onBase({ scriptEvaluator: passes })
    expect(await submit(setup, setup.spend())).toEqual([])
    expect(setup.node.baseUtxos(ALWAYS_V3_ADDRESS)[0]!.output.amount[0]!.quantity).toBe('49700000')
    expect(setup.node.baseUtxos(setup.alice.address)).toContainEqual(setup.collateral)
  })

  // babbage Rules/Utxos.hs:149 in the words of hydra-node Ledger/Cardano.hs:142.
  it('refuse one that they let fail', async () => {
    const setup = onBase({ scriptEvaluator: fails })
    const [reason] = await submit(setup, setup.spend())
    expect(reason).toMatch(
      /^Plutus validation failed: \nThe PlutusV3 script failed:\nBase64-encoded script bytes:\n"RQEBACSZ"\nThe script hash is:ScriptHash "186e32faa80a26810392fda6d559c7ed4721a65ce1c9d4ef3e1c87b4"\n/
    )
    expect(reason).toContain(
      'The plutus evaluation error is: Error evaluated\nThe protocol version is: Version 11\nDebug info: DebugFailure ["not \\"yet\\""] (Error evaluated)'
    )
  })

  it('stop where the declared units end', async () => {
    const setup = onBase({ scriptEvaluator: passes })
    for (const units of [{ mem: 499 }, { cpu: 64_099 }])
      expect((await submit(setup, setup.spend(units)))[0]).toContain('overspending the budget')
    expect(await submit(setup, setup.spend({ mem: 500, cpu: 64_100 }))).toEqual([])
  })

  // babbage Rules/Utxo.hs:489: collateral goes, its return comes, named after all outputs.
  it('take the collateral of a transaction that says so when they fail', async () => {
    const setup = onBase({ scriptEvaluator: fails })
    const tx = setup.spend({
      isValid: false,
      collateralReturn: 4_000_000n,
      to: { address: setup.bob.address, lovelace: 2_000_000n }
    })
    const before = setup.node.baseUtxos(setup.bob.address).length
    expect(await submit(setup, tx)).toEqual([])
    expect(setup.node.baseUtxos(ALWAYS_V3_ADDRESS)).toEqual([setup.locked])
    expect(setup.node.baseUtxos(setup.bob.address)).toHaveLength(before)
    const own = setup.node.baseUtxos(setup.alice.address)
    expect(own).not.toContainEqual(setup.collateral)
    expect(own).toContainEqual(expect.objectContaining({ input: { txHash: envelopeOf(tx).txId, index: 2 } }))
  })

  // babbage Rules/Utxos.hs:212.
  it('refuse one that says that they fail when they pass', async () => {
    const setup = onBase({ scriptEvaluator: passes })
    expect(await submit(setup, setup.spend({ isValid: false }))).toEqual([
      'ConwayUtxowFailure (UtxoFailure (UtxosFailure (ValidationTagMismatch (IsValid False) PassedUnexpectedly)))'
    ])
  })

  it('do not run when there is another reason, and are refused without an evaluator', async () => {
    let runs = 0
    const setup = onBase({ scriptEvaluator: async () => (runs++, UNITS) })
    expect((await submit(setup, setup.spend({ fee: 0n })))[0]).toContain('FeeTooSmallUTxO')
    expect(runs).toBe(0)
    const bare = onBase({})
    expect(await submit(bare, bare.spend())).toEqual([
      'DevNodeUnsupported "Plutus scripts: the local head node runs them with the option scriptEvaluator"'
    ])
  })

  it('delay what comes after them, and that alone', async () => {
    const waiting: (() => void)[] = []
    const setup = onBase({ scriptEvaluator: () => new Promise((resolve) => waiting.push(() => resolve(UNITS))) })
    const settled: string[] = []
    const follow = async (name: string, verdict: Promise<unknown>): Promise<void> => {
      await verdict
      settled.push(name)
    }
    const [coins] = setup.node.baseUtxos(setup.bob.address)
    void follow('script', submit(setup, setup.spend()))
    void follow('payment', setup.node.submitBaseTx(pay(coins!, setup.bob, setup.alice.address, 1_000_000_000n).cborHex))
    await turn()
    expect((await request(setup.node, 'GET', '/protocol-parameters')).status).toBe(200)
    expect(settled).toEqual([])
    waiting[0]!()
    await turn()
    expect(settled).toEqual(['script', 'payment'])
  })

  it('give no deposit to a head when they fail', async () => {
    const setup = openHead({ scriptEvaluator: fails })
    const [utxo] = setup.node.baseUtxos(setup.alice.address)
    await submitDeposit(setup.node, setup.alice, utxo!)
    setup.clock.advance(500)
    expect(setup.client.all('CommitFinalized')).toHaveLength(1)
  })
})

describe('scripts in a head', () => {
  const retries = { timings: { invalidRetries: 2 } }

  it('make a transaction valid that they let pass, and confirmed', async () => {
    const setup = await inHead({ scriptEvaluator: passes })
    const tx = envelopeOf(setup.spend())
    setup.client.send(newTx(tx))
    expect(setup.client.messages).toEqual([])
    await turn()
    expect(setup.client.last('TxValid')['transactionId']).toBe(tx.txId)
    setup.clock.advance(100)
    expect(setup.client.last('SnapshotConfirmed')['snapshot']['confirmed'][0]['txId']).toBe(tx.txId)
  })

  it('refuse one that they let fail, having run once for all its retries', async () => {
    let runs = 0
    const setup = await inHead({ scriptEvaluator: (asked) => (runs++, fails(asked)), ...retries })
    setup.client.send(newTx(envelopeOf(setup.spend())))
    await turn()
    for (let i = 0; i < 3; i++) setup.clock.advance(100)
    expect(setup.client.last('TxInvalid')['validationError']['reason']).toMatch(/^Plutus validation failed: /)
    expect(runs).toBe(1)
  })

  it('take the collateral of a transaction that says so when they fail', async () => {
    const setup = await inHead({ scriptEvaluator: fails })
    const tx = envelopeOf(setup.spend({ isValid: false, collateralReturn: 900_000_000n }))
    setup.client.send(newTx(tx))
    await turn()
    expect(setup.client.last('TxValid')['transactionId']).toBe(tx.txId)
    setup.clock.advance(100)
    const utxo = setup.client.last('SnapshotConfirmed')['snapshot']['utxo'] as Record<
      string,
      { value: { lovelace: number } }
    >
    expect(utxo[`${tx.txId}#1`]!.value.lovelace).toBe(900_000_000)
    expect(Object.keys(utxo)).toContain(`${setup.locked.input.txHash}#${setup.locked.input.index}`)
    expect(Object.keys(utxo)).toHaveLength(2)
  })

  it('delay later transactions and no other input', async () => {
    const waiting: (() => void)[] = []
    const setup = await inHead({ scriptEvaluator: () => new Promise((resolve) => waiting.push(() => resolve(UNITS))) })
    const first = envelopeOf(setup.spend())
    const second = pay(setup.collateral, setup.alice, setup.bob.address, 1_000_000n)
    setup.client.send(newTx(first))
    setup.client.send(newTx(second))
    await turn()
    expect(setup.client.messages).toEqual([])
    setup.client.send({ tag: 'Init' })
    expect(setup.client.take().map(({ tag }) => tag)).toEqual(['CommandFailed'])
    waiting[0]!()
    await turn()
    expect(setup.client.all('TxValid').map(({ transactionId }) => transactionId)).toEqual([first.txId, second.txId])
  })

  it('say nothing more of a head that has closed meanwhile', async () => {
    const waiting: (() => void)[] = []
    const setup = await inHead({ scriptEvaluator: () => new Promise((resolve) => waiting.push(() => resolve(UNITS))) })
    setup.client.send(newTx(envelopeOf(setup.spend())))
    setup.client.send({ tag: 'Close' })
    setup.clock.advance(60)
    expect(setup.node.headStatus).toBe('Closed')
    waiting[0]!()
    await turn()
    expect(setup.client.tags()).toEqual(['HeadIsClosed'])
  })

  it('decide on decommits too', async () => {
    const setup = await inHead({ scriptEvaluator: fails })
    setup.client.send({ tag: 'Decommit', decommitTx: envelopeOf(setup.spend()) })
    await turn()
    expect(setup.client.last('DecommitInvalid')['decommitInvalidReason']['validationError']['reason']).toMatch(
      /^Plutus validation failed: /
    )
  })
})
