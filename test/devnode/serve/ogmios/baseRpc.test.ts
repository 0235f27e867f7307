import { addressToString, enterpriseAddress, parseAddress } from '../../../../src/codec/address'
import { CborWriter } from '../../../../src/codec/cbor/writer'
import { bytesToHex, hexToBytes } from '../../../../src/codec/hex'
import { encodeNativeScript, nativeScriptHash } from '../../../../src/codec/nativeScript'
import type { DevNode, FundedKey } from '../../../../src/devnode'
import { startDevNode } from '../../../../src/devnode'
import { RpcProvider } from '../../../../src/providers'
import { assertSchema } from '../../../providers/support/schema'
import { setUp } from '../../harness'
import { GENESIS_SHELLEY, refusal, rpcCall, rpcResult } from '../../support/rpcCalls'
import type { TxParts } from '../../transactions'
import { ada, buildTx, envelopeOf, lovelaceOf, signTx } from '../../transactions'

const FEE = 300_000n
const uint = (value: number): Uint8Array => new CborWriter().uint(value).toBytes()

function draft(node: DevNode, from: FundedKey, to: string, more: Partial<TxParts> = {}): Uint8Array {
  const [utxo] = node.baseUtxos(from.address)
  const outputs = [ada(to, 5_000_000n), ada(from.address, lovelaceOf(utxo!.output) - 5_000_000n - FEE)]
  return buildTx({ inputs: [utxo!.input], outputs, fee: FEE, ...more })
}

