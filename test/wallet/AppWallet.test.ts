import { Point } from '@noble/ed25519'
import {
  AppWallet,
  ChainCliWallet,
  EmbeddedWallet,
  mergeWitnesses,
  requiredSigners,
  txIdOf,
  verifyData,
  witnessesOf
} from '../../src/wallet/index'
import { bytesToHex } from '../../src/codec/hex'
import { HmacSha512 } from '../../src/crypto/hmac'
import { HdKeys } from '../../src/wallet/keys/HdKeys'
import type { UTxO } from '../../src/types/utxo'

const words = 'test walk nut penalty hip pave soap entry language right filter choice'.split(' ')
const key = { type: 'mnemonic', words } as const
const wallet = new AppWallet({ networkId: 0, key })
const account = wallet.getAccount()
const INPUT = '8258200000000000000000000000000000000000000000000000000000000000000000' + '00'
const hash = (byte: string): string => byte.repeat(28)
const body = (more = '', entries = 3): string => `a${entries}0081${INPUT}01800200${more}`
const tx = (more = '', entries = 3, witnesses = 'a0'): string => `84${body(more, entries)}${witnesses}f5f6`
const code = (expected: string): any => expect.objectContaining({ code: expected })

describe('AppWallet', () => {
  it('brews phrases of 24 words, and of the strength asked for', () => {
    expect(AppWallet.brew().split(' ')).toHaveLength(24)
    for (const [strength, count] of [
      [128, 12],
      [160, 15],
      [192, 18],
      [224, 21],
      [256, 24]
    ] as const) {
      expect(AppWallet.brew(strength).split(' ')).toHaveLength(count)
      expect(EmbeddedWallet.generateMnemonic(strength).split(' ')).toHaveLength(count)
    }
    for (const strength of [0, 127, 129, 512, NaN, '128', null, {}]) {
      expect(() => AppWallet.brew(strength as number)).toThrow(code('WALLET_MNEMONIC_STRENGTH'))
    }
    expect(new Set(Array.from({ length: 50 }, () => AppWallet.brew())).size).toBe(50)
  })

  it('gives the same account from every form of the same key', async () => {
    const rootHex = EmbeddedWallet.mnemonicToPrivateKeyHex(words)
    const bech32 = EmbeddedWallet.privateKeyHexToBech32(rootHex)
    expect(EmbeddedWallet.privateKeyBech32ToPrivateKeyHex(bech32)).toBe(rootHex)
    const embedded = new EmbeddedWallet({ networkId: 0, key })
    expect(embedded.mnemonicToPrivateKeyHex(words)).toBe(rootHex)
    expect(embedded.privateKeyBech32ToPrivateKeyHex(embedded.privateKeyHexToBech32(rootHex))).toBe(rootHex)
    expect(embedded.generateMnemonic(128).split(' ')).toHaveLength(12)
    const wallets = [
      embedded,
      new AppWallet({ networkId: 0, key: { type: 'root', bech32 } }),
      new AppWallet({ networkId: 0, key: { type: 'rootHex', hex: rootHex.toUpperCase() } }),
      await AppWallet.create({ networkId: 0, key })
    ]
    for (const other of wallets)
      expect(JSON.stringify(other.getAccount(3, 4))).toBe(JSON.stringify(wallet.getAccount(3, 4)))
    const withPassword = await AppWallet.create({ networkId: 0, key: { ...key, password: 'päss' } })
    expect(withPassword.getPaymentAddress()).toBe(
      new AppWallet({ networkId: 0, key: { ...key, password: 'päss' } }).getPaymentAddress()
    )
    expect(withPassword.getPaymentAddress()).not.toBe(wallet.getPaymentAddress())
  })

  it('takes a password that looks like hex as text', () => {
    const text = new AppWallet({ networkId: 0, key: { ...key, password: '666f6f' } })
    expect(text.getPaymentAddress()).not.toBe(
      new AppWallet({ networkId: 0, key: { ...key, password: 'foo' } }).getPaymentAddress()
    )
  })

  it('lets the stake key follow the key index, or stay', () => {
    const fixed = new AppWallet({ networkId: 0, key, stakeKeyIndex: 0 })
    expect(wallet.getAccount(0, 5).rewardAddressBech32).toBe(wallet.getRewardAddress(0, 5))
    expect(wallet.getRewardAddress(0, 5)).not.toBe(wallet.getRewardAddress(0, 0))
    expect(fixed.getRewardAddress(0, 5)).toBe(wallet.getRewardAddress(0, 0))
    expect(fixed.getAccount(0, 5).paymentKey.keyHashHex).toBe(wallet.getAccount(0, 5).paymentKey.keyHashHex)
  })

  it('freezes its accounts and shows only public parts', () => {
    expect(Object.isFrozen(account) && Object.isFrozen(account.paymentKey)).toBe(true)
    expect(Object.keys(account).sort()).toEqual(
      [
        'accountIndex',
        'addressIndex',
        'baseAddressBech32',
        'enterpriseAddressBech32',
        'paymentKey',
        'rewardAddressBech32',
        'stakeKey'
      ].sort()
    )
    expect(JSON.parse(JSON.stringify(account.paymentKey))).toEqual({
      publicKeyHex: account.paymentKey.publicKeyHex,
      keyHashHex: account.paymentKey.keyHashHex
    })
    expect(JSON.parse(JSON.stringify(wallet))).toEqual({ networkId: 0, key: '[redacted]' })
    expect(wallet.getAccount(1, 2)).toMatchObject({ accountIndex: 1, addressIndex: 2 })
  })

  it('signs one message only, when its bytes change while they are read', () => {
    let reads = 0
    const message = Object.create(Uint8Array.prototype, {
      length: { value: 1 },
      0: { get: () => reads++ }
    }) as Uint8Array
    const { paymentKey } = account
    const [first, second] = [paymentKey.sign(message), paymentKey.sign(message)]
    expect(reads).toBe(2)
    expect([first, second]).toEqual([paymentKey.sign(Uint8Array.of(0)), paymentKey.sign(Uint8Array.of(1))])
  })

  it('refuses networks and indexes out of range by typed errors', async () => {
    for (const networkId of [-1, 2, 7, 0.5, NaN, '1', null, undefined, 1n])
      expect(() => new AppWallet({ networkId: networkId as number, key })).toThrow(code('INPUT_ARGUMENT'))
    for (const index of [-1, 0.5, NaN, Infinity, 2 ** 31, 2 ** 32, '1', null, 1n, {}]) {
      expect(() => wallet.getAccount(index as number)).toThrow(code('INPUT_ARGUMENT'))
      expect(() => wallet.getPaymentAddress(0, index as number)).toThrow(code('INPUT_ARGUMENT'))
      expect(() => new AppWallet({ networkId: 0, key, stakeKeyIndex: index as number })).toThrow(code('INPUT_ARGUMENT'))
      await expect(wallet.signTx(tx(), false, index as number)).rejects.toEqual(code('INPUT_ARGUMENT'))
      await expect(wallet.signData(account.baseAddressBech32, '', 0, index as number)).rejects.toEqual(
        code('INPUT_ARGUMENT')
      )
    }
    expect(wallet.getAccount(2 ** 31 - 1, 2 ** 31 - 1).accountIndex).toBe(2 ** 31 - 1)
    for (const options of [undefined, null, 5])
      expect(() => new AppWallet(options as never)).toThrow(code('INPUT_ARGUMENT'))
  })

  it('submits and queries through its providers, and rejects without', async () => {
    const utxo: UTxO = {
      input: { txHash: '00'.repeat(32), index: 0 },
      output: { address: account.baseAddressBech32, amount: [{ unit: 'lovelace', quantity: '1' }] }
    }
    const fetcher = {
      fetchAddressUTxOs: async (address: string) => (address === account.baseAddressBech32 ? [utxo] : [])
    }
    const submitter = { submitTx: async (cbor: string) => txIdOf(cbor) }
    const online = new AppWallet({ networkId: 0, key, fetcher, submitter })
    expect(await online.queryUTxOs(account.baseAddressBech32)).toEqual([utxo])
    expect(await online.submitTx(tx())).toBe(txIdOf(tx()))
    await expect(wallet.submitTx(tx())).rejects.toEqual(code('WALLET_SUBMITTER_MISSING'))
    await expect(wallet.queryUTxOs('')).rejects.toEqual(code('WALLET_FETCHER_MISSING'))
    for (const other of [null, 5, {}, { fetcher, submitter }]) {
      const mistaken = new AppWallet({ networkId: 0, key, fetcher: other as never, submitter: other as never })
      await expect(mistaken.submitTx(tx())).rejects.toEqual(code('WALLET_SUBMITTER_MISSING'))
      await expect(mistaken.queryUTxOs('')).rejects.toEqual(code('WALLET_FETCHER_MISSING'))
    }
  })
})

