import { contextParts } from '../../src/client/ClientContext.js'
import { parseAddress } from '../../src/codec/address.js'
import { createBlazeProvider } from 'layer-sdk/blaze'
import { createHeadClient } from 'layer-sdk/client'
import { createLucidProvider } from 'layer-sdk/lucid'
import { createMeshProvider } from 'layer-sdk/mesh'
import { ADA, startPageHead } from '../react/support'
import type { PageHead } from '../react/support'

let head: PageHead
beforeAll(async () => {
  head = await startPageHead()
})
afterAll(() => head.stop())

const addressOf = (index: number): string => head.wallets[index]!.getAddressBech32()
const connected = async (index = 0, options = {}) => {
  const client = head.client(index, options)
  await client.connect()
  return client
}
/** Stands for the module of Blaze, which test/builders runs. */
const sdk = {
  Provider: class {
    constructor(
      readonly network: unknown,
      readonly networkName: unknown
    ) {}
  },
  Core: {
    TransactionUnspentOutput: { fromCbor: (cbor: string) => cbor },
    ExUnits: { fromCore: (units: unknown) => units },
    PlutusData: { fromCbor: (cbor: string) => cbor }
  }
}

describe('a head as provider of Mesh, Lucid and Blaze', () => {
  it('gives the parameters of the head, each in its own form', async () => {
    const client = await connected()
    const raw = (await client.bridge.getRawProtocolParameters()) as any
    const mesh = createMeshProvider(client)
    expect(await mesh.fetchProtocolParameters()).toMatchObject({
      minFeeA: 0,
      minFeeB: 0,
      coinsPerUtxoSize: 4310,
      maxTxSize: 10_250,
      maxTxExMem: '14000000',
      minPoolCost: '170000000'
    })
    expect(await mesh.fetchCostModels()).toEqual([
      raw.costModels.PlutusV1,
      raw.costModels.PlutusV2,
      raw.costModels.PlutusV3
    ])
    const { costModels, ...lucid } = await createLucidProvider(client).getProtocolParameters()
    expect(lucid).toMatchObject({
      minFeeA: 0,
      coinsPerUtxoByte: 4310n,
      keyDeposit: 2_000_000n,
      maxTxExSteps: 10_000_000_000n
    })
    expect(Object.values(costModels.PlutusV3)).toEqual(raw.costModels.PlutusV3)
    // Lucid 0.4.30 reads a record by position, 0.4.34 a list.
    expect([...costModels.PlutusV3]).toEqual(raw.costModels.PlutusV3)
    const blaze = await (createBlazeProvider(client, sdk) as any).getParameters()
    expect(blaze).toMatchObject({
      minFeeCoefficient: 0,
      minFeeConstant: 1,
      coinsPerUtxoByte: 4310,
      protocolVersion: { major: 11 },
      prices: { memory: 0 }
    })
    expect(blaze.costModels.get(2)).toEqual(raw.costModels.PlutusV3)
  })

  it('names the slots of the head', async () => {
    const client = await connected()
    const expected = { zeroTime: client.bridge.slotZeroTimestamp, zeroSlot: 0, slotLength: 1000 }
    for (const provider of [createMeshProvider(client), createLucidProvider(client), createBlazeProvider(client, sdk)])
      expect(provider.getSlotConfig()).toEqual(expected)
  })

  it('refuses to name slots that nobody has told, in place of guessing', () => {
    const client = head.client(0, { wallet: undefined })
    expect(() => createMeshProvider(client).getSlotConfig()).toThrow(
      expect.objectContaining({ code: 'CLIENT_UNSUPPORTED_IN_HEAD', method: 'getSlotConfig' })
    )
  })

  it('reads the pending view: what a payment in flight spends is gone, what it makes is there', async () => {
    const client = await connected(1)
    const mesh = createMeshProvider(client)
    const lucid = createLucidProvider(client)
    const [before] = await mesh.fetchAddressUTxOs(addressOf(1))
    let txId = ''
    const paid = client.pay({
      to: addressOf(2),
      amount: 2n * ADA,
      onProgress: (progress) => {
        txId = progress.txId!
      }
    })
    await contextParts(client.context).changes.next()
    const during = await lucid.getUtxosByOutRef([
      { txHash: before!.input.txHash.toUpperCase(), outputIndex: before!.input.outputIndex }
    ])
    const after = await mesh.fetchAddressUTxOs(addressOf(1))
    await paid
    expect(during).toEqual([])
    expect(after.map(({ input }) => input.txHash)).toEqual([txId])
    expect(await lucid.getUtxos({ type: 'Key', hash: parseAddress(addressOf(1)).payment!.hash })).toEqual(
      await lucid.getUtxos(addressOf(1))
    )
    expect(await mesh.fetchUTxOs(txId)).toHaveLength(2)
    expect(await mesh.fetchUTxOs(txId, 0)).toHaveLength(1)
    expect(await lucid.awaitTx(txId)).toBe(true)
  })

  it('finds the one output that holds a unit, and refuses to choose among none', async () => {
    const lucid = createLucidProvider(await connected())
    await expect(lucid.getUtxoByUnit('ab'.repeat(28))).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(await lucid.getUtxosWithUnit(addressOf(0), 'ab'.repeat(28))).toEqual([])
    expect(await lucid.getUtxosWithUnit(addressOf(0), 'lovelace')).not.toEqual([])
  })

  it('rejects with a typed error what is no transaction, no address, no client, no module and no word of until', async () => {
    const client = await connected()
    await expect(createMeshProvider(client).submitTx('zz')).rejects.toMatchObject({ code: 'INPUT_HEX' })
    await expect(createLucidProvider(client).getUtxos('nobody')).rejects.toMatchObject({
      code: expect.stringMatching(/^INPUT_/)
    })
    await expect(createMeshProvider(client).submitTx('00', { until: 'sent' as never })).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT'
    })
    expect(() => createMeshProvider(client, { until: 'sent' as never })).toThrow(
      expect.objectContaining({ code: 'INPUT_ARGUMENT' })
    )
    expect(() => createMeshProvider({} as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
    expect(() => createBlazeProvider(client, {} as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })

  it('Blaze is told the network of the addresses, and refused where none is known', async () => {
    expect(createBlazeProvider(await connected(), sdk)).toMatchObject({ network: 0, networkName: 'unknown' })
    expect(createBlazeProvider(head.client(0, { wallet: undefined }), sdk, { networkId: 1 })).toMatchObject({
      network: 1
    })
    expect(() => createBlazeProvider(head.client(0, { wallet: undefined }), sdk)).toThrow(
      expect.objectContaining({ code: 'INPUT_ARGUMENT' })
    )
  })

  it('rejects while the client is not connected', async () => {
    await expect(createMeshProvider(head.client()).fetchAddressUTxOs(addressOf(0))).rejects.toMatchObject({
      code: 'BRIDGE_NOT_CONNECTED'
    })
  })

  it('a Plutus script of an output is `[language, bytes]` for Mesh and its CBOR for Lucid', async () => {
    const client = await connected()
    const scriptRef = { language: 'PlutusV2' as const, cborHex: '4e4d01000033222220051200120011' }
    jest.spyOn(client.bridge, 'getAddressUTxOs').mockReturnValue([
      {
        input: { txHash: 'ab'.repeat(32), index: 1 },
        output: { address: addressOf(0), amount: [{ unit: 'lovelace', quantity: '5' }], inlineDatum: '01', scriptRef }
      }
    ])
    expect(
      await createMeshProvider({ ...client, ...createHeadClient({ bridge: client.bridge }) }).fetchAddressUTxOs(
        addressOf(0)
      )
    ).toEqual([
      {
        input: { txHash: 'ab'.repeat(32), outputIndex: 1 },
        output: {
          address: addressOf(0),
          amount: [{ unit: 'lovelace', quantity: '5' }],
          plutusData: '01',
          scriptRef: '82024e4d01000033222220051200120011'
        }
      }
    ])
    expect(await createLucidProvider(client).getUtxos(addressOf(0))).toEqual([
      {
        txHash: 'ab'.repeat(32),
        outputIndex: 1,
        address: addressOf(0),
        assets: { lovelace: 5n },
        datum: '01',
        scriptRef: { type: 'PlutusV2', script: scriptRef.cborHex }
      }
    ])
  })
})
