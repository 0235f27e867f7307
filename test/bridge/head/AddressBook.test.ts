import { LayerBridge } from 'layer-sdk/bridge'
import { AddressBook, networkOf } from '../../../src/bridge/head/AddressBook.js'
import { FakeConnector } from '../../support/fakeConnector'
import { output } from '../../support/scriptedNode'
import { hashOf } from '../../support/sampleTx'

// CIP-19, test vectors: enterprise and reward addresses of the same keys on both networks.
const MAIN = 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8'
const TEST = 'addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz'
const STAKE = 'stake_test1uqehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gssrtvn'
// Byron addresses of mainnet and of the former testnet, from the documentation of cardano-addresses.
const BYRON_MAIN = 'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi'
const BYRON_TEST =
  '37btjrVyb4KEB2STADSsj3MYSAdj52X5FrFWpw2r7Wmj2GDzXjFRsHWuZqrw7zSkwopv8Ci3VWeg6bisU9dgJxW5hb2MZYeduNKbQJrqz3zVBsu9nT'

describe('addresses given to a bridge', () => {
  const mainnet = { lovelace: 5n }
  const read = { code: 'INPUT_ADDRESS' }

  /** A connected bridge over a head that holds outputs of these addresses. */
  async function holding(addresses: readonly string[], greetings: Record<string, unknown> = {}): Promise<LayerBridge> {
    const connector = new FakeConnector()
    connector.onRequest = async () => new Promise(() => undefined)
    const bridge = new LayerBridge({ connector })
    const connected = bridge.connect()
    const snapshotUtxo = Object.fromEntries(
      addresses.map((address, index) => [`${hashOf(index)}#0`, output(address, 5)])
    )
    connector.last.greet({ headStatus: 'Open', hydraHeadId: 'ab', snapshotUtxo, ...greetings })
    await connected
    return bridge
  }

  it.each([
    ['a word', 'foo'],
    ['nothing', ''],
    ['a broken checksum', TEST.replace(/z$/, 'q')],
    ['a reward address', STAKE],
    ['a transaction id', hashOf(1)],
    ['no text', 5 as never],
    ['null', null as never],
    ['a megabyte', 'a'.repeat(1_000_000)]
  ])('are refused, not answered with an empty balance: %s', async (_, address) => {
    for (const bridge of [await holding([TEST]), new LayerBridge({ connector: new FakeConnector() })]) {
      expect(() => bridge.getAddressBalance(address)).toThrow(expect.objectContaining(read))
      await expect(bridge.queryAddressUTxO(address)).rejects.toMatchObject(read)
      try {
        bridge.getAddressBalance(address)
      } catch (error) {
        expect((error as Error).message.length).toBeLessThan(400)
      }
      await bridge.disconnect()
    }
  })

  it.each([
    ['a test address in a mainnet head', MAIN, [TEST, BYRON_TEST]],
    ['a mainnet address in a test head', TEST, [MAIN, BYRON_MAIN]]
  ])('are refused when they belong to another network: %s', async (_, held, others) => {
    const bridge = await holding([BYRON_MAIN, held])
    for (const other of others.filter((each) => each !== BYRON_MAIN)) {
      expect(() => bridge.getAddressBalance(other)).toThrow(expect.objectContaining(read))
      await expect(bridge.queryAddressUTxO(other)).rejects.toMatchObject(read)
    }
    expect(bridge.getAddressBalance(held)).toEqual(new Map([['lovelace', mainnet.lovelace]]))
    // What holds outputs is answered, whatever it is.
    expect(bridge.getAddressBalance(BYRON_MAIN)).toEqual(new Map([['lovelace', 5n]]))
    await bridge.disconnect()
  })

  it("are refused by the network of the head's slots while it holds nothing", async () => {
    const mainnetSlot = Math.floor((Date.now() - 1_591_566_291_000) / 1000)
    const bridge = await holding([], { currentSlot: mainnetSlot })
    expect(bridge.getAddressBalance(MAIN)).toEqual(new Map())
    expect(() => bridge.getAddressBalance(TEST)).toThrow(expect.objectContaining(read))
    await bridge.disconnect()
  })

  it("are taken from both networks while the head's is not known, and in capital letters as bech32 allows", async () => {
    const empty = await holding([])
    for (const address of [MAIN, TEST, BYRON_MAIN, BYRON_TEST]) {
      expect(empty.getAddressBalance(address)).toEqual(new Map())
      expect(await empty.queryAddressUTxO(address)).toEqual([])
    }
    const bridge = await holding([TEST])
    expect(bridge.getAddressBalance(TEST.toUpperCase())).toEqual(new Map([['lovelace', 5n]]))
    expect(await bridge.queryAddressUTxO(TEST.toUpperCase())).toHaveLength(1)
    await Promise.all([empty.disconnect(), bridge.disconnect()])
  })

  it('are checked against the outputs that the node gives while the cache is cold', async () => {
    const connector = new FakeConnector()
    connector.onRequest = async () => ({
      status: 200,
      text: JSON.stringify({
        tag: 'InitialSnapshot',
        headId: 'ab',
        initialUTxO: { [`${hashOf(1)}#0`]: output(TEST, 5) }
      })
    })
    const bridge = new LayerBridge({ connector })
    await expect(bridge.queryAddressUTxO(MAIN)).rejects.toMatchObject(read)
    expect(await bridge.queryAddressUTxO(TEST)).toHaveLength(1)
  })

  it('are remembered up to a bound', () => {
    const book = new AddressBook()
    for (let at = 0; at < 3; at++) expect(book.resolve(TEST, 0)).toBe(TEST)
    expect(() => book.resolve(TEST, 1)).toThrow(expect.objectContaining(read))
    expect([networkOf([]), networkOf([BYRON_MAIN]), networkOf([BYRON_MAIN, MAIN]), networkOf([TEST, MAIN])]).toEqual([
      null,
      null,
      1,
      0
    ])
  })
})
