import { inspect } from 'node:util'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { encodeBech32 } from '../../src/codec/bech32'
import { AppWallet, ChainCliWallet, EmbeddedWallet, walletFromCip30 } from '../../src/wallet/index'

const words = 'test walk nut penalty hip pave soap entry language right filter choice'.split(' ')
const password = 'correct horse battery staple'
const tx = '84a3008182582000000000000000000000000000000000000000000000000000000000000000000001800200a0f5f6'
const skeySeed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
const fetcher = { fetchAddressUTxOs: async () => [] }

/** Every form in which a secret could show: hex, base64, bech32, decimal bytes. */
function formsOf(secret: Uint8Array): string[] {
  const forms: string[] = []
  for (const part of [secret, secret.slice(0, 32), secret.slice(32, 64)].filter(({ length }) => length >= 16)) {
    const base64 = Buffer.from(part).toString('base64').replace(/=+$/, '').slice(0, -1)
    forms.push(
      bytesToHex(part),
      base64,
      base64.replaceAll('+', '-').replaceAll('/', '_'),
      encodeBech32('xprv', part).slice(5, -7),
      part.join(','),
      part.join(', '),
      JSON.stringify(part).slice(1, -1)
    )
  }
  return forms
}

const rootHex = EmbeddedWallet.mnemonicToPrivateKeyHex(words, password)
const reference = new AppWallet({ networkId: 0, key: { type: 'rootHex', hex: rootHex } }).getAccount()
const secretsOf = (xprvBech32: string): string[] =>
  formsOf(hexToBytes(EmbeddedWallet.privateKeyBech32ToPrivateKeyHex(xprvBech32)))
const SECRETS = [
  words.join(' '),
  words.slice(3, 7).join(' '),
  words.join(','),
  words.slice(3, 7).join("', '"),
  password,
  ...formsOf(hexToBytes(rootHex)),
  ...secretsOf(reference.paymentKey.toXprvBech32()),
  ...secretsOf(reference.stakeKey.toXprvBech32()),
  ...formsOf(hexToBytes(skeySeed))
].map((secret) => secret.toLowerCase())

/** The eight sinks. Each turns a value into text as a program, a log or an error tracker would. */
const SINKS: Record<string, (value: unknown) => string> = {
  'JSON.stringify': (value) => JSON.stringify(value) ?? '',
  'util.inspect': (value) =>
    inspect(value, { depth: Infinity, showHidden: true, maxArrayLength: null, maxStringLength: null }),
  'util.inspect without custom rendering': (value) =>
    inspect(value, { depth: Infinity, showHidden: true, maxArrayLength: null, customInspect: false }),
  String: (value) => `${String(value)} ${value instanceof Object ? Object.prototype.toString.call(value) : ''}`,
  'Object.entries and own property names': (value) =>
    value instanceof Object
      ? JSON.stringify([
          Object.entries(value),
          Object.getOwnPropertyNames(value),
          Object.getOwnPropertySymbols(value).map(String)
        ])
      : '',
  structuredClone: (value) => {
    try {
      return inspect(structuredClone(value), { depth: Infinity, showHidden: true })
    } catch (error) {
      return String(error)
    }
  },
  'error fields': (value) =>
    value instanceof Error ? [value.message, value.stack, inspect(value.cause, { depth: Infinity })].join('\n') : '',
  console: (value) => {
    const spies = (['log', 'error', 'warn', 'info', 'debug'] as const).map((name) =>
      jest.spyOn(console, name).mockImplementation(() => {})
    )
    const writes: string[] = []
    for (const stream of [process.stdout, process.stderr])
      jest.spyOn(stream, 'write').mockImplementation((text) => writes.push(String(text)) > 0)
    console.log(value)
    const text = spies
      .flatMap((spy) => spy.mock.calls.flat().map((item) => inspect(item, { depth: Infinity, showHidden: true })))
      .join('\n')
    jest.restoreAllMocks()
    return text + writes.join('')
  }
}

function expectNoSecret(value: unknown, where: string): void {
  for (const [name, sink] of Object.entries(SINKS)) {
    const text = sink(value).toLowerCase().replace(/\s+/g, ' ')
    const hit = SECRETS.findIndex((secret) => text.includes(secret))
    if (hit >= 0) throw new Error(`secret ${hit} shows in ${name} of ${where}`)
  }
}

/** Runs an action that succeeds or fails and looks at what comes out. */
async function look(where: string, run: () => unknown): Promise<void> {
  let outcome: unknown
  try {
    outcome = await run()
  } catch (error) {
    outcome = error
  }
  expectNoSecret(outcome, where)
}

