import { createPaymentRequest } from '../../src/client/index.js'
import type { HeadClient } from '../../src/client/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
let alice: HeadClient
const to = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'

beforeAll(async () => {
  head = await startClientHead({ deposit: 10n * ADA })
  alice = await head.client(0)
})
afterAll(() => head.stop())

const onChange = (): void => undefined
type Call = (client: HeadClient, option: object) => unknown

/** Every method of a client that has options: a misspelt one, what it stands for, and how it is called. */
const WITH_OPTIONS: Record<string, readonly [misspelt: string, meant: string, call: Call]> = {
  connect: ['wiat', 'wait', (client, option) => client.connect(option)],
  open: ['retrys', 'retries', (client, option) => client.open(option)],
  deposit: ['maxlock', 'maxLock', (client, option) => client.deposit({ amount: 2n * ADA, ...option })],
  pay: ['metdata', 'metadata', (client, option) => client.pay({ to, amount: ADA, ...option })],
  payMany: [
    'onProgres',
    'onProgress',
    (client, option) => client.payMany({ payments: [{ to, amount: ADA }], ...option })
  ],
  consolidate: ['wait_', 'wait', (client, option) => client.consolidate(option)],
  submit: ['onsettled', 'onSettled', (client, option) => client.submit(SIGNED, option)],
  offer: ['expiersAt', 'expiresAt', (client, option) => client.offer(SIGNED, option)],
  acceptOffer: ['give', 'gives', (client, option) => client.acceptOffer('{}', option)],
  newTx: ['timeOut', 'timeout', (client, option) => client.newTx(option)],
  evaluate: ['evalutor', 'evaluator', (client, option) => client.evaluate(SIGNED, option)],
  waitForTx: ['timout', 'timeout', (client, option) => client.waitForTx('00'.repeat(32), option)],
  withdraw: ['uxtos', 'utxos', (client, option) => client.withdraw({ amount: 2n * ADA, ...option })],
  payments: ['opne', 'open', (client, option) => client.payments(option)],
  recover: ['depositTxid', 'depositTxId', (client, option) => client.recover(option)],
  closeHead: ['timeOut', 'timeout', (client, option) => client.closeHead(option)],
  fanoutHead: ['signl', 'signal', (client, option) => client.fanoutHead(option)],
  closeAndFanoutHead: ['onprogress', 'onProgress', (client, option) => client.closeAndFanoutHead(option)],
  contest: ['timeot', 'timeout', (client, option) => client.contest(option)],
  abortHead: ['singal', 'signal', (client, option) => client.abortHead(option)],
  getBalance: ['adress', 'address', (client, option) => client.getBalance(option)],
  watchBalance: ['onchange', 'onChange', (client, option) => client.watchBalance({ onChange, ...option })],
  watchHead: ['onchange', 'onChange', (client, option) => client.watchHead({ onChange, ...option })],
  watchTxs: ['onchange', 'onChange', (client, option) => client.watchTxs({ onChange, ...option })],
  getUtxos: ['adress', 'address', (client, option) => client.getUtxos(option)],
  getTransaction: ['timout', 'timeout', (client, option) => client.getTransaction('00'.repeat(32), option)],
  receipts: ['aftr', 'after', (client, option) => client.receipts(option).next()],
  waitForPayment: [
    'onReciept',
    'onReceipt',
    (client, option) => client.waitForPayment(createPaymentRequest({ amount: ADA, address: to }), option)
  ]
}

/** Methods without options, and one whose argument is a selector. */
const WITHOUT_OPTIONS = ['disconnect', 'inspectOffer', 'status', 'store']

// An unsigned payment: its options are read before anything of it is sent.
const SIGNED =
  '84a300d90102818258200000000000000000000000000000000000000000000000000000000000000000000181825' +
  '81d6082e0168289' +
  '89cd9d809b50d6976d9efa9bc5b2c1a78d4b3bfa1bb83b1a001e8480' +
  '0200a0f5f6'

const failureOf = async (call: () => unknown): Promise<Error> => {
  try {
    await call()
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}

it('covers every method of a client', () => {
  const methods = Object.entries(alice).flatMap(([name, member]) => (typeof member === 'function' ? [name] : []))
  expect([...Object.keys(WITH_OPTIONS), ...WITHOUT_OPTIONS].sort()).toEqual(methods.sort())
})

describe.each(Object.entries(WITH_OPTIONS))('%s', (_name, [misspelt, meant, call]) => {
  it('refuses a misspelt option by name, says which one was meant, and sends nothing', async () => {
    const inputs = { ...head.node.counters.inputs }
    const error = await failureOf(() => call(alice, { [misspelt]: true }))
    expect(error).toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(error.message.split('\n')[0]).toContain(misspelt)
    expect(error.message).toContain(`(did you mean ${meant}?)`)
    expect(error.message).toContain('boolean')
    expect(head.node.counters.inputs).toEqual(inputs)
    expect(alice.status()).toMatchObject({ state: 'connected', headStatus: 'Open', pending: 0 })
  })

  it('refuses an unknown option without a guess, and does not repeat its value', async () => {
    const error = await failureOf(() => call(alice, { password: 'hunter22' }))
    expect(error).toMatchObject({ code: 'INPUT_ARGUMENT' })
    expect(error.message).toContain('password')
    expect(error.message).not.toMatch(/did you mean|hunter22/)
  })
})

it.each(['getBalance', 'watchBalance'] as const)('%s refuses options in place of an address', async (method) => {
  const call = (): unknown =>
    method === 'getBalance'
      ? alice.getBalance({ address: { address: to } as never })
      : alice.watchBalance({ address: { address: to } as never, onChange: () => undefined })
  expect(await failureOf(call)).toMatchObject({ code: expect.stringMatching(/^INPUT_/) })
})
