// Answers are those of Blockfrost's openapi 0.1.91, commit 486407227a55295cb20d1da6e132ed27c6dc5150.
import * as CSL from '@emurgo/cardano-serialization-lib-nodejs'
import { IndexerProvider } from 'layer-sdk/providers'
import { entry, IndexerServer, KEY, PARAMETERS } from './support/indexerServer.js'
import { encodeTxOutput } from '../../src/codec/txOutput.js'
import { READ_PARAMETERS } from '../support/protocolParameters.js'
import { loadVectors } from '../support/vectors.js'

const ADDRESS = 'addr_test1vr8nl4u0u6fmtfnawx2rxfz95dy7m46t6dhzdftp2uha87syeufdg'
const POLICY = 'b0d07d45fe9514f80213f4020e5a61241458be626841cde717cb38a7'

let server: IndexerServer
beforeEach(async () => (server = await new IndexerServer().listen()))
afterEach(async () => {
  await server.close()
  expect(server.failures).toEqual([])
})

function provider(more: object = {}): IndexerProvider {
  return new IndexerProvider({ apiKey: KEY, network: 'preprod', baseUrl: server.baseUrl, retry: { delay: 1 }, ...more })
}

describe('IndexerProvider reads UTxOs', () => {
  it('an address that was never used has none', async () => {
    expect(await provider().fetcher.fetchAddressUTxOs(ADDRESS)).toEqual([])
    expect(server.seen).toHaveLength(1)
  })

  it.each([
    [0, 1],
    [1, 1],
    [99, 1],
    [100, 2],
    [101, 2],
    [199, 2],
    [200, 5],
    [499, 5],
    [500, 11],
    [250, 5],
    [1000, 11]
  ])('lists %i entries in order with %i requests', async (count, requests) => {
    server.utxos.set(
      ADDRESS,
      Array.from({ length: count }, (_, i) => entry(ADDRESS, i))
    )
    const utxos = await provider().fetcher.fetchAddressUTxOs(ADDRESS)
    expect(utxos.map((utxo) => parseInt(utxo.input.txHash, 16))).toEqual(Array.from({ length: count }, (_, i) => i))
    expect(server.seen).toHaveLength(requests)
  })

  it('every kind of output, as published', async () => {
    const asset = `${POLICY}6e7574636f696e`
    server.utxos.set(ADDRESS, [
      entry(ADDRESS, 1),
      entry(ADDRESS, 2, {
        amount: [
          { unit: asset, quantity: '12' },
          { unit: 'lovelace', quantity: '42000000' },
          { unit: POLICY, quantity: '1' }
        ]
      }),
      entry(ADDRESS, 3, { data_hash: '9e478573ab81ea7a8e31891ce0648b81229f408d596a3483e6f4f9b92d3cf710' }),
      entry(ADDRESS, 4, {
        data_hash: '9e478573ab81ea7a8e31891ce0648b81229f408d596a3483e6f4f9b92d3cf710',
        inline_datum: '19a6aa'
      }),
      entry(ADDRESS, 5, {
        amount: [
          { unit: 'lovelace', quantity: '18446744073709551615' },
          { unit: asset, quantity: '9223372036854775807' }
        ]
      })
    ])
    const utxos = await provider().fetcher.fetchAddressUTxOs(ADDRESS)
    expect(utxos[0]).toEqual({
      input: { txHash: '0'.repeat(63) + '1', index: 1 },
      output: { address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '1000001' }] }
    })
    expect(utxos[1]!.output.amount.map((amount) => amount.unit)).toEqual(['lovelace', asset, POLICY])
    expect(utxos[2]!.output).toMatchObject({
      datumHash: '9e478573ab81ea7a8e31891ce0648b81229f408d596a3483e6f4f9b92d3cf710'
    })
    expect(utxos[3]!.output).toEqual({ address: ADDRESS, amount: utxos[3]!.output.amount, inlineDatum: '19a6aa' })
    expect(utxos[4]!.output.amount).toEqual([
      { unit: 'lovelace', quantity: '18446744073709551615' },
      { unit: asset, quantity: '9223372036854775807' }
    ])
  })

  it('only those that hold an asset, when asked for one', async () => {
    const asset = `${POLICY}6e7574636f696e`
    const amount = [
      { unit: 'lovelace', quantity: '1' },
      { unit: asset, quantity: '9223372036854775807' }
    ]
    server.utxos.set(ADDRESS, [entry(ADDRESS, 1), entry(ADDRESS, 2, { amount })])
    const { fetcher } = provider()
    expect(await fetcher.fetchAddressUTxOs(ADDRESS, asset)).toHaveLength(1)
    expect(await fetcher.fetchAddressUTxOs(ADDRESS, asset.replace(POLICY, `${POLICY}.`))).toHaveLength(1)
    expect(await fetcher.fetchAddressUTxOs(ADDRESS, 'lovelace')).toHaveLength(2)
    expect(server.seen.map((seen) => seen.path)).toEqual([
      `/api/v0/addresses/${ADDRESS}/utxos/${asset}`,
      `/api/v0/addresses/${ADDRESS}/utxos/${asset}`,
      `/api/v0/addresses/${ADDRESS}/utxos`
    ])
  })

  it('by reference: the unspent ones, in the order asked, each once', async () => {
    const output = (index: number, more: object = {}): object => {
      const { address, amount, data_hash, inline_datum, reference_script_hash } = entry(ADDRESS, index)
      return {
        address,
        amount,
        data_hash,
        inline_datum,
        reference_script_hash,
        output_index: index,
        collateral: false,
        consumed_by_tx: null,
        ...more
      }
    }
    const [a, b, never] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string]
    server.outputs.set(a, [output(0), output(1, { consumed_by_tx: b }), output(2), output(3, { collateral: true })])
    server.outputs.set(b, [output(0)])
    const refs = [
      { txHash: b, index: 0 },
      ...[2, 1, 0, 3, 9, 0].map((index) => ({ txHash: a.toUpperCase(), index })),
      { txHash: never, index: 0 }
    ]
    const utxos = await provider().fetcher.fetchUTxOs(refs)
    expect(utxos.map(({ input }) => `${input.txHash[0]}${input.index}`)).toEqual(['b0', 'a2', 'a0'])
    expect(server.seen).toHaveLength(3)
    expect(await provider().fetcher.fetchUTxOs([])).toEqual([])
  })
})

