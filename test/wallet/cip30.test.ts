import { CborWriter } from '../../src/codec/cbor/writer'
import { parseAddress } from '../../src/codec/address'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { encodeValue } from '../../src/codec/value'
import { isLayerError } from '../../src/errors/base'
import type { UTxO } from '../../src/types/utxo'
import { decodeUtxo } from '../../src/wallet/cip30/cip30Utxo'
import {
  AppWallet,
  Cip30ApiError,
  type Cip30Api,
  Cip30PaginateError,
  type Cip30Request,
  txIdOf,
  verifyData,
  walletFromCip30,
  witnessesOf
} from '../../src/wallet/index'

const words = 'test walk nut penalty hip pave soap entry language right filter choice'.split(' ')
const key = { type: 'mnemonic', words } as const
const offline = new AppWallet({ networkId: 0, key })
const account = offline.getAccount()
const POLICY = 'ab'.repeat(28)
const tx = '84a3008182582000000000000000000000000000000000000000000000000000000000000000000001800200a0f5f6'
const strangers =
  `84a400818258200000000000000000000000000000000000000000000000000000000000000000000180020 00e81581c${'77'.repeat(28)}a0f5f6`.replace(
    ' ',
    ''
  )
const utxo = (index: number, lovelace: string, more: UTxO['output']['amount'] = [], extra: object = {}): UTxO => ({
  input: { txHash: 'cd'.repeat(32), index },
  output: { address: account.baseAddressBech32, amount: [{ unit: 'lovelace', quantity: lovelace }, ...more], ...extra }
})
const utxos = [
  utxo(0, '2000000', [{ unit: `${POLICY}414243`, quantity: '18446744073709551615' }]),
  utxo(1, '9007199254740993'),
  utxo(2, '3000000', [], { datumHash: 'ee'.repeat(32) }),
  utxo(3, '4000000', [], { inlineDatum: '182a' })
]
const online = new AppWallet({
  networkId: 0,
  key,
  fetcher: { fetchAddressUTxOs: async (address) => utxos.filter(({ output }) => output.address === address) },
  submitter: { submitTx: async (cbor) => txIdOf(cbor) }
})
const coin = (lovelace: bigint): string => new CborWriter().uint(lovelace).toHex()
const rejection = async (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => undefined,
    (error: unknown) => error
  )

