import { DevNode } from '../../../src/devnode'
import { parseAddress } from '../../../src/codec/address'
import { ChainCliWallet } from '../../../src/wallet'
import { encodeTxOutput } from '../../../src/codec/txOutput'
import { bytesToHex } from '../../../src/codec/hex'

describe('the accounts of a local node', () => {
  it('are ten of the phrase that other development networks use, each with 10,000 ada', () => {
    const node = new DevNode()
    expect(node.phrase).toBe(`${'test '.repeat(23)}sauce`)
    expect(node.accounts).toHaveLength(10)
    // Yaci DevKit's first default address.
    expect(node.accounts[0]).toMatchObject({
      index: 0,
      address:
        'addr_test1qryvgass5dsrf2kxl3vgfz76uhp83kv5lagzcp29tcana68ca5aqa6swlq6llfamln09tal7n5kvt4275ckwedpt4v7q48uhex',
      lovelace: 10_000_000_000n
    })
    for (const { address } of node.accounts) {
      expect(node.baseUtxos(address).reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)).toBe(
        10_000_000_000n
      )
    }
  })

  it('are the same in every node of a process, however many it has, and objects of its own', () => {
    const few = new DevNode({ accounts: 1, balance: 5 }).accounts
    const more = new DevNode({ accounts: 3 }).accounts
    const again = new DevNode({ accounts: 2 }).accounts
    expect(more.slice(0, 2)).toEqual(again.slice(0, 2))
    expect(few[0]).toEqual({ ...more[0], lovelace: 5_000_000n })
    expect(again[0]).not.toBe(more[0])
  })

  it('are never those of the public phrase on mainnet, however it is written, and the refusal does not repeat it', () => {
    const { phrase } = new DevNode({ accounts: 0 })
    const hostile = [
      { accounts: 1 },
      { phrase },
      { phrase, accounts: 0 },
      { phrase: `  ${phrase.replaceAll(' ', '\t ').toUpperCase()}\n`, accounts: 3 }
    ]
    for (const options of hostile) {
      const refused = (() => {
        try {
          return new DevNode({ networkId: 1, ...options })
        } catch (error) {
          return error as Error
        }
      })()
      expect(refused).toMatchObject({
        code: 'INPUT_ARGUMENT',
        message: expect.stringContaining('the public development phrase')
      })
      expect((refused as Error).message).not.toMatch(/test test|sauce/)
    }
    expect(new DevNode({ networkId: 0, phrase }).accounts).toHaveLength(10)
    expect(new DevNode({ networkId: 1 }).accounts).toEqual([])
  })

  it('have keys that ChainCliWallet takes', () => {
    const [account] = new DevNode({ accounts: 1 }).accounts
    const wallet = new ChainCliWallet({ networkId: 0, skey: account!.skey })
    const { payment } = parseAddress(account!.address)
    expect(parseAddress(wallet.getChangeAddress()).payment).toEqual(payment)
  })

  it('follow the options, and need a phrase of their own on mainnet', () => {
    const phrase = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
    const node = new DevNode({ accounts: 2, balance: 5, phrase })
    expect(node.accounts.map(({ lovelace }) => lovelace)).toEqual([
      5_000_000n,
      5_000_000n,
      ...Array.from({ length: 8 }, () => 0n)
    ])
    expect(node.accounts.map(({ address }) => node.baseUtxos(address).length)).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    expect(new DevNode({ networkId: 1 }).accounts).toEqual([])
    expect(new DevNode({ networkId: 1, phrase, accounts: 1 }).accounts[0]!.address).toMatch(/^addr1/)
    expect(() => new DevNode({ phrase: 'test sauce' })).toThrow()
    expect(() => new DevNode({ accounts: -1 })).toThrow(/accounts/)
    expect(() => new DevNode({ balance: 0.5 })).toThrow(/balance/)
  })
})