describe('signTx', () => {
  it('adds the stake key where the transaction visibly demands it, and names the keys that are missing', async () => {
    const { paymentKey, stakeKey } = account
    const reward = `581de0${stakeKey.keyHashHex}`.replace('581de0', '581de0')
    const cases: Record<string, [more: string, entries: number, stakeSigns: boolean, missing: string[]]> = {
      'nothing visible': ['', 3, false, []],
      'required signer: payment': [`0e81581c${paymentKey.keyHashHex}`, 4, false, []],
      'required signer: stake, tag 258': [`0ed9010281581c${stakeKey.keyHashHex}`, 4, true, []],
      withdrawal: [`05a1${reward}00`, 4, true, []],
      'script withdrawal': [`05a1581df0${hash('33')}00`, 4, false, []],
      delegation: [`0481830282 00581c${stakeKey.keyHashHex}581c${hash('22')}`.replace(' ', ''), 4, true, []],
      'old registration': [`048182008200581c${hash('44')}`, 4, false, []],
      'registration with deposit': [
        `04818307 8200581c${hash('44')}1a001e8480`.replace(' ', ''),
        4,
        false,
        [hash('44')]
      ],
      'script delegation': [`048183028201581c${hash('55')}581c${hash('22')}`, 4, false, []],
      'pool retirement': [`0481830 4581c${hash('66')}01`.replace(' ', ''), 4, false, [hash('66')]],
      'two strangers': [`0e82581c${hash('77')}581c${hash('88')}`, 4, false, [hash('77'), hash('88')]]
    }
    for (const [name, [more, entries, stakeSigns, missing]] of Object.entries(cases)) {
      const unsigned = tx(more, entries)
      const partial = await wallet.signTx(unsigned, true)
      expect([name, witnessesOf(partial).map(({ keyHashHex }) => keyHashHex)]).toEqual([
        name,
        [paymentKey.keyHashHex, ...(stakeSigns ? [stakeKey.keyHashHex] : [])]
      ])
      if (missing.length === 0) expect(await wallet.signTx(unsigned)).toBe(partial)
      else await expect(wallet.signTx(unsigned)).rejects.toMatchObject({ code: 'WALLET_TX_MISSING_SIGNERS', missing })
    }
  })

  it('demands the key of a single-key native script, and no other script', async () => {
    const single = tx('', 3, `a10181820 0581c${hash('99')}`.replace(' ', ''))
    await expect(wallet.signTx(single)).rejects.toMatchObject({
      code: 'WALLET_TX_MISSING_SIGNERS',
      missing: [hash('99')]
    })
    expect(requiredSigners(single)).toEqual([hash('99')])
    const own = tx('', 3, `a101818200581c${account.stakeKey.keyHashHex}`)
    expect(witnessesOf(await wallet.signTx(own))).toHaveLength(2)
    const any = tx('', 3, `a1018182028182 00581c${hash('99')}`.replace(' ', ''))
    expect(requiredSigners(any)).toEqual([])
    expect(witnessesOf(await wallet.signTx(any))).toHaveLength(1)
  })

  it('brings parties together that sign apart, in any order', async () => {
    const bob = new ChainCliWallet({ networkId: 0, skey: `5820${'07'.repeat(32)}` })
    const bobHash = witnessesOf(await bob.signTx(tx()))[0]!.keyHashHex
    const shared = tx(`0ed9010282581c${account.paymentKey.keyHashHex}581c${bobHash}`, 4)
    expect(requiredSigners(shared)).toEqual([account.paymentKey.keyHashHex, bobHash])
    await expect(wallet.signTx(shared)).rejects.toMatchObject({ missing: [bobHash] })
    const alices = await wallet.signTx(shared, true)
    const bobs = await bob.signTx(shared, true)
    const both = mergeWitnesses(alices, bobs)
    expect(both).toBe(await bob.signTx(alices))
    expect(witnessesOf(mergeWitnesses(bobs, alices)).map(({ keyHashHex }) => keyHashHex)).toEqual([
      bobHash,
      account.paymentKey.keyHashHex
    ])
    expect(txIdOf(both)).toBe(txIdOf(shared))
    expect(both).toContain('a100d9010282')
    expect(await wallet.signTx(both)).toBe(both)
  })

  it('takes transactions of three parts, and keeps the witnesses that are there', async () => {
    const three = `83${body()}a0f6`
    const signed = await wallet.signTx(three)
    expect(signed.startsWith(`83${body()}a10081825820`)).toBe(true)
    const node = `a10081825820${'aa'.repeat(32)}5840${'bb'.repeat(64)}`
    const drafted = await wallet.signTx(tx('', 3, node))
    expect(drafted).toContain(`a10082825820${'aa'.repeat(32)}5840${'bb'.repeat(64)}82`)
  })

  it('signs several at once, or none', async () => {
    const signed = await wallet.signTxs([tx(), tx('0300', 4)])
    expect(signed).toEqual([await wallet.signTx(tx()), await wallet.signTx(tx('0300', 4))])
    expect(await wallet.signTxs([])).toEqual([])
    await expect(wallet.signTxs([tx(), 'zz'])).rejects.toEqual(code('INPUT_HEX'))
    await expect(wallet.signTxs('x' as never)).rejects.toEqual(code('INPUT_ARGUMENT'))
    const cli = new ChainCliWallet({ networkId: 1, skey: `5820${'07'.repeat(32)}` })
    expect(await cli.signTxs([tx()])).toEqual([await cli.signTx(tx())])
  })
})