describe('AppWallet.toCip30', () => {
  const api = online.toCip30()

  it('tells who it is, in raw address bytes', async () => {
    const hex = (address: string): string => bytesToHex(parseAddress(address).bytes)
    expect(await api.getNetworkId()).toBe(0)
    expect(await api.getExtensions()).toEqual([])
    expect(await api.getUsedAddresses()).toEqual([hex(account.baseAddressBech32)])
    expect(await api.getUnusedAddresses()).toEqual([])
    expect(await api.getChangeAddress()).toBe(hex(account.baseAddressBech32))
    expect(await api.getRewardAddresses()).toEqual([hex(account.rewardAddressBech32)])
    expect(await online.toCip30({ accountIndex: 1, keyIndex: 2 }).getChangeAddress()).toBe(
      hex(online.getPaymentAddress(1, 2))
    )
  })

  it('gives outputs, balance and collateral as CBOR', async () => {
    expect(await walletFromCip30(api).queryUTxOs()).toEqual(utxos)
    const balance = 9007199254740993n + 9000000n
    expect(await api.getBalance()).toBe(
      `821b${balance.toString(16).padStart(16, '0')}a1581c${POLICY}a1434142431bffffffffffffffff`
    )
    expect((await api.getUtxos(coin(1n)))!.length).toBe(1)
    expect((await api.getUtxos(coin(2_000_001n)))!.length).toBe(2)
    expect(await api.getUtxos(coin(1n << 63n))).toBeNull()
    expect((await api.getCollateral())!.length).toBe(1)
    expect(await rejection(api.getCollateral({ amount: coin(5_000_001n) }))).toMatchObject({ code: -1 })
    expect(await api.getUtxos(undefined, { page: 1, limit: 3 })).toHaveLength(1)
    const tooFar = await rejection(api.getUtxos(undefined, { page: 2, limit: 3 }))
    expect(tooFar).toBeInstanceOf(Cip30PaginateError)
    expect(tooFar.maxSize).toBe(2)
    expect(await rejection(api.getUtxos(undefined, { page: -1, limit: 0 }))).toMatchObject({ code: -1 })
    expect(await rejection(api.getUtxos('zz'))).toMatchObject({ code: -1 })
  })

  it('leaves out outputs that bring nothing of what is asked for', async () => {
    const other = `${'cd'.repeat(28)}01`
    const many = [
      utxo(0, '2000000'),
      utxo(1, '3000000'),
      utxo(2, '1500000', [{ unit: other, quantity: '7' }]),
      utxo(3, '1', [{ unit: other, quantity: '0' }]),
      utxo(4, '1500000', [{ unit: other, quantity: '5' }])
    ]
    const shown = new AppWallet({ networkId: 0, key, fetcher: { fetchAddressUTxOs: async () => many } }).toCip30()
    const chosen = async (lovelace: bigint, amount: bigint): Promise<number[] | undefined> => {
      const writer = new CborWriter()
      encodeValue(
        writer,
        new Map([
          ['lovelace', lovelace],
          [other, amount]
        ])
      )
      return (await shown.getUtxos(writer.toHex()))?.map((cbor) => decodeUtxo(hexToBytes(cbor)).input.index)
    }
    expect(await chosen(1_000_000n, 8n)).toEqual([0, 2, 4])
    expect(await chosen(2_000_001n, 7n)).toEqual([0, 1, 2])
    expect(await chosen(1n, 13n)).toBeUndefined()
  })

  it('takes null for what was left out', async () => {
    expect(await api.getUtxos(null as never, null as never)).toEqual(await api.getUtxos())
    expect(await api.getCollateral({ amount: null as never })).toEqual(await api.getCollateral())
    expect(await api.getUsedAddresses(null as never)).toHaveLength(1)
  })

  it('approves nothing by anything but a function', () => {
    for (const approve of [null, true, 'yes', {}])
      expect(() => online.toCip30({ approve: approve as never })).toThrow(
        expect.objectContaining({ code: 'INPUT_ARGUMENT' })
      )
  })

  it('signs and sends what was approved, when a page changes its bytes meanwhile', async () => {
    const bytes = hexToBytes(tx)
    const sent: string[] = []
    const submitter = { submitTx: async (cbor: string) => (sent.push(cbor) > 0 ? txIdOf(cbor) : '') }
    const approved: unknown[] = []
    const approve = (request: Cip30Request): boolean => {
      approved.push('txCbor' in request && request.txCbor)
      bytes[20]! ^= 1
      return true
    }
    const asking = new AppWallet({ networkId: 0, key, submitter }).toCip30({ approve })
    const { publicKeyHex, signatureHex } = witnessesOf(await offline.signTx(tx))[0]!
    expect(await asking.signTx(bytes as never)).toBe(`a10081825820${publicKeyHex}5840${signatureHex}`)
    bytes.set(hexToBytes(tx))
    expect(await asking.submitTx(bytes as never)).toBe(txIdOf(tx))
    expect([approved, sent]).toEqual([[tx, tx], [tx]])
  })

  it('answers signTx with its own witnesses only', async () => {
    const signed = await offline.signTx(tx)
    const { publicKeyHex, signatureHex } = witnessesOf(signed)[0]!
    expect(await api.signTx(tx)).toBe(`a10081825820${publicKeyHex}5840${signatureHex}`)
    expect(await api.signTx(strangers, true)).toMatch(/^a10081825820/)
  })

  it('rejects with the codes of CIP-30', async () => {
    const declining = online.toCip30({ approve: async () => false })
    const script = bytesToHex(parseAddress('addr_test1wrphkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcl6szpr').bytes)
    const cases: [Promise<unknown>, number][] = [
      [api.signTx('zz'), -1],
      [api.signTx(strangers), 1],
      [declining.signTx(tx), 2],
      [api.signData(account.baseAddressBech32, 'not hex'), -1],
      [api.signData('00ff', 'ff'), -1],
      [api.signData(script, 'ff'), 2],
      [api.signData(offline.getPaymentAddress(0, 9), 'ff'), 1],
      [declining.signData(account.baseAddressBech32, 'ff'), 3],
      [api.submitTx('00'), -1],
      [declining.submitTx(tx), 1],
      [offline.toCip30().submitTx(tx), 1],
      [
        new AppWallet({ networkId: 0, key, submitter: { submitTx: async () => Promise.reject(new Error('full')) } })
          .toCip30()
          .submitTx(tx),
        2
      ],
      [
        new AppWallet({ networkId: 0, key, submitter: { submitTx: async () => Promise.reject(undefined) } })
          .toCip30()
          .submitTx(tx),
        2
      ],
      [offline.toCip30().getBalance(), -2]
    ]
    for (const [i, [promise, code]] of cases.entries()) {
      const error = await rejection(promise)
      expect(error).toBeInstanceOf(Cip30ApiError)
      expect([i, error.code, typeof error.info]).toEqual([i, code, 'string'])
    }
  })

  it('asks before it signs or sends, and signs data for bech32 and raw addresses', async () => {
    const asked: string[] = []
    const asking = online.toCip30({ approve: ({ method }) => asked.push(method) > 0 })
    await asking.signTx(tx)
    for (const address of [account.baseAddressBech32, bytesToHex(parseAddress(account.rewardAddressBech32).bytes)]) {
      const signed = await asking.signData(address, 'cafe')
      expect(verifyData({ ...signed, payload: 'cafe' })).toBe(true)
    }
    expect(await asking.submitTx(tx)).toBe(txIdOf(tx))
    expect(asked).toEqual(['signTx', 'signData', 'signData', 'submitTx'])
  })
})

