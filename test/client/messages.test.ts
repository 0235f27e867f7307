import { createHeadClient } from '../../src/client/index.js'
import type { HeadClient } from '../../src/client/index.js'
import { CborReader } from '../../src/codec/cbor/reader.js'
import { decodeTxOutput, encodeTxOutput } from '../../src/codec/txOutput.js'
import { TxBuilder } from '../../src/tx/index.js'
import { ChainCliWallet } from '../../src/wallet/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
let alice: HeadClient
beforeAll(async () => {
  head = await startClientHead({ deposit: 10n * ADA })
  alice = await head.client(0)
})
afterAll(() => head.stop())
afterEach(() => jest.restoreAllMocks())

const bob = (): string => head.wallets[1]!.getAddressBech32()
const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error
  )

describe.each([[undefined], [null], ['no'], [7], [{ code: 2, info: 'declined' }]])(
  'a wallet that rejects with %p',
  (reason) => {
    it.each(['signTx', 'getAddresses', 'queryUTxOs'] as const)(
      'makes actions reject with an error whose cause that is: %s',
      async (method) => {
        const own = head.wallets[0]!
        const wallet = {
          getChangeAddress: () => own.getChangeAddress(),
          getAddresses: async () => (method === 'getAddresses' ? Promise.reject(reason) : own.getAddresses()),
          signTx: async (tx: string, partial?: boolean) =>
            method === 'signTx' ? Promise.reject(reason) : own.signTx(tx, partial),
          queryUTxOs: async (address: string) =>
            method === 'queryUTxOs' ? Promise.reject(reason) : own.queryUTxOs(address)
        }
        const client = createHeadClient({ bridge: alice.bridge, wallet: wallet as never })
        const actions =
          method === 'queryUTxOs'
            ? [client.deposit({ amount: 2n * ADA })]
            : [client.pay({ to: bob(), amount: ADA }), client.deposit({ amount: 2n * ADA })]
        for (const error of await Promise.all(actions.map(failureOf))) {
          expect(error).toBeInstanceOf(Error)
          expect(error).toMatchObject({
            code: 'CLIENT_WALLET_FAILED',
            method,
            shortMessage: expect.stringMatching(/^The wallet's \w+ failed without an error\.$/)
          })
          expect(error.cause).toBe(reason)
        }
      }
    )
  }
)

it('passes what a wallet rejects with when it is an error', async () => {
  const declined = new Error('declined')
  jest.spyOn(head.wallets[0]!, 'signTx').mockRejectedValue(declined)
  expect(await failureOf(alice.pay({ to: bob(), amount: ADA }))).toBe(declined)
})

it('tells an empty wallet to deposit first, and amounts in ada too', async () => {
  const carol = await head.client(2)
  const error = await failureOf(carol.pay({ to: bob(), amount: 2_500_000n }))
  expect(error).toMatchObject({
    code: 'TX_INSUFFICIENT_FUNDS',
    shortMessage: expect.stringMatching(/^addr_test1\w+\.\.\.\w+ holds nothing in this head.*deposit first\.$/)
  })
  expect((await failureOf(alice.pay({ to: bob(), amount: 20_500_000n }))).message).toContain(
    '20500000 lovelace (20.5 ada)'
  )
})

it.each(['deposit', 'withdraw', 'pay', 'payMany', 'submit', 'open', 'recover'] as const)(
  '%s refuses a misspelt member, and sends nothing',
  async (action) => {
    const inputs = { ...head.node.counters.inputs }
    const args: Record<string, unknown> = {
      deposit: { amount: 2n * ADA, chnageAddress: bob() },
      withdraw: { amount: 2n * ADA, address: bob() },
      pay: { address: bob(), to: bob(), amount: ADA },
      payMany: { payments: [{ to: bob(), amount: ADA }], onprogress: () => undefined },
      open: { retry: 1 },
      recover: { depositTxID: 'ab' }
    }
    const call =
      action === 'submit'
        ? alice.submit('84a0a0f5f6', { waitFor: 'sent' } as never)
        : (alice[action] as (given: unknown) => Promise<unknown>)(args[action])
    expect(await failureOf(call)).toMatchObject({ code: expect.stringMatching(/^INPUT_/) })
    expect(head.node.counters.inputs).toEqual(inputs)
  }
)

it('names the options of the client and of the bridge when one is not known', () => {
  let error: any
  try {
    createHeadClient({ url: head.node.url, wallets: [] } as never)
  } catch (thrown) {
    error = thrown
  }
  for (const name of [
    'wallets',
    'wallet',
    'expiresIn',
    'network',
    'onHandlerError',
    'maxFee',
    'maxMinLovelace',
    'bridge',
    'gateway',
    'url',
    'connector',
    'verify',
    'reconnectInterval'
  ])
    expect(error.message).toMatch(new RegExp(`\\b${name}\\b`))
})

it('says that the node cannot split an output when a wallet without a provider deposits a part of one', async () => {
  const old = await startClientHead({ deposit: 0n, node: { profile: '0.22' } })
  const client = await old.client(0, { wallet: new ChainCliWallet({ networkId: 0, skey: old.node.keys[0]!.skey }) })
  const error = await failureOf(
    client.deposit({ utxos: old.node.baseUtxos(old.node.keys[0]!.address), amount: 5n * ADA })
  )
  expect(error).toMatchObject({
    code: 'CLIENT_WALLET_CAPABILITY',
    message: expect.stringContaining('this node cannot split an output')
  })
  await old.stop()
})

describe('a reference script', () => {
  const FLAT = '0101002499'
  const compiledCode = `45${FLAT}`
  const inFile = `46${compiledCode}`
  const own = {
    input: { txHash: '00'.repeat(32), index: 0 },
    output: { address: '', amount: [{ unit: 'lovelace', quantity: String(50n * ADA) }] }
  }
  const built = (cborHex: string): unknown => {
    const address = bob()
    const utxo = { ...own, output: { ...own.output, address } }
    const { outputs } = new TxBuilder()
      .addInputs([utxo])
      .pay(address, 5n * ADA, { scriptRef: { language: 'PlutusV3', cborHex } })
      .changeTo(address)
      .build()
    return decodeTxOutput(new CborReader(encodeTxOutput(outputs[0]!))).scriptRef
  }

  it("is the same from a blueprint's compiled code and from a script file", () => {
    expect(built(compiledCode)).toEqual({ language: 'PlutusV3', cborHex: inFile })
    expect(built(inFile)).toEqual({ language: 'PlutusV3', cborHex: inFile })
  })

  it.each([
    ['a bare program', FLAT],
    ['an empty byte string', '40'],
    ['a list', '80'],
    ['bytes after it', `${compiledCode}00`]
  ])('is refused at build when it is %s', (_name, cborHex) => {
    expect(() => built(cborHex)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
  })
})