describe('IndexerProvider resolves reference scripts', () => {
  const plutus = loadVectors('plutus_scripts')
  const native = loadVectors('native_scripts').filter((vector) => vector['json'])
  const wrap = (hex: string): string => {
    const size = hex.length / 2
    return (
      (size < 24
        ? (0x40 + size).toString(16)
        : size < 256
          ? `58${size.toString(16).padStart(2, '0')}`
          : `59${size.toString(16).padStart(4, '0')}`) + hex
    )
  }

  it('in the language that the hash tells, whether they come with one wrapping or two', async () => {
    const entries = plutus.flatMap(({ language, scriptBytesHex, scriptHash }, i) => {
      server.scripts.set(scriptHash, { cbor: i % 2 ? scriptBytesHex : wrap(scriptBytesHex) })
      return {
        utxo: entry(ADDRESS, i, { reference_script_hash: scriptHash }),
        expected: { language: `Plutus${language}`, cborHex: wrap(scriptBytesHex) }
      }
    })
    server.utxos.set(
      ADDRESS,
      entries.map(({ utxo }) => utxo)
    )
    const utxos = await provider().fetcher.fetchAddressUTxOs(ADDRESS)
    expect(utxos.map(({ output }) => output.scriptRef)).toEqual(entries.map(({ expected }) => expected))
    // Written into an output they are the same scripts.
    for (const [i, { output }] of utxos.entries()) {
      const written = CSL.TransactionOutput.from_bytes(encodeTxOutput(output)).script_ref()!.plutus_script()!
      expect(written.hash().to_hex()).toBe(plutus[i]!['scriptHash'])
    }
  })

  it('native ones from their JSON, byte for byte', async () => {
    const canonical = native.filter(({ cborHex, scriptHash }) => scriptHash && !/^9f/.test(cborHex))
    for (const { scriptHash, json } of canonical) server.scripts.set(scriptHash, { json })
    server.utxos.set(
      ADDRESS,
      canonical.map(({ scriptHash }, i) => entry(ADDRESS, i, { reference_script_hash: scriptHash }))
    )
    const utxos = await provider().fetcher.fetchAddressUTxOs(ADDRESS)
    const differing = utxos.filter(
      ({ output }, i) =>
        output.scriptRef!.language !== 'native' || output.scriptRef!.cborHex !== canonical[i]!['cborHex']
    )
    // One real script is not in the ledger's own encoding, and its JSON cannot tell.
    expect(differing.length).toBeLessThanOrEqual(1)
    expect(utxos.length).toBeGreaterThan(20)
  })

  it('each once, however many outputs carry it and however often they are listed', async () => {
    const [first, second] = plutus.slice(0, 2) as [any, any]
    for (const { scriptHash, scriptBytesHex } of [first, second])
      server.scripts.set(scriptHash, { cbor: scriptBytesHex })
    const hashes = [first.scriptHash, second.scriptHash, null]
    server.utxos.set(
      ADDRESS,
      Array.from({ length: 90 }, (_, i) => entry(ADDRESS, i, { reference_script_hash: hashes[i % 3] }))
    )
    const { fetcher } = provider()
    const utxos = await fetcher.fetchAddressUTxOs(ADDRESS)
    await fetcher.fetchAddressUTxOs(ADDRESS)
    expect(utxos.filter(({ output }) => output.scriptRef)).toHaveLength(60)
    expect(server.seen.filter(({ path }) => path.includes('/scripts/'))).toHaveLength(2)
  })

  it('and refuses bytes that do not have the hash', async () => {
    const { scriptHash } = plutus[0]!
    server.scripts.set(scriptHash, { cbor: '4e4d01000033222220051200120011' })
    server.utxos.set(ADDRESS, [entry(ADDRESS, 1, { reference_script_hash: scriptHash })])
    await expect(provider().fetcher.fetchAddressUTxOs(ADDRESS)).rejects.toMatchObject({
      code: 'PROVIDER_RESPONSE',
      field: 'cbor'
    })
  })
})

