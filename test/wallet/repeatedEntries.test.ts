import { AppWallet, ChainCliWallet, EmbeddedWallet, walletFromCip30 } from '../../src/wallet/index.js'
import { DevNode } from '../../src/devnode/index.js'
import { bytes, encodeValue, int, list, map } from '../support/cborValue.js'
import type { CborValue } from '../support/cborValue.js'

const phrase = {
  type: 'mnemonic',
  words: 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'.split(' ')
} as const
const OWN = `60${'11'.repeat(28)}`
const STRANGER = `60${'5a'.repeat(28)}`
const POLICY = 'ab'.repeat(28)
const coins = (...assets: CborValue[]): CborValue => list(int(2_000_000), map(...assets))

function transaction(outputs: CborValue[], more: [number, CborValue][] = []): string {
  const body = map(
    int(0),
    list(list(bytes('cd'.repeat(32)), int(0))),
    int(1),
    list(...outputs),
    int(2),
    int(170_000),
    ...more.flatMap(([key, value]) => [int(key), value])
  )
  return encodeValue(list(body, map(), { kind: 'simple', value: 21n }, { kind: 'simple', value: 22n }))
}

const AMBIGUOUS: [string, string][] = [
  [
    'an output map with the address twice',
    transaction([map(int(0), bytes(OWN), int(1), int(5), int(0), bytes(STRANGER))])
  ],
  ['an output map with the value twice', transaction([map(int(0), bytes(OWN), int(1), int(5), int(1), int(1))])],
  [
    'a value with one policy twice',
    transaction([
      map(
        int(0),
        bytes(OWN),
        int(1),
        coins(bytes(POLICY), map(bytes('01'), int(1)), bytes(POLICY), map(bytes('01'), int(5)))
      )
    ])
  ],
  [
    'a value with one asset name twice',
    transaction([map(int(0), bytes(OWN), int(1), coins(bytes(POLICY), map(bytes('01'), int(1), bytes('01'), int(5))))])
  ],
  [
    'an output list with one policy twice',
    transaction([
      list(bytes(OWN), coins(bytes(POLICY), map(bytes('01'), int(1)), bytes(POLICY), map(bytes('02'), int(5))))
    ])
  ],
  [
    'a mint with one policy twice',
    transaction(
      [list(bytes(OWN), int(5))],
      [[9, map(bytes(POLICY), map(bytes('01'), int(1)), bytes(POLICY), map(bytes('02'), int(1)))]]
    )
  ],
  [
    'a return of collateral with the address twice',
    transaction([list(bytes(OWN), int(5))], [[16, map(int(0), bytes(OWN), int(1), int(5), int(0), bytes(STRANGER))]])
  ],
  [
    'a withdrawal of one account twice',
    transaction([list(bytes(OWN), int(5))], [[5, map(bytes(`e0${POLICY}`), int(1), bytes(`e0${POLICY}`), int(2))]])
  ],
  ['an output without a value', transaction([map(int(0), bytes(OWN))])]
]
const PLAIN = transaction([
  map(int(0), bytes(OWN), int(1), coins(bytes(POLICY), map(bytes('01'), int(1), bytes('02'), int(1)))),
  list(bytes(OWN), int(5))
])

const app = new AppWallet({ networkId: 0, key: phrase as never })
const WALLETS: [string, { signTx(tx: string, partial?: boolean): Promise<string> }][] = [
  ['AppWallet', app],
  ['ChainCliWallet', new ChainCliWallet({ networkId: 0, skey: new DevNode().keys[0]!.skey })],
  ['EmbeddedWallet', new EmbeddedWallet({ networkId: 0, key: phrase as never } as never)],
  ['a wallet from CIP-30', walletFromCip30((app as unknown as { toCip30(): never }).toCip30())]
]

describe.each(WALLETS)('%s', (_wallet, wallet) => {
  it.each(AMBIGUOUS)(
    'signs no transaction with %s: what one decoder shows is not what another signs',
    async (_name, tx) => {
      await expect(wallet.signTx(tx, true)).rejects.toMatchObject({ code: 'INPUT_CBOR' })
    }
  )

  it('signs a transaction in which everything stands once', async () => {
    await expect(wallet.signTx(PLAIN, true)).resolves.toMatch(/^84/)
  })
})