describe("the local head's JSON-RPC", () => {
  it('answers every query of the ledger and the network in the published form', async () => {
    const { node, clock, alice } = setUp()
    const tip = await rpcResult(node, 'queryNetwork/tip', undefined, 'QueryNetworkTipResponse')
    expect(tip.slot).toBe(node.slot)
    expect(await rpcResult(node, 'queryLedgerState/tip', {}, 'QueryLedgerStateTipResponse')).toEqual(tip)
    expect(await rpcResult(node, 'queryNetwork/blockHeight', undefined, 'QueryNetworkBlockHeightResponse')).toBe(
      node.slot
    )
    const [era] = await rpcResult(
      node,
      'queryLedgerState/eraSummaries',
      undefined,
      'QueryLedgerStateEraSummariesResponse'
    )
    const epoch = await rpcResult(node, 'queryLedgerState/epoch', undefined, 'QueryLedgerStateEpochResponse')
    expect(epoch).toBe(Math.floor(tip.slot / era.parameters.epochLength))
    const start = await rpcResult(node, 'queryNetwork/startTime', undefined, 'QueryNetworkStartTimeResponse')
    expect(Date.parse(start) + tip.slot * era.parameters.slotLength.milliseconds).toBe(
      Math.floor(clock.now() / 1000) * 1000
    )
    expect(await rpcResult(node, 'queryLedgerState/eraStart', undefined, 'QueryLedgerStateEraStartResponse')).toEqual(
      era.start
    )
    const summaries = await rpcResult(
      node,
      'queryLedgerState/rewardAccountSummaries',
      { keys: [node.accounts[0]!.stakeAddress] },
      'QueryLedgerStateRewardAccountSummariesResponse'
    )
    expect(summaries).toEqual([])
    const genesis = (await rpcCall(node, 'queryNetwork/genesisConfiguration', { era: 'shelley' })).body.result
    assertSchema(GENESIS_SHELLEY, genesis, 'the genesis')
    expect(genesis).toMatchObject({
      startTime: start,
      epochLength: era.parameters.epochLength,
      network: 'testnet',
      networkMagic: 1
    })
    expect((await rpcCall(node, 'queryNetwork/genesisConfiguration', { era: 'byron' })).body.error.code).toBe(2004)
    const [utxo] = node.baseUtxos(alice.address)
    const refs = {
      outputReferences: [
        { transaction: { id: utxo!.input.txHash }, index: 0 },
        { transaction: { id: 'ff'.repeat(32) }, index: 0 }
      ]
    }
    const byReference = await rpcResult(node, 'queryLedgerState/utxo', refs, 'QueryLedgerStateUtxoResponse')
    expect(byReference).toEqual([
      {
        transaction: { id: utxo!.input.txHash },
        index: 0,
        address: alice.address,
        value: { ada: { lovelace: 1_000_000_000 } }
      }
    ])
    const hex = bytesToHex(parseAddress(alice.address).bytes)
    for (const address of [alice.address, hex])
      expect(
        await rpcResult(node, 'queryLedgerState/utxo', { addresses: [address] }, 'QueryLedgerStateUtxoResponse')
      ).toHaveLength(10)
    expect(await rpcResult(node, 'queryLedgerState/utxo', {}, 'QueryLedgerStateUtxoResponse')).toHaveLength(
      node.baseUtxos().length
    )
  })

  it('has all protocol parameters, voting thresholds and prices included', async () => {
    const { node } = setUp()
    const parameters = await rpcResult(
      node,
      'queryLedgerState/protocolParameters',
      undefined,
      'QueryLedgerStateProtocolParametersResponse'
    )
    expect(parameters).toMatchObject({
      minFeeCoefficient: 44,
      minFeeConstant: { ada: { lovelace: 155381 } },
      scriptExecutionPrices: { memory: '577/10000', cpu: '721/10000000' },
      stakePoolPledgeInfluence: '3/10',
      maxReferenceScriptsSize: { bytes: 204800 },
      delegateRepresentativeVotingThresholds: { constitution: '3/4', treasuryWithdrawals: '67/100' },
      stakePoolVotingThresholds: { protocolParametersUpdate: { security: '51/100' } },
      governanceActionDeposit: { ada: { lovelace: 100000000000 } }
    })
    expect(Object.keys(parameters).sort()).toEqual(
      [
        'collateralPercentage constitutionalCommitteeMaxTermLength constitutionalCommitteeMinSize delegateRepresentativeDeposit',
        'delegateRepresentativeMaxIdleTime delegateRepresentativeVotingThresholds desiredNumberOfStakePools governanceActionDeposit',
        'governanceActionLifetime maxBlockBodySize maxBlockHeaderSize maxCollateralInputs maxExecutionUnitsPerBlock',
        'maxExecutionUnitsPerTransaction maxReferenceScriptsSize maxTransactionSize maxValueSize minFeeCoefficient minFeeConstant',
        'minFeeReferenceScripts minStakePoolCost minUtxoDepositCoefficient minUtxoDepositConstant monetaryExpansion plutusCostModels',
        'scriptExecutionPrices stakeCredentialDeposit stakePoolDeposit stakePoolPledgeInfluence stakePoolRetirementEpochBound',
        'stakePoolVotingThresholds treasuryExpansion version'
      ]
        .join(' ')
        .split(' ')
    )
  })

  it('writes assets, datums and scripts of outputs in the published form', async () => {
    const { alice } = setUp({ accounts: 0 })
    const native = encodeNativeScript({
      type: 'atLeast',
      required: 1,
      scripts: [
        { type: 'sig', keyHash: 'ab'.repeat(28) },
        { type: 'after', slot: 7n }
      ]
    })
    const output = {
      address: alice.address,
      amount: [
        { unit: 'lovelace', quantity: '9007199254740993' },
        { unit: `${'cd'.repeat(28)}beef`, quantity: '9223372036854775807' },
        { unit: 'cd'.repeat(28), quantity: '1' }
      ]
    }
    const outputs = [
      { ...output, inlineDatum: 'd87980', scriptRef: { language: 'native' as const, cborHex: bytesToHex(native) } },
      {
        ...ada(alice.address, 2_000_000n),
        datumHash: '12'.repeat(32),
        scriptRef: { language: 'PlutusV3' as const, cborHex: '46450100002261' }
      }
    ]
    const other = setUp({
      accounts: 0,
      genesis: outputs.map(({ address, amount, ...rest }) => ({
        address,
        amount,
        ...('inlineDatum' in rest ? { datum: rest.inlineDatum, scriptRef: rest.scriptRef } : rest)
      }))
    })
    const found = await rpcResult(
      other.node,
      'queryLedgerState/utxo',
      { addresses: [alice.address] },
      'QueryLedgerStateUtxoResponse'
    )
    expect(found.slice(-2)).toMatchObject([
      {
        value: { ada: { lovelace: 9007199254740993n }, ['cd'.repeat(28)]: { beef: 9223372036854775807n, '': 1 } },
        datum: 'd87980',
        script: {
          language: 'native',
          cbor: bytesToHex(native),
          json: {
            clause: 'some',
            atLeast: 1,
            from: [
              { clause: 'signature', from: 'ab'.repeat(28) },
              { clause: 'after', slot: 7 }
            ]
          }
        }
      },
      { datumHash: '12'.repeat(32), script: { language: 'plutus:v3', cbor: '450100002261' } }
    ])
  })

  it('refuses a transaction with the code and the data of the rule that Ogmios picks', async () => {
    const { node, alice, bob } = setUp()
    const [utxo] = node.baseUtxos(alice.address)
    const sent = (tx: Uint8Array, ...keys: FundedKey[]): Promise<any> => refusal(node, bytesToHex(signTx(tx, ...keys)))
    const aliceHash = parseAddress(alice.address).payment!.hash

    expect(await sent(draft(node, alice, bob.address))).toMatchObject({
      code: 3101,
      data: { missingSignatories: [aliceHash] }
    })
    const unknown = { txHash: 'ee'.repeat(32), index: 3 }
    // The missing input also leaves the transaction unbalanced: the input is what Ogmios names.
    expect(
      await sent(draft(node, alice, bob.address, { inputs: [utxo!.input, unknown], fee: FEE + 1n }), alice)
    ).toMatchObject({
      code: 3117,
      data: { unknownOutputReferences: [{ transaction: { id: unknown.txHash }, index: 3 }] }
    })
    expect(await sent(draft(node, alice, bob.address, { fee: 1n }), alice)).toMatchObject({
      code: 3122,
      data: { providedFee: { ada: { lovelace: 1 } } }
    })
    expect(
      await sent(draft(node, alice, bob.address, { outputs: [ada(bob.address, 7_000_000n)] }), alice)
    ).toMatchObject({
      code: 3123,
      data: { valueConsumed: { ada: { lovelace: 1_000_000_000 } }, valueProduced: { ada: { lovelace: 7_300_000 } } }
    })
    const ttl = draft(node, alice, bob.address, {
      extra: [
        [3, uint(5)],
        [8, uint(2)]
      ]
    })
    expect(await sent(ttl, alice)).toMatchObject({
      code: 3118,
      data: { validityInterval: { invalidBefore: 2, invalidAfter: 5 }, currentSlot: node.slot }
    })
    const rest = lovelaceOf(utxo!.output) - FEE
    const small = await sent(
      draft(node, alice, bob.address, { outputs: [ada(bob.address, 1000n), ada(alice.address, rest - 1000n)] }),
      alice
    )
    expect(small).toMatchObject({
      code: 3125,
      data: {
        insufficientlyFundedOutputs: [
          { output: { address: bob.address }, minimumRequiredValue: { ada: { lovelace: expect.any(Number) } } }
        ]
      }
    })
    const mainnet = addressToString(enterpriseAddress(1, { kind: 'key', hash: aliceHash }))
    expect(await sent(draft(node, alice, mainnet), alice)).toMatchObject({
      code: 3124,
      data: { expectedNetwork: 'testnet', discriminatedType: 'address', invalidEntities: [mainnet] }
    })
    expect(await sent(draft(node, alice, bob.address, { extra: [[15, uint(1)]] }), alice)).toMatchObject({
      code: 3124,
      data: { discriminatedType: 'transaction' }
    })
    const large = new CborWriter().map(1).uint(1).array(400)
    for (let i = 0; i < 400; i++) large.bytes(new Uint8Array(64))
    expect(await sent(draft(node, alice, bob.address, { auxiliaryData: large.toBytes() }), alice)).toMatchObject({
      code: 3105
    })
    const hash = 'ab'.repeat(32)
    expect(
      await sent(
        draft(node, alice, bob.address, { extra: [[7, new CborWriter().bytes(hexToBytes(hash)).toBytes()]] }),
        alice
      )
    ).toMatchObject({
      code: 3106,
      data: { metadata: { hash } }
    })
    const script = encodeNativeScript({ type: 'sig', keyHash: 'ab'.repeat(28) })
    const policy = nativeScriptHash(script)
    const extraneous = draft(node, alice, bob.address, {
      witnesses: [[1, new CborWriter().array(1).raw(script).toBytes()]]
    })
    expect(await sent(extraneous, alice)).toMatchObject({ code: 3104, data: { extraneousScripts: [policy] } })
    const mint = new CborWriter().map(1).bytes(hexToBytes(policy)).map(1).bytes(Uint8Array.of(1)).uint(5).toBytes()
    const balanced = {
      address: bob.address,
      amount: [
        { unit: 'lovelace', quantity: '5000000' },
        { unit: `${policy}01`, quantity: '5' }
      ]
    }
    const minting = { outputs: [balanced, ada(alice.address, rest - 5_000_000n)], extra: [[9, mint]] as const }
    expect(await sent(draft(node, alice, bob.address, minting), alice)).toMatchObject({
      code: 3102,
      data: { missingScripts: [policy] }
    })
    const failing = draft(node, alice, bob.address, {
      ...minting,
      witnesses: [[1, new CborWriter().array(1).raw(script).toBytes()]]
    })
    expect(await sent(failing, alice)).toMatchObject({ code: 3103, data: { failingNativeScripts: [policy] } })
    const wrong = signTx(draft(node, alice, bob.address), alice)
    wrong[wrong.length - 10]! ^= 1
    const { code, data } = await refusal(node, bytesToHex(wrong))
    expect([code, data.invalidSignatories.length]).toEqual([3100, 1])
    const taken = bytesToHex(signTx(draft(node, alice, bob.address), alice))
    expect(
      (await rpcCall(node, 'submitTransaction', { transaction: { cbor: taken } })).body.result.transaction.id
    ).toBe(envelopeOf(hexToBytes(taken)).txId)
    expect(await refusal(node, taken)).toMatchObject({
      code: 3997,
      data: { error: expect.stringContaining('All inputs are spent') }
    })
    expect(await refusal(node, '83a0')).toMatchObject({ code: -32602, data: { conway: expect.any(String) } })
  })

  it('evaluates a transaction without scripts to nothing, and says that it cannot run others', async () => {
    const { node, alice, bob } = setUp()
    const tx = signTx(draft(node, alice, bob.address), alice)
    expect(
      await rpcResult(
        node,
        'evaluateTransaction',
        { transaction: { cbor: bytesToHex(tx) } },
        'EvaluateTransactionResponse'
      )
    ).toEqual([])
    const redeemers = new CborWriter()
      .map(1)
      .array(2)
      .uint(0)
      .uint(0)
      .array(2)
      .uint(1)
      .array(2)
      .uint(0)
      .uint(0)
      .toBytes()
    const cbor = bytesToHex(draft(node, alice, bob.address, { witnesses: [[5, redeemers]] }))
    const { body } = await rpcCall(node, 'evaluateTransaction', { transaction: { cbor } })
    expect(body.error).toMatchObject({
      code: 3004,
      message: expect.stringContaining('scriptEvaluator'),
      data: { reason: expect.any(String) }
    })
    const [utxo] = node.baseUtxos(alice.address)
    const additionalUtxo = [
      {
        transaction: { id: utxo!.input.txHash },
        index: utxo!.input.index,
        address: alice.address,
        value: { ada: { lovelace: 1 } }
      }
    ]
    const overlap = await rpcCall(node, 'evaluateTransaction', { transaction: { cbor }, additionalUtxo })
    expect(overlap.body.error).toMatchObject({
      code: 3002,
      data: { overlappingOutputReferences: [{ transaction: { id: utxo!.input.txHash } }] }
    })
    // The very output that is on the ledger is no contradiction: builders state what they spend.
    const lovelace = BigInt(utxo!.output.amount[0]!.quantity)
    const equal = [{ ...additionalUtxo[0], value: { ada: { lovelace: Number(lovelace) } } }]
    expect(
      (await rpcCall(node, 'evaluateTransaction', { transaction: { cbor }, additionalUtxo: equal })).body.error.code
    ).toBe(3004)
    for (const other of [
      { value: { ada: { lovelace: Number(lovelace) - 1 } } },
      { address: bob.address },
      { datum: '00' }
    ]) {
      const changed = [{ ...equal[0], ...other }]
      expect(
        (await rpcCall(node, 'evaluateTransaction', { transaction: { cbor }, additionalUtxo: changed })).body.error.code
      ).toBe(3002)
    }
    expect((await rpcCall(node, 'evaluateTransaction', { transaction: { cbor: '80' } })).body.error.code).toBe(-32602)
    for (const more of [1, [1], [{ address: 'x' }]]) {
      expect(
        (await rpcCall(node, 'evaluateTransaction', { transaction: { cbor }, additionalUtxo: more })).body.error.code
      ).toBe(-32600)
    }
  })

  it.each([
    ['no JSON', '{', 'must be a well-formed JSON object'],
    ['an array', '[]', 'must be a well-formed JSON object'],
    ['nothing', '', 'must be a well-formed JSON object'],
    ['no method', '{"id":1}', "field 'method' must be present and be a string"],
    ['another method', '{"method":"queryLedgerState/nothing","id":1}', 'unknown method'],
    ['a method of the prototype', '{"method":"toString","id":1}', 'unknown method'],
    [
      'params that are no object',
      '{"method":"queryNetwork/tip","params":[1],"id":1}',
      "field 'params' must be an object"
    ],
    ['an address that is none', '{"method":"queryLedgerState/utxo","params":{"addresses":["x"]},"id":1}', 'address'],
    [
      'a reference that is none',
      '{"method":"queryLedgerState/utxo","params":{"outputReferences":[{}]},"id":1}',
      'output reference'
    ],
    [
      'a transaction that is no hex',
      '{"method":"submitTransaction","params":{"transaction":{"cbor":"xyz"}},"id":1}',
      'hex'
    ]
  ])('answers %s with an error and status 400', async (_what, text, message) => {
    const { node } = setUp()
    const { status, body } = await node.baseRequest({ method: 'POST', path: '/', body: new TextEncoder().encode(text) })
    const answer = JSON.parse(body)
    expect([status, answer.error.code, answer.id]).toEqual([400, -32600, text.includes('"id":1') ? 1 : null])
    expect(answer.error.message).toContain(message)
  })

  it('has a health of its own, 404 for other paths and 406 for other methods', async () => {
    const { node } = setUp()
    const ask = (method: string, path: string): Promise<any> => node.baseRequest({ method, path })
    const health = await ask('GET', '/health')
    expect([health.status, JSON.parse(health.body)]).toMatchObject([
      200,
      {
        connectionStatus: 'connected',
        networkSynchronization: 1,
        currentEra: 'conway',
        lastKnownTip: { slot: node.slot }
      }
    ])
    expect((await ask('GET', '/')).body).toContain('JSON-RPC')
    expect(
      await Promise.all(
        [
          ['PUT', '/'],
          ['POST', '/health'],
          ['GET', '/nowhere'],
          ['POST', '/nowhere']
        ].map(async ([m, p]) => (await ask(m!, p!)).status)
      )
    ).toEqual([406, 406, 404, 404])
  })

  it.each(['http', 'ws'])(
    'serves an RpcProvider over %s: outputs, parameters, tip, submission and refusal',
    async (scheme) => {
      const node = await startDevNode({ port: 0 })
      try {
        const { fetcher, submitter } = new RpcProvider({
          apiEndpoint: node.rpcUrl!.replace('http', scheme),
          network: 'preprod'
        })
        const [alice, bob] = node.keys
        const utxos = await fetcher.fetchAddressUTxOs(alice!.address)
        expect(utxos).toEqual(node.baseUtxos(alice!.address))
        expect(await fetcher.fetchUTxOs([utxos[3]!.input, { txHash: 'ff'.repeat(32), index: 0 }])).toEqual([utxos[3]])
        expect(await fetcher.fetchProtocolParameters()).toMatchObject({
          minFeeA: 44,
          minFeeB: 155381,
          coinsPerUtxoByte: 4310n,
          minFeeRefScriptCostPerByte: 15
        })
        expect(Math.abs((await fetcher.fetchTip()).slot - node.slot)).toBeLessThan(3)
        const tx = envelopeOf(signTx(draft(node, alice!, bob!.address), alice!))
        expect(await submitter.submitTx(tx.cborHex)).toBe(tx.txId)
        expect(await fetcher.fetchAddressUTxOs(bob!.address)).toEqual(node.baseUtxos(bob!.address))
        const unsigned = envelopeOf(draft(node, alice!, bob!.address))
        await expect(submitter.submitTx(unsigned.cborHex)).rejects.toMatchObject({ code: 'PROVIDER_SUBMIT_REJECTED' })
      } finally {
        await node.stop()
      }
    }
  )

  it('keeps what a WebSocket acquires, answers in order, and stays silent where Ogmios does', async () => {
    const { node } = setUp()
    const connection = await node.openBaseRpc()
    const call = async (method: string, params = {}): Promise<any> => {
      const text = await connection.answer(JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }))
      return text === null ? null : JSON.parse(text)
    }
    expect((await call('sizeOfMempool')).error.code).toBe(4000)
    expect((await call('acquireMempool')).result).toEqual({ acquired: 'mempool', slot: node.slot })
    expect(await call('acquireMempool')).toBeNull()
    expect((await call('hasTransaction', { id: '00'.repeat(32) })).result).toBe(false)
    expect((await call('nextTransaction')).result).toEqual({ transaction: null })
    expect((await call('sizeOfMempool')).result.transactions).toEqual({ count: 0 })
    expect((await call('releaseMempool')).result).toEqual({ released: 'mempool' })
    expect((await call('hasTransaction', { id: '00'.repeat(32) })).error.code).toBe(4000)
    expect(await (await node.openBaseRpc()).answer('{"method":"hasTransaction"}')).toContain('4000')
  })
})