describe('IndexerProvider reads the chain', () => {
  it('the newest block', async () => {
    expect(await provider().fetcher.fetchTip()).toEqual({
      slot: 412162133,
      hash: '4ea1ba291e8eef538635a53e59fddba7810d1679631cc3aed7c8e6c4091a516a',
      height: 15243593
    })
  })

  it('the protocol parameters, and the answer they came in', async () => {
    expect(await provider().fetcher.fetchProtocolParameters()).toEqual({ ...READ_PARAMETERS, raw: PARAMETERS })
  })

  it('parameters without cost models', async () => {
    server.parameters = { ...PARAMETERS, cost_models_raw: null, min_fee_ref_script_cost_per_byte: null }
    const parameters = await provider().fetcher.fetchProtocolParameters()
    expect(parameters.costModels).toEqual({})
    expect(parameters).not.toHaveProperty('minFeeRefScriptCostPerByte')
  })
})

describe('IndexerProvider never takes a wrong answer for an empty wallet', () => {
  const page = (entries: unknown): void => {
    server.fault = (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(typeof entries === 'string' ? entries : JSON.stringify(entries))
  }
  const good = entry(ADDRESS, 1)

  it.each<[string, unknown, string]>([
    ['an HTML page', '<html>login</html>', ''],
    ['nothing', '', ''],
    ['a text cut in the middle', JSON.stringify([good]).slice(0, -20), ''],
    ['null', null, ''],
    ['an object', { data: [] }, ''],
    ['more than a page', Array.from({ length: 101 }, (_, i) => entry(ADDRESS, i)), ''],
    ['the same output twice', [good, good], 'output_index'],
    [
      'a quantity that is no whole number',
      [{ ...good, amount: [{ unit: 'lovelace', quantity: '1e3' }] }],
      'amount.quantity'
    ],
    ['a negative quantity', [{ ...good, amount: [{ unit: 'lovelace', quantity: '-1' }] }], 'amount.quantity'],
    ['a fraction', [{ ...good, amount: [{ unit: 'lovelace', quantity: 1.5 }] }], 'amount.quantity'],
    ['no lovelace', [{ ...good, amount: [] }], 'amount'],
    ['a unit twice', [{ ...good, amount: [...good['amount'], ...good['amount']] }], 'amount'],
    ['a strange unit', [{ ...good, amount: [{ unit: '__proto__', quantity: '1' }] }], 'amount.unit'],
    ['a wrong transaction id', [{ ...good, tx_hash: 'abc' }], 'tx_hash'],
    ['a missing index', [{ ...good, output_index: undefined }], 'output_index'],
    ['a missing datum field', [{ ...good, inline_datum: undefined }], 'inline_datum'],
    ['a missing script field', [{ ...good, reference_script_hash: undefined }], 'reference_script_hash'],
    ['an address that is none', [{ ...good, address: 7 }], 'address']
  ])('%s', async (_, entries, field) => {
    page(entries)
    await expect(provider().fetcher.fetchAddressUTxOs(ADDRESS)).rejects.toMatchObject({
      code: 'PROVIDER_RESPONSE',
      field
    })
  })

  it('a page that repeats, when the server ignores the page number', async () => {
    page(Array.from({ length: 100 }, (_, i) => entry(ADDRESS, i)))
    await expect(provider().fetcher.fetchAddressUTxOs(ADDRESS)).rejects.toMatchObject({
      code: 'PROVIDER_RESPONSE',
      field: 'output_index'
    })
  })

  it('a page that was cut short, when further ones have entries', async () => {
    const all = Array.from({ length: 500 }, (_, i) => entry(ADDRESS, i))
    server.fault = (response, { query }) => {
      const number = Number(query.get('page'))
      const entries = all.slice((number - 1) * 100, number * 100 - (number === 3 ? 1 : 0))
      response.end(JSON.stringify(entries))
    }
    await expect(provider().fetcher.fetchAddressUTxOs(ADDRESS)).rejects.toMatchObject({
      code: 'PROVIDER_RESPONSE',
      field: ''
    })
  })

  it('a listing that ends with a failure', async () => {
    server.utxos.set(
      ADDRESS,
      Array.from({ length: 250 }, (_, i) => entry(ADDRESS, i))
    )
    server.fault = (response, { query }) =>
      query.get('page') === '3' ? void response.writeHead(404).end('{"status_code":404}') : false
    await expect(provider().fetcher.fetchAddressUTxOs(ADDRESS)).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' })
  })

  it('a 404 of another kind of server', async () => {
    server.fault = (response) => void response.writeHead(404).end('<h1>Not Found</h1>')
    await expect(provider().fetcher.fetchAddressUTxOs(ADDRESS)).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' })
  })

  it('an address of another network, before anything is asked', async () => {
    for (const address of [
      'addr1vpu5vlrf4xkxv2qpwngf6cjhtw542ayty80v8dyr49rf5eg0yu80w',
      'addr1 x',
      '',
      '../blocks/latest',
      `${ADDRESS}/../..`
    ]) {
      await expect(provider().fetcher.fetchAddressUTxOs(address)).rejects.toMatchObject({ code: 'INPUT_ADDRESS' })
    }
    expect(server.seen).toEqual([])
  })

  it('arguments that are none, before anything is asked', async () => {
    const { fetcher } = provider()
    await expect(fetcher.fetchAddressUTxOs(ADDRESS, 'nutcoin')).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: 'asset'
    })
    await expect(fetcher.fetchUTxOs([{ txHash: 'ab', index: 0 }])).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: 'refs'
    })
    await expect(fetcher.fetchUTxOs([{ txHash: 'a'.repeat(64), index: -1 }])).rejects.toMatchObject({
      argument: 'refs'
    })
    await expect(fetcher.fetchUTxOs(undefined as never)).rejects.toMatchObject({ argument: 'refs' })
    for (const junk of [
      null,
      5,
      { txHash: ['a'.repeat(64)], index: 0 },
      { txHash: Symbol('a'), index: 0 },
      { txHash: 'a'.repeat(64), index: Object.create(null) as unknown }
    ]) {
      await expect(fetcher.fetchUTxOs([junk] as never)).rejects.toMatchObject({
        code: 'INPUT_ARGUMENT',
        argument: 'refs'
      })
    }
    expect(server.seen).toEqual([])
  })
})