describe('the test keys of a local node', () => {
  it('are at least three, and only the named ones hold something and stand in the status', async () => {
    const node = new DevNode({ testKeys: ['dave', 'alice'], accounts: 1 })
    expect(node.keys.map(({ name, lovelace }) => [name, lovelace > 0n])).toEqual([
      ['dave', true],
      ['alice', true],
      ['bob', false]
    ])
    expect(node.keys.map(({ address }) => node.baseUtxos(address).length)).toEqual([10, 10, 0])
    expect((await node.status()).accounts.map(({ name }) => name)).toEqual(['dave', 'alice', 'account 0'])
    expect(new DevNode({ testKeys: [] }).keys.map(({ name, lovelace }) => [name, lovelace])).toEqual([
      ['alice', 0n],
      ['bob', 0n],
      ['carol', 0n]
    ])
  })

  it('are the same for the same seed and name in every node of a process, also where seeds and names join to the same text', () => {
    const keysOf = (seed: string, name: string) => new DevNode({ seed, testKeys: [name], accounts: 0 }).keys[0]!
    expect(keysOf('a', 'b')).toEqual(keysOf('a', 'b'))
    expect(keysOf('a', 'b').skey).not.toBe(keysOf('a', 'c').skey)
    expect(keysOf('a', 'b').skey).not.toBe(keysOf('c', 'b').skey)
    expect([keysOf('a/b', 'c').name, keysOf('a', 'b/c').name]).toEqual(['c', 'b/c'])
    for (let i = 0; i < 300; i++) keysOf('a', `key ${i}`)
    expect(keysOf('a', 'key 0')).toEqual(keysOf('a', 'key 0'))
  })
})

describe('genesis', () => {
  const address = new DevNode({ accounts: 0 }).keys[0]!.address
  const input = { txHash: 'ab'.repeat(32), index: 3 }

  it('takes outputs with datum, CBOR with its input, and the UTxO map of a node, side by side', () => {
    const cbor = bytesToHex(
      encodeTxOutput({ address, amount: [{ unit: 'lovelace', quantity: '7000000' }], inlineDatum: '182a' })
    )
    const map = {
      [`${'cd'.repeat(32)}#1`]: { address, value: { lovelace: 3_000_000, ['0a'.repeat(28)]: { '01': 2 } } }
    }
    const entries = [
      { address, lovelace: 5_000_000, datumHash: 'ee'.repeat(32) },
      { input, output: cbor },
      map
    ] as never
    const found = new DevNode({ testKeys: [], accounts: 0, genesis: entries }).baseUtxos(address)
    expect(found).toEqual([
      {
        input: expect.anything(),
        output: { address, amount: [{ unit: 'lovelace', quantity: '5000000' }], datumHash: 'ee'.repeat(32) }
      },
      { input, output: { address, amount: [{ unit: 'lovelace', quantity: '7000000' }], inlineDatum: '182a' } },
      {
        input: { txHash: 'cd'.repeat(32), index: 1 },
        output: {
          address,
          amount: [
            { unit: 'lovelace', quantity: '3000000' },
            { unit: `${'0a'.repeat(28)}01`, quantity: '2' }
          ]
        }
      }
    ])
    const alone = new DevNode({ testKeys: [], accounts: 0, genesis: map as never }).baseUtxos(address)
    expect(alone).toHaveLength(1)
  })

  it.each([
    ['CBOR that is none', [{ input, output: 'ff' }]],
    [
      'CBOR with bytes after it',
      [{ input, output: `${bytesToHex(encodeTxOutput({ address, amount: [{ unit: 'lovelace', quantity: '1' }] }))}00` }]
    ],
    ['a reference that is none', { 'ab#0': { address, value: { lovelace: 1 } } }],
    ['an output that is none', { [`${'ab'.repeat(32)}#0`]: { address } }],
    ['an input that is none', [{ input: { txHash: 'ab', index: 0 }, output: '00' }]],
    [
      'a reference script, which would be lost',
      { [`${'ab'.repeat(32)}#0`]: { address, value: { lovelace: 1_000_000 }, referenceScript: {} } }
    ],
    [
      'an inline datum without its bytes',
      { [`${'ab'.repeat(32)}#0`]: { address, value: { lovelace: 1_000_000 }, inlineDatum: { int: 1 } } }
    ],
    ['a text', 'genesis']
  ])('refuses %s with a typed error', (_, genesis) => {
    let code: unknown
    try {
      new DevNode({ accounts: 0, genesis: genesis as never })
    } catch (error) {
      code = (error as { code?: string }).code
    }
    expect(code).toMatch(/^(INPUT|CODEC|CBOR)_/)
  })
})
