import {
  addressToString,
  baseAddress,
  enterpriseAddress,
  parseAddress,
  rewardAddress
} from '../../../../src/codec/address'
import { encodeBech32 } from '../../../../src/codec/bech32'
import { CborWriter } from '../../../../src/codec/cbor/writer'
import { bytesToHex, hexToBytes } from '../../../../src/codec/hex'
import { encodeNativeScript, nativeScriptHash } from '../../../../src/codec/nativeScript'
import { Metadatum } from '../../../../src/codec/metadatum'
import { encodeMetadata, hashAuxiliaryData } from '../../../../src/codec/auxiliaryData'
import type { DevNode, FundedKey } from '../../../../src/devnode'
import { manualClock, startDevNode } from '../../../../src/devnode'
import { blake2b224, blake2b256 } from '../../../../src/hash/blake2b'
import { IndexerProvider } from '../../../../src/providers'
import { setUp } from '../../harness'
import { baseRequest, indexerGet, indexerSubmit } from '../../support/baseRequests'
import { ada, buildTx, envelopeOf, lovelaceOf, seedOf, signTx } from '../../transactions'
import { publicKeyFromSeed } from '../../../../src/crypto/ed25519'

const FEE = 300_000n
const UTXOS = '/addresses/{address}/utxos'
const NOT_FOUND = {
  status: 404,
  body: { status_code: 404, error: 'Not Found', message: 'The requested component has not been found.' }
}
const badRequest = (message: string): unknown => ({
  status: 400,
  body: { status_code: 400, error: 'Bad Request', message }
})

/** Pays from the first unspent output of a key. */
function payment(
  node: DevNode,
  from: FundedKey,
  to: string,
  lovelace: bigint,
  extra: Partial<Parameters<typeof buildTx>[0]> = {}
) {
  const [utxo] = node.baseUtxos(from.address)
  const outputs = [ada(to, lovelace), ada(from.address, lovelaceOf(utxo!.output) - lovelace - FEE)]
  const tx = signTx(buildTx({ inputs: [utxo!.input], outputs, fee: FEE, ...extra }), from)
  return { tx, utxo: utxo!, txId: envelopeOf(tx).txId }
}