describe('signData', () => {
  it('chooses the key by the address and refuses addresses of others', async () => {
    for (const address of [account.baseAddressBech32, account.enterpriseAddressBech32, account.rewardAddressBech32]) {
      const signed = await wallet.signData(address, 'äöü')
      expect(
        signed.key.endsWith(
          address === account.rewardAddressBech32 ? account.stakeKey.publicKeyHex : account.paymentKey.publicKeyHex
        )
      ).toBe(true)
      expect(verifyData({ ...signed, address, payload: 'äöü' })).toBe(true)
    }
    const mainnet = new AppWallet({ networkId: 1, key })
    const others = [
      wallet.getPaymentAddress(0, 1),
      mainnet.getPaymentAddress(),
      new AppWallet({ networkId: 0, key: { type: 'mnemonic', words: AppWallet.brew().split(' ') } }).getRewardAddress(),
      'addr_test1wrphkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcl6szpr',
      '37btjrVyb4KDXBNC4haBVPCrro8AQPHwvCMp3RFhhSVWwfFmZ6wwzSK6JK1hY6wHNmtrpTf1kdbva8TCneM2YsiXT7mrzT21EacHnPpz5YyUdj64na'
    ]
    for (const address of others)
      await expect(wallet.signData(address, 'x')).rejects.toEqual(code('WALLET_ADDRESS_NOT_OWN'))
    await expect(wallet.signData('addr_test1nonsense', 'x')).rejects.toEqual(code('INPUT_ADDRESS'))
    await expect(wallet.signData(account.baseAddressBech32, 5 as never)).rejects.toEqual(code('INPUT_ARGUMENT'))
    expect(await wallet.signData(wallet.getPaymentAddress(2, 3), 'x', 2, 3)).toBeDefined()
  })

  it('signs hex as bytes and everything else as text', async () => {
    const address = account.baseAddressBech32
    const [hex, text, odd] = [
      await wallet.signData(address, 'CAFE'),
      await wallet.signData(address, 'café'),
      await wallet.signData(address, 'abc')
    ]
    expect(verifyData({ ...hex, address, payload: Uint8Array.of(0xca, 0xfe) })).toBe(true)
    expect(verifyData({ ...text, address, payload: new TextEncoder().encode('café') })).toBe(true)
    expect(verifyData({ ...odd, address, payload: new TextEncoder().encode('abc') })).toBe(true)
  })
})

