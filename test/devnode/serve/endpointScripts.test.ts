import { bytesToHex } from '../../../src/codec/hex'
import type { DevNodeOptions, ScriptEvaluationRequest, ScriptEvaluator } from '../../../src/devnode'
import type { BaseChain } from '../../../src/devnode/chain/BaseChain'
import { holdToSchema, texts } from '../support/plutusReasons'
import { refusalOf } from '../../../src/devnode/serve/ogmios/refusal'
import type { PreparedTx } from '../../../src/devnode/rules/preparedTx'
import type { UTxO } from '../../../src/types/utxo'
import type { Setup } from '../harness'
import { setUp } from '../harness'
import { baseRequest, indexerGet, indexerSubmit } from '../support/baseRequests'
import { refusal, rpcCall, rpcResult } from '../support/rpcCalls'
import type { SpendOptions } from '../scriptTxs'
import { ALWAYS_V3_ADDRESS, spendFromScript } from '../scriptTxs'
import { envelopeOf } from '../transactions'

// What an evaluator says is the test's own; that the true one agrees with the ledger is shown where it is adapted.
const passes: ScriptEvaluator = async () => [{ tag: 'spend', index: 0, mem: 500n, cpu: 9_007_199_254_740_993n }]
const fails: ScriptEvaluator = async () =>
  Promise.reject({ redeemer: { tag: 'spend', index: 0 }, message: 'Error evaluated', logs: ['not yet'] })

function onBase(
  options: DevNodeOptions
): Setup & { locked: UTxO; collateral: UTxO; spend(more?: SpendOptions): Uint8Array } {
  const setup = setUp(options)
  const [locked] = setup.node.fund(ALWAYS_V3_ADDRESS, 50_000_000n)
  const [collateral] = setup.node.fund(setup.alice.address, 5_000_000n)
  const model = (setup.node.protocolParameters['costModels'] as Record<string, number[]>)['PlutusV3']!
  return {
    ...setup,
    locked: locked!,
    collateral: collateral!,
    spend: (more = {}) => spendFromScript(locked!, collateral!, setup.alice, model, { fee: 300_000n, ...more })
  }
}

const blockfrost = ({ node }: Setup, body: unknown): Promise<any> =>
  baseRequest(node, {
    method: 'POST',
    path: '/api/v0/utils/txs/evaluate/utxos',
    body: new TextEncoder().encode(JSON.stringify(body))
  })

