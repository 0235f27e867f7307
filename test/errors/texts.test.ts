import { WalletReadOnlyError } from '../../src/errors/wallet'
import { buildDeposit, buildPayment, buildSweep, TxBuilder } from '../../src/tx/index'
import { addressInfo, genVkey, getPubkeyHashFromAddress, hexToBytes, mkAddress } from '../../src/utils/index'
import { AppWallet, ChainCliWallet, txIdOf } from '../../src/wallet/index'

const words = 'test walk nut penalty hip pave soap entry language right filter choice'.split(' ')
const wallet = new AppWallet({ networkId: 0, key: { type: 'mnemonic', words } })
const good = wallet.getPaymentAddress()
const bad = `${good.slice(0, -1)}${good.endsWith('q') ? 'p' : 'q'}`
const payment = { utxos: [], amount: 1_000_000n, to: good, changeAddress: good }
const messageOf = async (run: () => unknown): Promise<string> =>
  (async () => run())().then(
    () => 'none',
    (error: Error) => error.message
  )

describe('the text of an error', () => {
  it.each<[string, () => unknown]>([
    ['to', () => buildPayment({ ...payment, to: bad })],
    ['changeAddress', () => buildPayment({ ...payment, changeAddress: bad })],
    ['to', () => buildSweep({ utxos: [], to: bad })],
    ['to', () => buildDeposit({ ...payment, to: bad })],
    ['address', () => new TxBuilder().pay(bad, 1n)],
    ['changeAddress', () => new TxBuilder().changeTo(bad)],
    ['address', () => addressInfo(bad)],
    ['address', () => getPubkeyHashFromAddress(bad)],
    ['address', () => mkAddress(bad)],
    ['address', () => wallet.signData(bad, 'ff')],
    ['key.addresses[1]', () => new AppWallet({ networkId: 0, key: { type: 'addresses', addresses: [good, bad] } })]
  ])('begins with the name of the argument that is no address: %s', async (argument, run) => {
    expect(await messageOf(run)).toMatch(
      new RegExp(`^${argument.replace(/[[\].]/g, '\\$&')} is not a valid Cardano address\\.`)
    )
  })

  it.each<[string, unknown]>([
    ['a text', 'hello'],
    ['no text', 7],
    ['a Byron address with a typing error', 'Ae2tdPwUPEZ5QJkfzoJgarugsX3rUVbTjg8nqTYmuy2c2msy5augpnm91ZR'],
    ['base58 of too many characters', 'z'.repeat(600)]
  ])('names the argument for %s too', async (_, value) => {
    expect(await messageOf(() => addressInfo(value as string))).toMatch(/^address is not a valid Cardano address\./)
  })

  it('says that hex has no prefix 0x', async () => {
    for (const run of [
      () => hexToBytes('0xcafe'),
      () => hexToBytes('0XCAFE1'),
      () => wallet.signTx('0x84a0a0f5f6'),
      () => txIdOf('0x84a0a0f5f6')
    ]) {
      expect(await messageOf(run)).toContain('hexadecimal digits without the prefix "0x"')
    }
    expect(
      await messageOf(() => new AppWallet({ networkId: 0, key: { type: 'rootHex', hex: `0x${'00'.repeat(96)}` } }))
    ).toContain('without the prefix "0x"')
  })

  it.each([
    './payment.skey',
    '/home/alice/payment.skey',
    'C:\\keys\\payment.skey',
    'payment.skey',
    'keys/payment.json',
    'file:///payment.vkey',
    '~/payment.sk'
  ])('says that %s is a path where a key is wanted, and does not repeat it', async (path) => {
    for (const run of [
      () => new ChainCliWallet({ networkId: 0, skey: path }),
      () => genVkey(path as never),
      () => new ChainCliWallet({ networkId: 0, skey: `5820${'07'.repeat(32)}`, vkey: path })
    ]) {
      const message = await messageOf(run)
      expect(message).toContain('what looks like a path: read the file and pass its content')
      expect(message).not.toContain(path)
    }
  })

  it('takes no key file for a path, whatever its description says', () => {
    const cborHex = `5820${'07'.repeat(32)}`
    const file = JSON.stringify(
      { type: 'PaymentSigningKeyShelley_ed25519', description: 'from ./keys/payment.skey', cborHex },
      null,
      4
    )
    for (const skey of [file, `\n${file}\n`, JSON.parse(file) as object, cborHex]) {
      expect(new ChainCliWallet({ networkId: 0, skey: skey as string }).getAddressBech32()).toMatch(/^addr_test1v/)
    }
  })

  it('still says what is wrong where it is not one of these', async () => {
    expect(new WalletReadOnlyError('sign').message).toContain('read-only')
    expect(await messageOf(() => new ChainCliWallet({ networkId: 0, skey: 'not a key' }))).toContain('is not valid hex')
  })
})