describe('wallets without private keys', () => {
  const mainnetRead = new AppWallet({
    networkId: 1,
    key: { type: 'addresses', addresses: [new AppWallet({ networkId: 1, key }).getPaymentAddress()] }
  })

  it('shows the addresses it was made from and signs nothing', async () => {
    expect(mainnetRead.getPaymentAddress()).toBe(new AppWallet({ networkId: 1, key }).getPaymentAddress())
    expect(mainnetRead.getEnterpriseAddress()).toBe(new AppWallet({ networkId: 1, key }).getEnterpriseAddress())
    expect(mainnetRead.getRewardAddress()).toBe(new AppWallet({ networkId: 1, key }).getRewardAddress())
    expect(() => mainnetRead.getPaymentAddress(0, 1)).toThrow(code('INPUT_ARGUMENT'))
    expect(() => mainnetRead.getPaymentAddress(1, 0)).toThrow(code('INPUT_ARGUMENT'))
    expect(() => mainnetRead.getAccount()).toThrow(code('WALLET_READ_ONLY'))
    await expect(mainnetRead.signTx(tx())).rejects.toEqual(code('WALLET_READ_ONLY'))
    await expect(mainnetRead.signData(mainnetRead.getPaymentAddress(), 'x')).rejects.toEqual(code('WALLET_READ_ONLY'))
    const enterprise = new AppWallet({
      networkId: 0,
      key: { type: 'addresses', addresses: [account.enterpriseAddressBech32, account.rewardAddressBech32] }
    })
    expect(() => enterprise.getRewardAddress()).toThrow(code('WALLET_READ_ONLY'))
    expect(() => enterprise.getEnterpriseAddress(0, 1)).toThrow(code('WALLET_READ_ONLY'))
    expect(enterprise.getRewardAddress(0, 1)).toBe(account.rewardAddressBech32)
  })

  it('refuses no addresses, others, and those of the other network', () => {
    for (const addresses of [[], ['x'], [5], 'addr1', undefined, [account.baseAddressBech32]]) {
      expect(
        () => new AppWallet({ networkId: 1, key: { type: 'addresses', addresses: addresses as string[] } })
      ).toThrow(expect.objectContaining({ code: expect.stringMatching(/^INPUT_/) }))
    }
  })

  it('shows the keys of an account public key and signs nothing', async () => {
    const xpub =
      'xpub1j6vufs9a6jzs44p8vee45ey98xzjuynf0wmwm0uffc6p5cvtynm4vszszh90c7qjvz0l7k5ycgy5fr5n8y4lj7alytyuf9fqdq3ug9swpnz5z'
    expect(() => new AppWallet({ networkId: 0, key: { type: 'accountXpub', xpub } })).toThrow()
    const hex =
      '0b0ac6318d5a598e9b836559c84d3c36399ce77766c99e97467824dc2a8315434791e7e2a4752acb76ed9f8a098410575149429f53944981dbb9b788c3972bee'
    const readOnly = new AppWallet({ networkId: 0, key: { type: 'accountXpub', xpub: hex } })
    const shown = readOnly.getAccount()
    expect(shown.baseAddressBech32).toBe(
      'addr_test1qquq8q2zfefh2cm3k79jqqmz0rl9965765sqrhdputuswzrdyr8wu6yr4fnztxgnznhzmdu04v3jhutklfmvd3gslnss8a79yv'
    )
    expect(() => shown.paymentKey.sign(new Uint8Array())).toThrow(code('WALLET_READ_ONLY'))
    expect(() => shown.paymentKey.toXprvBech32()).toThrow(code('WALLET_READ_ONLY'))
    await expect(readOnly.signTx(tx())).rejects.toEqual(code('WALLET_READ_ONLY'))
    expect(() => readOnly.getAccount(1)).toThrow(code('INPUT_ARGUMENT'))
    for (const bad of ['', hex.slice(2), `${'ff'.repeat(31)}7f${hex.slice(64)}`, `02${'00'.repeat(63)}`, 5]) {
      expect(() => new AppWallet({ networkId: 0, key: { type: 'accountXpub', xpub: bad as string } })).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(WALLET_KEY|INPUT_)/) })
      )
    }
  })
})