describe('Plutus scripts through the endpoints of the base ledger', () => {
  it('says what each script takes, exactly', async () => {
    const setup = onBase({ scriptEvaluator: passes })
    const cbor = bytesToHex(setup.spend())
    expect(
      await rpcResult(setup.node, 'evaluateTransaction', { transaction: { cbor } }, 'EvaluateTransactionResponse')
    ).toEqual([{ validator: { purpose: 'spend', index: 0 }, budget: { memory: 500, cpu: 9_007_199_254_740_993n } }])
    const { body } = await blockfrost(setup, { cbor })
    expect(body.result.EvaluationResult).toEqual({ 'spend:0': { memory: 500, steps: 9_007_199_254_740_993n } })
  })

  it('names certificates and withdrawals as each interface does', async () => {
    const setup = onBase({
      scriptEvaluator: async () => [
        { tag: 'cert', index: 0, mem: 1n, cpu: 2n },
        { tag: 'reward', index: 1, mem: 3n, cpu: 4n }
      ]
    })
    const cbor = bytesToHex(setup.spend())
    const result = await rpcResult(
      setup.node,
      'evaluateTransaction',
      { transaction: { cbor } },
      'EvaluateTransactionResponse'
    )
    expect(result.map(({ validator }: any) => validator)).toEqual([
      { purpose: 'publish', index: 0 },
      { purpose: 'withdraw', index: 1 }
    ])
    expect(Object.keys((await blockfrost(setup, { cbor })).body.result.EvaluationResult)).toEqual([
      'certificate:0',
      'withdrawal:1'
    ])
  })

  it('hands the evaluator outputs of the ledger and those that come with the request', async () => {
    const seen: ScriptEvaluationRequest[] = []
    const setup = onBase({
      scriptEvaluator: async (request) => {
        seen.push(request)
        return passes(request)
      }
    })
    const elsewhere = { ...setup.locked, input: { txHash: 'e1'.repeat(32), index: 7 } }
    const model = (setup.node.protocolParameters['costModels'] as Record<string, number[]>)['PlutusV3']!
    const cbor = bytesToHex(spendFromScript(elsewhere, setup.collateral, setup.alice, model, { fee: 300_000n }))
    const missing = await rpcCall(setup.node, 'evaluateTransaction', { transaction: { cbor } })
    expect(missing.body.error).toMatchObject({ code: 3004, message: expect.stringContaining(`${'e1'.repeat(32)}#7`) })
    const value = { ada: { lovelace: 50_000_000 }, ['ab'.repeat(28)]: { cafe: 5 } }
    const additionalUtxo = [
      {
        transaction: { id: 'e1'.repeat(32) },
        index: 7,
        address: ALWAYS_V3_ADDRESS,
        value,
        datum: 'd87980',
        script: { language: 'plutus:v2', cbor: '450100002261' }
      }
    ]
    expect(
      (await rpcCall(setup.node, 'evaluateTransaction', { transaction: { cbor }, additionalUtxo })).body.result
    ).toHaveLength(1)
    const v5 = [
      [
        { txId: 'e1'.repeat(32), index: 7 },
        {
          address: ALWAYS_V3_ADDRESS,
          value: { coins: 50_000_000, assets: { [`${'ab'.repeat(28)}.cafe`]: 5 } },
          datum: 'd87980',
          script: { 'plutus:v2': '450100002261' }
        }
      ]
    ]
    expect((await blockfrost(setup, { cbor, additionalUtxoSet: v5 })).body.result.EvaluationResult).toHaveProperty(
      'spend:0'
    )
    // Both ways in give the evaluator the same bytes: the spent output and the collateral.
    expect(seen.map(({ resolved }) => resolved.map((pair) => pair.map(bytesToHex)))).toEqual(
      [seen[0]!.resolved, seen[0]!.resolved].map((resolved) => resolved.map((pair) => pair.map(bytesToHex)))
    )
    expect(seen[0]!.resolved).toHaveLength(2)
    expect(bytesToHex(seen[0]!.resolved[0]![1])).toContain('46450100002261')
  })

  it("ignores Blaze's spelling of the additional outputs, as Blockfrost does", async () => {
    const setup = onBase({ scriptEvaluator: passes })
    const { txHash: txId, index } = setup.locked.input
    const unreadable = [
      [
        { txId, index: String(index) },
        { address: {}, value: { coins: '5000000', assets: {} } }
      ]
    ]
    const cbor = bytesToHex(setup.spend())
    const { body } = await blockfrost(setup, { cbor, additionalUtxoset: unreadable })
    expect(body.result.EvaluationResult).toHaveProperty('spend:0')
    const named = await blockfrost(setup, { cbor, additionalUtxoSet: unreadable })
    expect(named.body.result?.EvaluationResult).toBeUndefined()
  })

  it('says which script failed, and what it traced', async () => {
    const setup = onBase({ scriptEvaluator: fails })
    const cbor = bytesToHex(setup.spend())
    const { body } = await rpcCall(setup.node, 'evaluateTransaction', { transaction: { cbor } })
    const error = { code: 3012, data: { validationError: 'Error evaluated', traces: ['not yet'] } }
    expect(body.error).toMatchObject({ code: 3010, data: [{ validator: { purpose: 'spend', index: 0 }, error }] })
    const v5 = await blockfrost(setup, { cbor })
    expect(v5.body.result.EvaluationFailure.ScriptFailures).toEqual({
      'spend:0': [{ validatorFailed: { error: 'Error evaluated', traces: ['not yet'] } }]
    })
    const broken = onBase({ scriptEvaluator: async () => Promise.reject(new Error('out of memory')) })
    expect(
      (await rpcCall(broken.node, 'evaluateTransaction', { transaction: { cbor: bytesToHex(broken.spend()) } })).body
        .error
    ).toMatchObject({
      code: 3004,
      message: expect.stringContaining('out of memory')
    })
  })

  it('refuses what the scripts or the rules around them refuse, with code and data', async () => {
    const failing = onBase({ scriptEvaluator: fails })
    expect(await refusal(failing.node, bytesToHex(failing.spend()))).toMatchObject({
      code: 3136,
      data: { declaredSpending: 'inputs', mismatchReason: expect.stringContaining('Error evaluated') }
    })
    const passing = onBase({ scriptEvaluator: async () => [{ tag: 'spend', index: 0, mem: 1n, cpu: 1n }] })
    expect(await refusal(passing.node, bytesToHex(passing.spend({ isValid: false })))).toMatchObject({
      code: 3136,
      data: { declaredSpending: 'collaterals' }
    })
    expect(await refusal(passing.node, bytesToHex(passing.spend({ mem: 20_000_000, fee: 2_000_000n })))).toMatchObject({
      code: 3134,
      data: {
        providedExecutionUnits: { memory: 20_000_000, cpu: 10_000_000 },
        maximumExecutionUnits: { memory: 14_000_000, cpu: 10_000_000_000 }
      }
    })
    expect(await refusal(passing.node, bytesToHex(passing.spend({ collateralReturn: 4_900_000n })))).toMatchObject({
      code: 3128,
      data: {
        providedCollateral: { ada: { lovelace: 100_000 } },
        minimumRequiredCollateral: { ada: { lovelace: 450_000 } }
      }
    })
    const unit = `${'ab'.repeat(28)}cafe`
    const [tokens] = passing.node.fund(passing.alice.address, [
      { unit: 'lovelace', quantity: '5000000' },
      { unit, quantity: '3' }
    ])
    const model = (passing.node.protocolParameters['costModels'] as Record<string, number[]>)['PlutusV3']!
    const withTokens = spendFromScript(passing.locked, tokens!, passing.alice, model, { fee: 300_000n })
    expect(await refusal(passing.node, bytesToHex(withTokens))).toMatchObject({
      code: 3133,
      data: { unsuitableCollateralValue: { ada: { lovelace: 5_000_000 }, ['ab'.repeat(28)]: { cafe: 3 } } }
    })
    const otherModel = spendFromScript(passing.locked, passing.collateral, passing.alice, [1, 2, 3], { fee: 300_000n })
    const { code, data } = await refusal(passing.node, bytesToHex(otherModel))
    expect([code, data.providedScriptIntegrity, data.computedScriptIntegrity]).toEqual([
      3113,
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/)
    ])
    const byScript = spendFromScript(passing.locked, passing.locked, passing.alice, model, { fee: 300_000n })
    expect(await refusal(passing.node, bytesToHex(byScript))).toMatchObject({ code: 3129 })
  })

  it.each(texts)('reads %s', (_name, reason, code, data) => {
    const error = refusalOf(
      [reason],
      { collateral: [1, 2, 3, 4], totalCollateral: 5n } as unknown as PreparedTx,
      { parameters: {} } as unknown as BaseChain
    )
    expect([error.code, error.data]).toEqual([code, data])
    holdToSchema(code, error)
  })

  it('shows a transaction whose scripts failed: its collateral went', async () => {
    const setup = onBase({ scriptEvaluator: fails })
    const tx = setup.spend({ isValid: false, collateralReturn: 4_000_000n })
    const { txId } = envelopeOf(tx)
    expect(await indexerSubmit(setup.node, tx)).toEqual({ status: 200, body: txId })
    expect((await indexerGet(setup.node, `/txs/${txId}`, '/txs/{hash}')).body).toMatchObject({
      valid_contract: false,
      redeemer_count: 1
    })
    const { body } = await indexerGet(setup.node, `/txs/${txId}/utxos`, '/txs/{hash}/utxos')
    const { txHash, index } = setup.collateral.input
    expect(body.inputs.filter(({ collateral }: any) => collateral)).toMatchObject([
      { tx_hash: txHash, output_index: index }
    ])
    expect(body.outputs).toMatchObject([
      {
        address: setup.alice.address,
        collateral: true,
        output_index: 1,
        amount: [{ unit: 'lovelace', quantity: '4000000' }]
      }
    ])
    expect(
      (await indexerGet(setup.node, `/txs/${txHash}/utxos`, '/txs/{hash}/utxos')).body.outputs[index].consumed_by_tx
    ).toBe(txId)
    const spent = await baseRequest(setup.node, { method: 'GET', path: `/kupo/matches/${index}@${txHash}?spent` })
    expect(spent.body).toMatchObject([{ spent_at: { transaction_id: txId } }])
    expect(
      (await baseRequest(setup.node, { method: 'GET', path: `/kupo/matches/*@${setup.locked.input.txHash}?unspent` }))
        .body
    ).toHaveLength(1)
  })
})