describe('walletFromCip30', () => {
  const api = online.toCip30()

  it('has the face of our own wallets', async () => {
    const wallet = walletFromCip30(api)
    expect(await wallet.getNetworkId()).toBe(0)
    expect(await wallet.getPaymentAddress()).toBe(account.baseAddressBech32)
    expect(await wallet.getRewardAddress()).toBe(account.rewardAddressBech32)
    expect(await wallet.signTx(tx)).toBe(await offline.signTx(tx))
    expect(await wallet.signTxs([tx, strangers], true)).toEqual(await offline.signTxs([tx, strangers], true))
    expect(await wallet.signData(account.baseAddressBech32, 'login 42')).toEqual(
      await offline.signData(account.baseAddressBech32, 'login 42')
    )
    expect(await wallet.submitTx(tx)).toBe(txIdOf(tx))
    expect(await wallet.queryUTxOs(account.baseAddressBech32)).toEqual(utxos)
    expect(await wallet.queryUTxOs(account.enterpriseAddressBech32)).toEqual([])
    const own = walletFromCip30(api, {
      fetcher: { fetchAddressUTxOs: async () => [] },
      submitter: { submitTx: async () => 'own' }
    })
    expect(await own.submitTx(tx)).toBe('own')
    const none = walletFromCip30(api, { fetcher: null, submitter: null } as never)
    expect(await none.submitTx(tx)).toBe(txIdOf(tx))
    expect(await none.queryUTxOs(account.baseAddressBech32)).toEqual(utxos)
    expect(await walletFromCip30(api, null as never).queryUTxOs(null as never)).toEqual(utxos)
    expect(await own.queryUTxOs(account.baseAddressBech32)).toEqual([])
  })

  it('takes a whole transaction as an answer too', async () => {
    const whole: Cip30Api = { ...api, signTx: async (hex, partial) => offline.signTx(hex, partial) }
    expect(await walletFromCip30(whole).signTx(tx)).toBe(await offline.signTx(tx))
  })

  it('keeps the bytes of the transaction, whatever the browser wallet answers', async () => {
    const odd = '9fbf009f825820000000000000000000000000000000000000000000000000000000000000000000ff0180021800ffa0f5f6ff'
    const signed = await walletFromCip30(api).signTx(odd)
    expect(signed).toBe(await offline.signTx(odd))
    expect(txIdOf(signed)).toBe(txIdOf(odd))
  })

  it('rejects with a typed error when the browser wallet refuses, fails or answers nonsense', async () => {
    const answering = (signTx: unknown): Cip30Api => ({ ...api, signTx: async () => signTx as string })
    const failing = (error: unknown): Cip30Api => ({
      ...api,
      signTx: async () => Promise.reject(error),
      getChangeAddress: () => {
        throw error
      }
    })
    const other = await new AppWallet({ networkId: 0, key }).signTx(strangers, true)
    const nonsense = [
      undefined,
      null,
      5,
      '',
      'zz',
      '80',
      'a1',
      'a000',
      other,
      `a10081825820${account.paymentKey.publicKeyHex}5840${'00'.repeat(64)}`
    ]
    for (const answer of nonsense)
      expect([answer, (await rejection(walletFromCip30(answering(answer)).signTx(tx)))?.code]).toEqual([
        answer,
        'WALLET_CIP30'
      ])
    expect(await rejection(walletFromCip30(answering('a0')).signTx(strangers))).toMatchObject({
      code: 'WALLET_TX_MISSING_SIGNERS'
    })
    expect(await rejection(walletFromCip30(failing({ code: 2, info: 'User declined' })).signTx(tx))).toMatchObject({
      code: 'WALLET_CIP30',
      cip30Code: 2,
      operation: 'signTx'
    })
    for (const thrown of [undefined, null, 'text', new Error('x'), { maxSize: 1 }]) {
      const error = await rejection(walletFromCip30(failing(thrown)).getPaymentAddress())
      expect(
        isLayerError(error, 'WALLET_CIP30') && (error as unknown as { cip30Code: unknown }).cip30Code === null
      ).toBe(true)
    }
    const empty = {
      ...api,
      getRewardAddresses: async () => [],
      getUtxos: async () => 5 as never,
      signData: async () => undefined as never
    }
    expect(await rejection(walletFromCip30(empty).getRewardAddress())).toMatchObject({ code: 'WALLET_CIP30' })
    expect(await rejection(walletFromCip30(empty).queryUTxOs())).toMatchObject({ code: 'WALLET_CIP30' })
    expect(await rejection(walletFromCip30(empty).signData(account.baseAddressBech32, 'x'))).toMatchObject({
      code: 'WALLET_CIP30'
    })
    for (const answer of [undefined, null, '0', 2, {}])
      expect(
        await rejection(walletFromCip30({ ...api, getNetworkId: async () => answer as never }).getNetworkId())
      ).toMatchObject({ code: 'WALLET_CIP30' })
    for (const answer of [undefined, null, '', 'ff', {}])
      expect(
        await rejection(walletFromCip30({ ...api, submitTx: async () => answer as never }).submitTx(tx))
      ).toMatchObject({ code: 'WALLET_CIP30' })
    for (const answer of [5, 'zz', '00', `83825820${'00'.repeat(32)}0080f6`])
      expect(
        await rejection(walletFromCip30({ ...api, getUtxos: async () => [answer as never] }).queryUTxOs())
      ).toMatchObject({ code: 'WALLET_CIP30' })
    for (const txs of [undefined, null, 5, tx])
      expect(await rejection(walletFromCip30(api).signTxs(txs as never))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(await walletFromCip30({ ...api, getUtxos: async () => null }).queryUTxOs()).toEqual([])
    expect(await rejection(walletFromCip30(api).signTx('zz'))).toMatchObject({ code: 'INPUT_HEX' })
    for (const partial of [null, 'yes', 1])
      expect(await rejection(walletFromCip30(api).signTx(tx, partial as never))).toMatchObject({
        code: 'INPUT_ARGUMENT'
      })
    expect(() => walletFromCip30(null as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })
})