describe('ChainCliWallet', () => {
  it('refuses keys that do not belong together, and key files of other kinds', () => {
    const skey = `5820${'07'.repeat(32)}`
    expect(() => new ChainCliWallet({ networkId: 0, skey, vkey: `5820${'08'.repeat(32)}` })).toThrow(
      code('WALLET_KEY_MISMATCH')
    )
    expect(() => new ChainCliWallet({ networkId: 2, skey })).toThrow(code('INPUT_ARGUMENT'))
    for (const bad of [
      undefined,
      null,
      5,
      '',
      '5820',
      `${skey}00`,
      '07'.repeat(32),
      { cborHex: skey, type: 5 },
      `5821${'07'.repeat(33)}`
    ]) {
      expect(() => new ChainCliWallet({ networkId: 0, skey: bad as string })).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(WALLET|INPUT)_/) })
      )
    }
    expect(() => new ChainCliWallet(undefined as never)).toThrow(code('INPUT_ARGUMENT'))
  })

  it('never signs with the public key that an extended key file names', () => {
    const [kLkR, wrong, chain] = [`40${'00'.repeat(30)}40${'11'.repeat(32)}`, '22'.repeat(32), '33'.repeat(32)]
    expect(() => new ChainCliWallet({ networkId: 0, skey: `5880${kLkR}${wrong}${chain}` })).toThrow(
      code('WALLET_KEY_MISMATCH')
    )
  })

  it('has the enterprise address of its key, submits and queries', async () => {
    const cli = new ChainCliWallet({
      networkId: 1,
      skey: `5820${'07'.repeat(32)}`,
      submitter: { submitTx: async () => 'id' },
      fetcher: { fetchAddressUTxOs: async () => [] }
    })
    expect(cli.getAddressBech32().startsWith('addr1v')).toBe(true)
    expect(cli.getNetworkId()).toBe(1)
    expect(await cli.submitTx(tx())).toBe('id')
    expect(await cli.queryUTxOs(cli.getAddressBech32())).toEqual([])
    const offline = new ChainCliWallet({ networkId: 1, skey: `5820${'07'.repeat(32)}` })
    await expect(offline.submitTx(tx())).rejects.toEqual(code('WALLET_SUBMITTER_MISSING'))
    await expect(offline.queryUTxOs('x')).rejects.toEqual(code('WALLET_FETCHER_MISSING'))
    expect(JSON.parse(JSON.stringify(offline))).toEqual({
      networkId: 1,
      address: offline.getAddressBech32(),
      key: '[redacted]'
    })
  })
})

