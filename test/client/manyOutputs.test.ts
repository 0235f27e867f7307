import type { HeadClient } from '../../src/client/index.js'
import { poolsOf, shortageOf } from '../../src/client/selection.js'
import { InsufficientFundsError } from '../../src/errors/tx.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

const outputOf = (index: number, lovelace: bigint, unit?: string): any => ({
  input: { txHash: 'ab'.repeat(32), index },
  output: {
    address: 'addr',
    amount: [{ unit: 'lovelace', quantity: String(lovelace) }, ...(unit === undefined ? [] : [{ unit, quantity: '1' }])]
  }
})

describe('a wallet of 1,000 outputs of 2 ada', () => {
  let head: ClientHead
  let alice: HeadClient
  let bob: string
  beforeAll(async () => {
    // As mainnet has it: 350 inputs need 13 KB, and the local head's sample allows 10,250 bytes.
    head = await startClientHead({ node: { protocolParameters: { maxTxSize: 16_384 } }, deposit: 2_200n * ADA })
    alice = await head.client(0)
    bob = head.wallets[1]!.getAddressBech32()
    const carol = head.wallets[2]!.getAddressBech32()
    const own = head.wallets[0]!.getAddressBech32()
    await alice.payMany({
      payments: Array.from({ length: 1_000 }, () => ({ to: own, amount: 2n * ADA })),
      timeout: 60_000
    })
    const rest = alice.getUtxos()!.filter(({ output }) => output.amount[0]!.quantity !== '2000000')
    await alice.pay({
      to: carol,
      amount: rest.reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
    })
    expect(alice.getUtxos()).toHaveLength(1_000)
  }, 120_000)
  afterAll(() => head.stop())

  const failureOf = (promise: Promise<unknown>): Promise<any> =>
    promise.then(
      () => 'it resolved',
      (error: unknown) => error
    )

  it('is refused more than it has, with the figures of all its outputs', async () => {
    expect(await failureOf(alice.pay({ to: bob, amount: 2_500n * ADA }))).toMatchObject({
      code: 'TX_INSUFFICIENT_FUNDS',
      missing: { lovelace: String(500n * ADA) },
      message: expect.stringContaining('1000 inputs that hold 2000000000 lovelace')
    })
  })

  it('is told to bring them together where the money is there, and one transaction cannot spend so many', async () => {
    expect(await failureOf(alice.pay({ to: bob, amount: 1_500n * ADA }))).toMatchObject({
      code: 'CLIENT_WALLET_FRAGMENTED',
      outputs: 1_000,
      message: expect.stringContaining('consolidate()')
    })
  })

  it('pays 700 ada at once, and all of the rest after consolidate()', async () => {
    await alice.pay({ to: bob, amount: 700n * ADA })
    expect(alice.getUtxos()).toHaveLength(650)
    const steps: string[] = []
    const results = await alice.consolidate({ onProgress: ({ action, state }) => steps.push(`${action} ${state}`) })
    expect(new Set(results.map(({ txId }) => txId)).size).toBe(4)
    expect(steps.filter((step) => step === 'consolidate confirmed')).toHaveLength(4)
    expect(alice.getUtxos()).toHaveLength(4)
    expect(alice.getBalance()!.confirmed.lovelace).toBe(1_300n * ADA)
    await alice.pay({ to: bob, amount: 1_300n * ADA })
    expect(await alice.consolidate()).toEqual([])
  }, 60_000)
})

describe('consolidate', () => {
  let head: ClientHead
  afterEach(() => head.stop())

  it('leaves outputs with a datum as they are, and needs a wallet', async () => {
    head = await startClientHead({ deposit: 20n * ADA })
    const alice = await head.client(0)
    const own = head.wallets[0]!.getAddressBech32()
    await alice.pay({ to: own, amount: 3n * ADA, datum: '182a' })
    await alice.pay({ to: own, amount: 2n * ADA })
    const before = alice.getUtxos()!.length
    expect(before).toBe(3)
    expect(await alice.consolidate()).toHaveLength(1)
    expect(
      alice
        .getUtxos()!
        .map(({ output }) => [output.amount[0]!.quantity, output.inlineDatum ?? null])
        .sort()
    ).toEqual([
      ['17000000', null],
      ['3000000', '182a']
    ])
    const watcher = await head.client(0, { wallet: undefined })
    await expect(watcher.consolidate()).rejects.toMatchObject({ code: 'CLIENT_WALLET_MISSING' })
    await expect(alice.consolidate({ retries: -1 })).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })
})

describe('the pools of a payment', () => {
  const many = Array.from({ length: 1_300 }, (_, index) =>
    outputOf(index, BigInt(index + 1), index < 600 ? 'token' : undefined)
  )

  it('begin with one of the largest confirmed outputs, chosen so that two clients seldom choose alike', () => {
    const chosen = new Set<number>()
    for (let round = 0; round < 400; round++) {
      const [first] = poolsOf(many, many, [])
      expect(first).toHaveLength(1)
      chosen.add(first![0]!.input.index)
    }
    expect([...chosen].sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, index) => 1_284 + index))
    expect(poolsOf(many, many, ['token'])[0]!.length).toBeGreaterThan(1)
  })

  it('do not begin with an output that carries a datum or a script', () => {
    const marked = [1, 2, 3].map((index) => ({
      ...outputOf(index, 5n),
      output: { ...outputOf(index, 5n).output, [['inlineDatum', 'datumHash', 'scriptRef'][index - 1]!]: 'aa' }
    }))
    for (let round = 0; round < 50; round++)
      expect(poolsOf([...marked, outputOf(9, 1n)], marked, [])[0]).toEqual([outputOf(9, 1n)])
    expect(poolsOf(marked, marked, [])[0]).toEqual([])
  })

  it('end with as many outputs as a transaction can spend, by lovelace and by each unit', () => {
    const last = poolsOf(many, many, ['token']).at(-1)!
    expect(last.filter(({ output }) => output.amount.length === 2)).toHaveLength(500)
    expect(last).toHaveLength(1_000)
    expect(poolsOf(many.slice(0, 300), many.slice(0, 300), [])).toHaveLength(3)
  })

  it('do not change an error that names all outputs, or is another', () => {
    const error = new InsufficientFundsError(new Map([['lovelace', 5n]]), {
      purpose: 'x',
      available: new Map(),
      inputs: 1,
      unspendable: 0
    })
    expect(shortageOf(error, many.slice(0, 500), [])).toBe(error)
    const other = new Error('other')
    expect(shortageOf(other, many, [])).toBe(other)
  })
})