describe('secrets', () => {
  it('are found by the sinks when they do show', () => {
    expect(() => expectNoSecret({ rootHex }, 'a leak')).toThrow('secret')
    expect(() => expectNoSecret(new Error(words.join(' ')), 'a leak')).toThrow('secret')
    expect(() => expectNoSecret({ key: hexToBytes(rootHex) }, 'a leak')).toThrow('secret')
  })

  const keys = [
    ['mnemonic', { type: 'mnemonic', words, password }],
    ['root', { type: 'root', bech32: EmbeddedWallet.privateKeyHexToBech32(rootHex) }],
    ['rootHex', { type: 'rootHex', hex: rootHex }]
  ] as const

  it.each(keys)('do not show in a wallet made from a key of type %s, whatever is done with it', async (type, key) => {
    const wallet = new AppWallet({ networkId: 0, key, fetcher, submitter: { submitTx: async () => 'id' } })
    const other = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: AppWallet.brew().split(' ') } })
    expectNoSecret(wallet, type)
    const actions: Record<string, () => unknown> = {
      getAccount: () => wallet.getAccount(),
      'public key': () => wallet.getAccount().paymentKey.toJSON(),
      paymentKey: () => wallet.getAccount().paymentKey,
      sign: () => wallet.getAccount().paymentKey.sign(new Uint8Array(3)),
      signTx: () => wallet.signTx(tx),
      signTxs: () => wallet.signTxs([tx, tx], true),
      signData: () => wallet.signData(wallet.getPaymentAddress(), 'hello'),
      toCip30: () => wallet.toCip30(),
      walletFromCip30: () => walletFromCip30(wallet.toCip30()),
      'signTx of garbage': () => wallet.signTx('00'),
      'signTx of no text': () => wallet.signTx({} as never),
      'signTx with missing signers': () =>
        wallet.signTx(
          `84a400818258200000000000000000000000000000000000000000000000000000000000000000000180020 0e81581c${'11'.repeat(28)}a0f5f6`.replace(
            ' ',
            ''
          )
        ),
      'signData for another address': () => wallet.signData(other.getPaymentAddress(), 'hello'),
      'bad index': () => wallet.getAccount(-1, 2 ** 31),
      'sign no bytes': () => wallet.getAccount().paymentKey.sign('x' as never),
      'cip30 signData': () => wallet.toCip30().signData('00', 'zz'),
      'submitTx rejected': () => new AppWallet({ networkId: 0, key }).submitTx(tx),
      'no network': () => new AppWallet({ networkId: 7, key }),
      create: () => AppWallet.create({ networkId: 0, key })
    }
    for (const [name, run] of Object.entries(actions)) await look(`${type}: ${name}`, run)
    expectNoSecret(wallet, `${type} after use`)
    wallet.dispose()
    for (const [name, run] of Object.entries(actions)) await look(`${type} disposed: ${name}`, run)
  })

  it('do not show in the errors of keys that are wrong', async () => {
    const create = (key: unknown) => () => new AppWallet({ networkId: 0, key: key as never })
    const bad: unknown[] = [
      { type: 'mnemonic', words: words.join(' ') },
      { type: 'mnemonic', words: [...words.slice(0, 11), words[0]] },
      { type: 'mnemonic', words: [...words, 'test'] },
      { type: 'mnemonic', words: [...words.slice(0, 11), words.slice(3, 7).join(' ')] },
      { type: 'mnemonic', words, password: [password] },
      { type: 'mnemonic', words, password: `${password}\ud800` },
      { type: 'root', bech32: rootHex },
      { type: 'root', bech32: EmbeddedWallet.privateKeyHexToBech32(rootHex).slice(0, -1) },
      { type: 'root', bech32: encodeBech32('addr', hexToBytes(rootHex)) },
      { type: 'rootHex', hex: `${rootHex}0` },
      { type: 'rootHex', hex: rootHex.slice(2) },
      { type: 'rootHex', hex: `ff${rootHex.slice(2)}` },
      { type: 'rootHex', hex: `${rootHex.slice(0, 100)}x${rootHex.slice(101)}` },
      { type: rootHex },
      { type: 'accountXpub', xpub: rootHex },
      { type: 'addresses', addresses: [rootHex] },
      rootHex
    ]
    for (const [i, key] of bad.entries()) {
      expect(create(key)).toThrow(expect.objectContaining({ code: expect.stringMatching(/^(WALLET|INPUT)_/) }))
      await look(`wrong key ${i}`, create(key))
      await look(`wrong key ${i}, create`, () => AppWallet.create({ networkId: 0, key: key as never }))
    }
    for (const call of [
      () => EmbeddedWallet.mnemonicToPrivateKeyHex([...words.slice(1), words[0]!], password),
      () => EmbeddedWallet.privateKeyHexToBech32(rootHex.slice(0, 64)),
      () => EmbeddedWallet.privateKeyBech32ToPrivateKeyHex(rootHex)
    ])
      await look('static methods', call)
  })

  it('do not show in a CLI wallet or in the errors of its keys', async () => {
    const skey = `5820${skeySeed}`
    const wallet = new ChainCliWallet({ networkId: 0, skey })
    expectNoSecret(wallet, 'ChainCliWallet')
    await look('signTx', () => wallet.signTx(tx))
    await look('signData', () => wallet.signData(wallet.getAddressBech32(), 'x'))
    await look('signData elsewhere', () => wallet.signData(reference.baseAddressBech32, 'x'))
    await look('signTx garbage', () => wallet.signTx('zz'))
    const envelope = { type: 'PaymentSigningKeyShelley_ed25519', description: 'Payment Signing Key', cborHex: skey }
    const bad: unknown[] = [
      { skey, vkey: `5820${'11'.repeat(32)}` },
      { skey, vkey: skey.slice(2) },
      { skey: skeySeed },
      { skey: `${skey}00` },
      { skey: skey.slice(0, -2) },
      { skey: { ...envelope, cborHex: skey.slice(0, -1) } },
      { skey: { ...envelope, type: 'PaymentVerificationKeyShelley_ed25519' } },
      { skey: `${JSON.stringify(envelope).slice(0, -1)},` },
      { skey: `5880${skeySeed.repeat(4)}` }
    ]
    for (const [i, options] of bad.entries()) {
      expect(() => new ChainCliWallet({ networkId: 0, ...(options as { skey: string }) })).toThrow()
      await look(`wrong CLI key ${i}`, () => new ChainCliWallet({ networkId: 0, ...(options as { skey: string }) }))
    }
    wallet.dispose()
    await look('disposed', () => wallet.signTx(tx))
    expectNoSecret(wallet, 'ChainCliWallet after dispose')
  })
})