describe('dispose', () => {
  it('ends every use of the keys, also of accounts handed out before', async () => {
    const used = new AppWallet({ networkId: 0, key })
    const { paymentKey, stakeKey } = used.getAccount()
    paymentKey.sign(new Uint8Array(1))
    used[Symbol.dispose]()
    for (const call of [
      () => paymentKey.sign(new Uint8Array(1)),
      () => stakeKey.sign(new Uint8Array(1)),
      () => paymentKey.toXprvBech32(),
      () => used.getAccount(),
      () => used.getPaymentAddress()
    ]) {
      expect(call).toThrow(code('WALLET_DISPOSED'))
    }
    await expect(used.signTx(tx())).rejects.toEqual(code('WALLET_DISPOSED'))
    await expect(used.signData(account.baseAddressBech32, 'x')).rejects.toEqual(code('WALLET_DISPOSED'))
    used.dispose()
    const cli = new ChainCliWallet({ networkId: 0, skey: `5820${'07'.repeat(32)}` })
    cli.dispose()
    await expect(cli.signTx(tx())).rejects.toEqual(code('WALLET_DISPOSED'))
    await expect(cli.signData(cli.getAddressBech32(), 'x')).rejects.toEqual(code('WALLET_DISPOSED'))
  })

  it('clears the buffers that held secrets', () => {
    // Every array of the size of a secret that is made while a wallet lives is watched, then looked at after dispose().
    const watched: Uint8Array[] = []
    const slice = jest.spyOn(Uint8Array.prototype, 'set').mockImplementation(function (
      this: Uint8Array,
      source: ArrayLike<number>,
      offset = 0
    ) {
      if (this.length === 96) watched.push(this)
      for (let i = 0; i < source.length; i++) this[offset + i] = source[i]!
    })
    const used = new AppWallet({ networkId: 0, key })
    used.getAccount().paymentKey.sign(new Uint8Array(1))
    used.getAccount(1, 1).stakeKey.sign(new Uint8Array(1))
    used.dispose()
    slice.mockRestore()
    expect(watched.length).toBeGreaterThan(4)
    for (const buffer of watched) expect(buffer.every((byte) => byte === 0)).toBe(true)
  })

  it('leaves no copy of a secret behind, in buffers that it signed or derived with', () => {
    const source = new EmbeddedWallet({ networkId: 0, key })
    const { paymentKey, stakeKey } = source.getAccount()
    const xprvs = [paymentKey, stakeKey].map((own) =>
      EmbeddedWallet.privateKeyBech32ToPrivateKeyHex(own.toXprvBech32())
    )
    const secrets = xprvs.flatMap((xprv) => [xprv.slice(0, 64), xprv.slice(64, 128)])
    const buffers = new Set<ArrayBufferLike>()
    const { set } = Uint8Array.prototype
    const { setBigUint64 } = DataView.prototype
    jest.spyOn(Uint8Array.prototype, 'set').mockImplementation(function (
      this: Uint8Array,
      ...args: Parameters<typeof set>
    ) {
      buffers.add(this.buffer)
      set.apply(this, args)
    })
    jest.spyOn(DataView.prototype, 'setBigUint64').mockImplementation(function (
      this: DataView,
      ...args: Parameters<typeof setBigUint64>
    ) {
      buffers.add(this.buffer)
      setBigUint64.apply(this, args)
    })
    const used = new AppWallet({ networkId: 0, key })
    const account = used.getAccount()
    for (const own of [account.paymentKey, account.stakeKey]) own.sign(Uint8Array.of(1, 2, 3))
    const held = [...buffers].map((buffer) => Buffer.from(buffer).toString('hex')).join()
    expect(secrets.map((secret) => held.includes(secret))).toEqual([true, true, true, true])
    used.dispose()
    jest.restoreAllMocks()
    const left = [...buffers].map((buffer) => Buffer.from(buffer).toString('hex')).join()
    expect(secrets.map((secret) => left.includes(secret))).toEqual([false, false, false, false])
  })

  it('clears the entropy that create() derived from, and gives it to WebCrypto alone', async () => {
    const deriveBits = jest.spyOn(globalThis.crypto.subtle, 'deriveBits')
    await AppWallet.create({ networkId: 0, key })
    const { salt } = deriveBits.mock.calls[0]![0] as unknown as { salt: Uint8Array }
    deriveBits.mockRestore()
    expect(salt).toEqual(new Uint8Array(16))
  })

  it.each([
    ['a recovery phrase', key],
    ['a root key', { type: 'rootHex' as const, hex: EmbeddedWallet.mnemonicToPrivateKeyHex(key.words) }]
  ])('multiplies the base point inside create(), in a task of its own: %s', async (_, from) => {
    const multiply = jest.spyOn(Point.prototype, 'multiply')
    const created = AppWallet.create({ networkId: 0, key: from })
    // Whatever runs before a task of its own: this one, which stands for the drawing of a frame.
    await new Promise((resolve) => {
      setTimeout(resolve, 0)
    })
    const before = from === key ? 0 : multiply.mock.calls.length
    await created
    expect([before, multiply.mock.calls.length]).toEqual([0, 1])
    multiply.mockRestore()
  })

  it('encodes a payment and a stake key together, and derives none again that is kept', () => {
    const used = new AppWallet({ networkId: 0, key })
    used.getAccount(0, 0)
    const encode = jest.spyOn(Point.prototype, 'toBytes')
    const multiply = jest.spyOn(Point.prototype, 'multiply')
    const counts = (): number[] => [encode, multiply].map((spy) => spy.mock.calls.length)
    used.getPaymentAddress(0, 7)
    expect(counts()).toEqual([0, 2])
    used.getEnterpriseAddress(0, 8)
    expect(counts()).toEqual([0, 3])
    const address = used.getPaymentAddress(0, 8)
    expect(counts()).toEqual([0, 4])
    expect([used.getPaymentAddress(0, 8), used.getPaymentAddress(0, 7)]).toEqual([
      address,
      wallet.getPaymentAddress(0, 7)
    ])
    expect(counts()[1]).toBe(6)
    jest.restoreAllMocks()
  })

  it('does not bring disposed keys back when they are still being derived', async () => {
    const keys = new HdKeys(key)
    const prepared = keys.prepare()
    keys.dispose()
    await prepared
    expect(() => keys.keys(0, [{ role: 0, index: 0 }])).toThrow(code('WALLET_DISPOSED'))
    const signing = new AppWallet({ networkId: 0, key })
    const signed = signing.signTx(tx())
    signing.dispose()
    expect(await signed).toBe(await wallet.signTx(tx()))
  })

  it('keeps a bounded number of accounts, and still signs with keys of those that were pushed out', () => {
    const used = new AppWallet({ networkId: 0, key })
    const { paymentKey, stakeKey } = used.getAccount(0, 0)
    const signatures = [paymentKey, stakeKey].map((own) => bytesToHex(own.sign(Uint8Array.of(1))))
    const disposed = jest.spyOn(HmacSha512.prototype, 'dispose')
    for (let i = 1; i <= 255; i++) used.getRewardAddress(i, 0)
    const before = disposed.mock.calls.length
    used.getRewardAddress(256, 0)
    // Those of the new account's path, and those that the oldest had kept: its own and its two roles'.
    expect(disposed.mock.calls.length - before).toBe(before / 255 + 3)
    disposed.mockRestore()
    expect([paymentKey, stakeKey].map((own) => bytesToHex(own.sign(Uint8Array.of(1))))).toEqual(signatures)
    expect(paymentKey.toXprvBech32()).toBe(used.getAccount(0, 0).paymentKey.toXprvBech32())
    used.dispose()
    expect(() => paymentKey.sign(Uint8Array.of(1))).toThrow(code('WALLET_DISPOSED'))
    expect(() => stakeKey.toXprvBech32()).toThrow(code('WALLET_DISPOSED'))
  })

  it('still signs with keys that were pushed out of memory, and not after dispose', () => {
    const used = new AppWallet({ networkId: 0, key, stakeKeyIndex: 0 })
    const first = used.getAccount(0, 0).paymentKey
    const signature = first.sign(Uint8Array.of(1))
    for (let i = 1; i <= 1030; i++) used.getEnterpriseAddress(0, i)
    expect(first.sign(Uint8Array.of(1))).toEqual(signature)
    used.dispose()
    expect(() => first.sign(Uint8Array.of(1))).toThrow(code('WALLET_DISPOSED'))
  })
})