describe('the indexer of the local head', () => {
  it('lists the unspent outputs of an address in pages, the oldest first or last', async () => {
    const { node, alice } = setUp()
    const utxos = node.baseUtxos(alice.address)
    expect(utxos).toHaveLength(10)
    const ids = async (query: string): Promise<string[]> => {
      const { body } = await indexerGet(node, `/addresses/${alice.address}/utxos${query}`, UTXOS)
      return body.map((entry: any) => `${entry.tx_hash}#${entry.output_index}`)
    }
    const all = utxos.map(({ input }) => `${input.txHash}#${input.index}`)
    expect(await ids('')).toEqual(all)
    expect(await ids('?count=4&page=1')).toEqual(all.slice(0, 4))
    expect(await ids('?count=4&page=3')).toEqual(all.slice(8))
    expect(await ids('?count=4&page=4')).toEqual([])
    expect(await ids('?order=desc')).toEqual([...all].reverse())
    expect(await ids('?order=desc&count=4&page=3')).toEqual(all.slice(0, 2).reverse())
    expect(await ids('?order=desc&count=4&page=4')).toEqual([])
  })

  it.each([
    ['count=0', 'querystring/count must be >= 1'],
    ['count=101', 'querystring/count must be <= 100'],
    ['page=0', 'querystring/page must be >= 1'],
    ['page=21474837', 'querystring/page must be <= 21474836'],
    ['page=two', 'querystring/page must be integer'],
    ['count=1e1', 'querystring/count must be integer'],
    ['order=down', 'querystring/order must be equal to one of the allowed values']
  ])('refuses the page %s', async (query, message) => {
    const { node, alice } = setUp()
    expect(await indexerGet(node, `/addresses/${alice.address}/utxos?${query}`, UTXOS)).toEqual(badRequest(message))
  })

  it('knows an address that was never used from one that is empty by now', async () => {
    const { node, alice } = setUp({ testKeys: ['alice'], accounts: 0 })
    const stranger = addressToString(enterpriseAddress(0, { kind: 'key', hash: 'aa'.repeat(28) }))
    expect(await indexerGet(node, `/addresses/${stranger}/utxos`, UTXOS)).toEqual(NOT_FOUND)
    const inputs = node.baseUtxos(alice.address)
    const tx = signTx(
      buildTx({ inputs: inputs.map(({ input }) => input), outputs: [ada(stranger, 10_000_000_000n - FEE)], fee: FEE }),
      alice
    )
    expect(await indexerSubmit(node, tx)).toMatchObject({ status: 200 })
    expect(await indexerGet(node, `/addresses/${alice.address}/utxos`, UTXOS)).toEqual({ status: 200, body: [] })
    expect((await indexerGet(node, `/addresses/${stranger}/utxos`, UTXOS)).body).toHaveLength(1)
  })

  it('refuses what is no address of its network', async () => {
    const { node } = setUp()
    const invalid = badRequest('Invalid address for this network or malformed address format.')
    const mainnet = addressToString(enterpriseAddress(1, { kind: 'key', hash: 'aa'.repeat(28) }))
    for (const text of [
      'addr_test1foo',
      mainnet,
      'nothing',
      node.accounts[0]!.stakeAddress,
      encodeBech32('addr_vkh', new Uint8Array(27))
    ]) {
      expect(await indexerGet(node, `/addresses/${text}/utxos`, UTXOS)).toEqual(invalid)
    }
  })

  it('finds all addresses of a payment credential', async () => {
    const { node } = setUp()
    const [account] = node.accounts
    const { payment: credential } = parseAddress(account!.address)
    const other = addressToString(enterpriseAddress(0, credential!))
    node.fund(other, 5_000_000n)
    const { body } = await indexerGet(
      node,
      `/addresses/${encodeBech32('addr_vkh', hexToBytes(credential!.hash))}/utxos`,
      UTXOS
    )
    expect(body.map((entry: any) => entry.address)).toEqual([account!.address, other])
  })

  it('writes quantities as text, and filters by asset', async () => {
    const { node, alice } = setUp()
    const unit = `${'ab'.repeat(28)}cafe`
    const amount = [
      { unit: 'lovelace', quantity: '2000000' },
      { unit, quantity: '9223372036854775807' }
    ]
    const [rich] = node.fund(alice.address, amount)
    const at = (asset: string): Promise<any> =>
      indexerGet(node, `/addresses/${alice.address}/utxos/${asset}`, `${UTXOS}/{asset}`)
    const { body } = await at(unit)
    expect(body).toHaveLength(1)
    expect(body[0]).toMatchObject({ tx_hash: rich!.input.txHash, amount })
    // `lovelace` stands for the outputs without assets.
    expect((await at('lovelace')).body).toHaveLength(10)
    expect(await at(`${'ab'.repeat(28)}beef`)).toEqual(NOT_FOUND)
    expect(await at('abc')).toEqual(badRequest('Invalid or malformed asset format.'))
    expect((await indexerGet(node, `/assets/${unit}/addresses`, '/assets/{asset}/addresses')).body).toEqual([
      { address: alice.address, quantity: '9223372036854775807' }
    ])
    expect(await indexerGet(node, `/assets/${'ab'.repeat(28)}/addresses`, '/assets/{asset}/addresses')).toEqual(
      NOT_FOUND
    )
  })

  it('shows a transaction, its outputs, its bytes and its block once it is submitted', async () => {
    const { node, clock, alice, bob } = setUp()
    const interval: [number, Uint8Array][] = [[3, new CborWriter().uint(BigInt(node.slot + 100)).toBytes()]]
    const { tx, txId, utxo } = payment(node, alice, bob.address, 7_000_000n, { extra: interval })
    expect(await indexerGet(node, `/txs/${txId}`, '/txs/{hash}')).toEqual(NOT_FOUND)
    expect(await indexerSubmit(node, tx)).toEqual({ status: 200, body: txId })
    const { body: shown } = await indexerGet(node, `/txs/${txId}`, '/txs/{hash}')
    expect(shown).toMatchObject({
      hash: txId,
      slot: node.slot,
      fees: '300000',
      size: tx.length,
      invalid_before: null,
      invalid_hereafter: String(node.slot + 100),
      utxo_count: 3,
      output_amount: [{ unit: 'lovelace', quantity: String(lovelaceOf(utxo.output) - FEE) }]
    })
    expect((await indexerGet(node, `/txs/${txId}/cbor`, '/txs/{hash}/cbor')).body).toEqual({ cbor: bytesToHex(tx) })
    const { body: utxos } = await indexerGet(node, `/txs/${txId}/utxos`, '/txs/{hash}/utxos')
    expect(utxos.inputs).toMatchObject([
      { tx_hash: utxo.input.txHash, output_index: utxo.input.index, address: alice.address, reference: false }
    ])
    expect(utxos.outputs.map((output: any) => [output.address, output.consumed_by_tx])).toEqual([
      [bob.address, null],
      [alice.address, null]
    ])
    // The transaction that funded alice now says who has spent the output.
    const { body: funding } = await indexerGet(node, `/txs/${utxo.input.txHash}/utxos`, '/txs/{hash}/utxos')
    expect(funding.outputs[utxo.input.index].consumed_by_tx).toBe(txId)
    expect(funding.outputs[1].consumed_by_tx).toBeNull()
    clock.advance(3000)
    const { body: block } = await indexerGet(node, `/blocks/${shown.block}`, '/blocks/{hash_or_number}')
    expect(block).toMatchObject({
      hash: shown.block,
      slot: shown.slot,
      height: shown.block_height,
      tx_count: 6 + node.accounts.length,
      fees: '300000',
      confirmations: 3
    })
    const { body: tip } = await indexerGet(node, '/blocks/latest', '/blocks/latest')
    expect(tip).toMatchObject({
      slot: node.slot,
      next_block: null,
      confirmations: 0,
      tx_count: 0,
      time: Math.floor(clock.now() / 1000)
    })
    const { body: next } = await indexerGet(node, `/blocks/${node.slot - 1}`, '/blocks/{hash_or_number}')
    expect([next.next_block, next.hash]).toEqual([tip.hash, tip.previous_block])
    const { body: history } = await indexerGet(
      node,
      `/addresses/${bob.address}/transactions?order=desc`,
      '/addresses/{address}/transactions'
    )
    expect(history[0]).toMatchObject({ tx_hash: txId, block_time: shown.block_time })
    expect(history).toHaveLength(2)
  })

  it("refuses a transaction with the ledger's text, as cardano-submit-api words it", async () => {
    const { node, alice, bob } = setUp()
    const { utxo } = payment(node, alice, bob.address, 1n)
    const outputs = [ada(bob.address, 2_000_000n)]
    const unbalanced = signTx(buildTx({ inputs: [utxo.input], outputs, fee: FEE }), alice)
    const { status, body } = await indexerSubmit(node, unbalanced)
    expect([status, body.status_code, body.error]).toEqual([400, 400, 'Bad Request'])
    const reason = JSON.parse(body.message)
    expect(reason).toMatchObject({ tag: 'TxSubmitFail', contents: { tag: 'TxCmdTxSubmitValidationError' } })
    expect(reason.contents.contents).toMatchObject({ tag: 'TxValidationErrorInCardanoMode' })
    expect(reason.contents.contents.contents).toMatchObject({
      kind: 'ShelleyTxValidationError',
      era: 'ShelleyBasedEraConway'
    })
    expect(reason.contents.contents.contents.error).toEqual([
      expect.stringContaining('ConwayUtxowFailure (UtxoFailure (ValueNotConservedUTxO')
    ])
    expect(node.baseUtxos(alice.address)).toHaveLength(10)
    const unreadable = await indexerSubmit(node, Uint8Array.of(0x83, 0xa0))
    expect([unreadable.status, JSON.parse(unreadable.body.message).contents.tag]).toEqual([400, 'TxCmdTxReadError'])
    expect((await indexerSubmit(node, unbalanced, 'application/json')).body.message).toContain('application/cbor')
  })

  it('finds scripts and datums by their hashes', async () => {
    const { node, alice, bob } = setUp()
    const plutus = '4d01000033222220051200120011'
    const plutusHash = bytesToHex(blake2b224(hexToBytes(`02${plutus}`)))
    const native = {
      type: 'all' as const,
      scripts: [{ type: 'sig' as const, keyHash: bytesToHex(blake2b224(publicKeyFromSeed(seedOf(alice)))) }]
    }
    const nativeCbor = encodeNativeScript(native)
    const policy = nativeScriptHash(nativeCbor)
    const datum = 'd8799f182aff'
    const datumHash = bytesToHex(blake2b256(hexToBytes(datum)))
    const [utxo] = node.baseUtxos(alice.address)
    const minted = [
      { unit: 'lovelace', quantity: '3000000' },
      { unit: `${policy}aa`, quantity: '5' }
    ]
    const carrier = {
      address: bob.address,
      amount: minted,
      inlineDatum: datum,
      scriptRef: { language: 'PlutusV2' as const, cborHex: `4e${plutus}` }
    }
    const mint = new CborWriter().map(1).bytes(hexToBytes(policy)).map(1).bytes(Uint8Array.of(0xaa)).uint(5).toBytes()
    const witness = new CborWriter().array(1).raw(nativeCbor).toBytes()
    const change = ada(alice.address, lovelaceOf(utxo!.output) - 3_000_000n - FEE)
    const auxiliaryData = encodeMetadata(new Map([[674n, Metadatum.from({ msg: ['hello'] })]]))
    const tx = buildTx({
      inputs: [utxo!.input],
      outputs: [carrier, change],
      fee: FEE,
      extra: [
        [7, new CborWriter().bytes(hexToBytes(hashAuxiliaryData(auxiliaryData))).toBytes()],
        [9, mint]
      ],
      witnesses: [[1, witness]],
      auxiliaryData
    })
    const submitted = await indexerSubmit(node, signTx(tx, alice))
    expect(submitted.status).toBe(200)
    const script = (hash: string, part = ''): Promise<any> =>
      indexerGet(node, `/scripts/${hash}${part}`, `/scripts/{script_hash}${part}`)
    expect((await script(plutusHash)).body).toEqual({
      script_hash: plutusHash,
      type: 'plutusV2',
      serialised_size: plutus.length / 2
    })
    expect((await script(plutusHash, '/cbor')).body).toEqual({ cbor: plutus })
    expect((await script(plutusHash, '/json')).body).toEqual({ json: null })
    expect((await script(policy)).body).toEqual({ script_hash: policy, type: 'timelock', serialised_size: null })
    expect((await script(policy, '/cbor')).body).toEqual({ cbor: null })
    expect((await script(policy, '/json')).body).toEqual({ json: native })
    expect(await script('00'.repeat(28))).toEqual(NOT_FOUND)
    expect(
      (await indexerGet(node, `/scripts/datum/${datumHash}/cbor`, '/scripts/datum/{datum_hash}/cbor')).body
    ).toEqual({ cbor: datum })
    expect((await indexerGet(node, `/scripts/datum/${datumHash}`, '/scripts/datum/{datum_hash}')).body).toEqual({
      json_value: { constructor: 0, fields: [{ int: 42 }] }
    })
    const { body } = await indexerGet(node, `/addresses/${bob.address}/utxos/${policy}aa`, `${UTXOS}/{asset}`)
    expect(body[0]).toMatchObject({ data_hash: datumHash, inline_datum: datum, reference_script_hash: plutusHash })
    const metadata = await indexerGet(node, `/txs/${submitted.body}/metadata`, '/txs/{hash}/metadata')
    expect(metadata.body).toEqual([{ label: '674', json_metadata: { msg: ['hello'] } }])
    const asCbor = await indexerGet(node, `/txs/${submitted.body}/metadata/cbor`, '/txs/{hash}/metadata/cbor')
    expect(asCbor.body[0].metadata).toBe(
      bytesToHex(new CborWriter().map(1).text('msg').array(1).text('hello').toBytes())
    )
    expect((await indexerGet(node, `/txs/${submitted.body}`, '/txs/{hash}')).body.asset_mint_or_burn_count).toBe(1)
  })

  it('sums up addresses and accounts', async () => {
    const { node } = setUp()
    const [account] = node.accounts
    const { stake } = parseAddress(account!.address)
    const other = addressToString(baseAddress(0, { kind: 'script', hash: 'cd'.repeat(28) }, stake!))
    node.fund(other, 5_000_000n)
    expect((await indexerGet(node, `/addresses/${other}`, '/addresses/{address}')).body).toEqual({
      address: other,
      amount: [{ unit: 'lovelace', quantity: '5000000' }],
      stake_address: account!.stakeAddress,
      type: 'shelley',
      script: true
    })
    const { body } = await indexerGet(node, `/accounts/${account!.stakeAddress}`, '/accounts/{stake_address}')
    expect(body).toMatchObject({
      controlled_amount: '10005000000',
      withdrawable_amount: '0',
      pool_id: null,
      active: false
    })
    const unknown = addressToString(rewardAddress(0, { kind: 'key', hash: '99'.repeat(28) }))
    expect(await indexerGet(node, `/accounts/${unknown}`, '/accounts/{stake_address}')).toEqual(NOT_FOUND)
    expect(await indexerGet(node, `/accounts/${other}`, '/accounts/{stake_address}')).toEqual(
      badRequest('Invalid or malformed stake address format.')
    )
  })

  it("has mainnet's parameters, all of them, and a genesis that fits its slots", async () => {
    const clock = manualClock(1_750_000_000_000)
    const { node } = setUp({ clock })
    const { body } = await indexerGet(node, '/epochs/latest/parameters', '/epochs/latest/parameters')
    expect(body).toMatchObject({
      min_fee_a: 44,
      min_fee_b: 155381,
      coins_per_utxo_size: '4310',
      price_mem: 0.0577,
      key_deposit: '2000000'
    })
    expect(Object.values(body.cost_models.PlutusV3)).toEqual(body.cost_models_raw.PlutusV3)
    // Those of the head.
    expect(body.cost_models_raw.PlutusV3).toHaveLength(297)
    expect((await indexerGet(node, `/epochs/${body.epoch}/parameters`, '/epochs/latest/parameters')).body).toEqual(body)
    expect(await indexerGet(node, `/epochs/${body.epoch + 1}/parameters`, '/epochs/latest/parameters')).toEqual(
      NOT_FOUND
    )
    const { body: genesis } = await indexerGet(node, '/genesis', '/genesis')
    const { body: tip } = await indexerGet(node, '/blocks/latest', '/blocks/latest')
    expect(genesis.system_start + tip.slot * genesis.slot_length).toBe(1_750_000_000)
    expect(tip.epoch * genesis.epoch_length + tip.epoch_slot).toBe(tip.slot)
  })

  it('answers paths it does not know as Blockfrost does, and clients that double the first slash', async () => {
    const { node } = setUp()
    const invalid = badRequest('Invalid path. Please check https://docs.blockfrost.io/')
    for (const path of [
      '/pools',
      '/addresses',
      '/addresses/a/b/c/d',
      '/txs',
      '/txs/00/what',
      '/scripts/datum',
      '/assets/00',
      '/epochs/latest'
    ]) {
      expect(await baseRequest(node, { method: 'GET', path: `/api/v0${path}` })).toEqual(invalid)
    }
    expect(await baseRequest(node, { method: 'PUT', path: '/api/v0/genesis' })).toEqual(invalid)
    expect(await baseRequest(node, { method: 'POST', path: '/api/v0/nowhere' })).toEqual(invalid)
    expect(await baseRequest(node, { method: 'GET', path: '/api/v0//genesis' })).toMatchObject({
      status: 200,
      body: { slot_length: 1 }
    })
    for (const path of [
      '/txs/xyz',
      `/txs/${'0'.repeat(64)}/utxos`,
      '/scripts/xyz',
      `/mempool/${'0'.repeat(64)}`,
      '/blocks/999999999999'
    ]) {
      expect(await baseRequest(node, { method: 'GET', path: `/api/v0${path}` })).toEqual(NOT_FOUND)
    }
  })

  it('evaluates a transaction without scripts to nothing, and says that it cannot run others', async () => {
    const { node, alice, bob } = setUp()
    const { tx, utxo } = payment(node, alice, bob.address, 2_000_000n)
    const evaluate = (path: string, body: string): Promise<any> =>
      baseRequest(node, {
        method: 'POST',
        path: `/api/v0/utils/txs/evaluate${path}`,
        body: new TextEncoder().encode(body)
      })
    const empty = { type: 'jsonwsp/response', methodname: 'EvaluateTx', result: { EvaluationResult: {} } }
    expect(await evaluate('', bytesToHex(tx))).toMatchObject({ status: 200, body: empty })
    expect(await evaluate('', Buffer.from(tx).toString('base64'))).toMatchObject({ status: 200, body: empty })
    expect(await evaluate('/utxos', JSON.stringify({ cbor: bytesToHex(tx), additionalUtxoSet: [] }))).toMatchObject({
      body: empty
    })
    expect(await evaluate('?version=6', bytesToHex(tx))).toMatchObject({ body: { jsonrpc: '2.0', result: [] } })
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
    const withScript = bytesToHex(
      buildTx({ inputs: [utxo.input], outputs: [ada(bob.address, 2_000_000n)], witnesses: [[5, redeemers]] })
    )
    const refused = await evaluate('', withScript)
    expect(refused.body.result.EvaluationFailure.CannotCreateEvaluationContext.reason).toContain('scriptEvaluator')
    const additional = [
      [
        { txId: utxo.input.txHash, index: utxo.input.index },
        { address: bob.address, value: { coins: 1 } }
      ]
    ]
    const overlap = await evaluate('/utxos', JSON.stringify({ cbor: withScript, additionalUtxoSet: additional }))
    expect(overlap.body.result.EvaluationFailure).toEqual({
      AdditionalUtxoOverlap: [{ txId: utxo.input.txHash, index: utxo.input.index }]
    })
    const held = { address: alice.address, value: { coins: Number(utxo.output.amount[0]!.quantity), assets: {} } }
    const equal = await evaluate(
      '/utxos',
      JSON.stringify({ cbor: withScript, additionalUtxoSet: [[additional[0]![0], held]] })
    )
    expect(equal.body.result.EvaluationFailure.CannotCreateEvaluationContext.reason).toContain('scriptEvaluator')
    for (const body of ['', 'zz', '{"cbor":1}', '[]', '{"cbor":"00","additionalUtxoSet":[[1]]}'])
      expect((await evaluate('/utxos', body)).status).toBe(400)
    expect((await evaluate('', '80')).status).toBe(400)
  })

  it('takes an output with a datum and a script beside the equal one on the ledger', async () => {
    const script = '4e4d01000033222220051200120011'
    const address = setUp().alice.address
    const genesis = [
      { address, lovelace: 5_000_000, datum: '182a', scriptRef: { language: 'PlutusV2' as const, cborHex: script } }
    ]
    const { node, bob } = setUp({ genesis })
    const held = node.baseUtxos(address).find(({ output }) => output.scriptRef !== undefined)!
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
    const cbor = bytesToHex(
      buildTx({ inputs: [held.input], outputs: [ada(bob.address, 2_000_000n)], witnesses: [[5, redeemers]] })
    )
    const { txHash, index } = held.input
    const answerTo = async (more: object): Promise<object> => {
      const stated = [
        { txId: txHash, index },
        { address, value: { coins: 5_000_000 }, datum: '182a', script: { 'plutus:v2': script.slice(2) }, ...more }
      ]
      const body = new TextEncoder().encode(JSON.stringify({ cbor, additionalUtxoSet: [stated] }))
      return (await baseRequest(node, { method: 'POST', path: '/api/v0/utils/txs/evaluate/utxos', body })).body.result
        .EvaluationFailure
    }
    expect(Object.keys(await answerTo({}))).toEqual(['CannotCreateEvaluationContext'])
    expect(Object.keys(await answerTo({ datum: '182b' }))).toEqual(['AdditionalUtxoOverlap'])
    expect(Object.keys(await answerTo({ script: null }))).toEqual(['AdditionalUtxoOverlap'])
  })

  it('serves an IndexerProvider: pages, scripts, parameters, submission and refusal', async () => {
    const node = await startDevNode({ port: 0, genesis: [] })
    try {
      const [alice, bob] = node.keys
      const { fetcher, submitter } = new IndexerProvider({
        apiKey: 'preprodLocal',
        network: 'preprod',
        baseUrl: node.indexerUrl!,
        rateLimit: false
      })
      node.fund(bob!.address, ...Array.from({ length: 240 }, (_, i) => BigInt(2_000_000 + i)))
      expect(await fetcher.fetchAddressUTxOs(bob!.address)).toEqual(node.baseUtxos(bob!.address))
      expect(
        await fetcher.fetchAddressUTxOs(addressToString(enterpriseAddress(0, { kind: 'key', hash: '12'.repeat(28) })))
      ).toEqual([])
      const [utxo] = node.baseUtxos(alice!.address)
      const scriptRef = { language: 'PlutusV2' as const, cborHex: '46450100002261' }
      const native = {
        language: 'native' as const,
        cborHex: bytesToHex(encodeNativeScript({ type: 'sig', keyHash: 'ee'.repeat(28) }))
      }
      const outputs = [
        { ...ada(bob!.address, 5_000_000n), scriptRef, inlineDatum: '01' },
        { ...ada(bob!.address, 5_000_000n), scriptRef: native, datumHash: '77'.repeat(32) },
        ada(alice!.address, lovelaceOf(utxo!.output) - 10_000_000n - FEE)
      ]
      const tx = envelopeOf(signTx(buildTx({ inputs: [utxo!.input], outputs, fee: FEE }), alice!))
      expect(await submitter.submitTx(tx.cborHex)).toBe(tx.txId)
      const refs = [0, 1, 2].map((index) => ({ txHash: tx.txId, index }))
      expect((await fetcher.fetchUTxOs([...refs, utxo!.input])).map(({ output }) => output)).toEqual(outputs)
      expect(await fetcher.fetchProtocolParameters()).toMatchObject({
        minFeeA: 44,
        coinsPerUtxoByte: 4310n,
        protocolVersion: { major: 11, minor: 0 }
      })
      expect(Math.abs((await fetcher.fetchTip()).slot - node.slot)).toBeLessThan(3)
      const again = envelopeOf(
        signTx(buildTx({ inputs: [utxo!.input], outputs: [ada(bob!.address, 3_000_000n)], fee: FEE }), alice!)
      )
      await expect(submitter.submitTx(again.cborHex)).rejects.toMatchObject({
        code: 'PROVIDER_SUBMIT_REJECTED',
        message: expect.stringContaining('All inputs are spent')
      })
    } finally {
      await node.stop()
    }
  })

  it('lets pages of any origin in, with their keys', async () => {
    const node = await startDevNode({ port: 0 })
    try {
      const headers = {
        origin: 'https://dapp.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,project_id'
      }
      const preflight = await fetch(`${node.indexerUrl}/tx/submit`, { method: 'OPTIONS', headers })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type,project_id')
      expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
      const read = await fetch(`${node.indexerUrl}/genesis`, {
        headers: { origin: 'https://dapp.example', project_id: 'anything' }
      })
      expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
      const refused = await fetch(`${node.indexerUrl}/pools`, { headers: { origin: 'https://dapp.example' } })
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([400, '*'])
    } finally {
      await node.stop()
    }
  })
})
