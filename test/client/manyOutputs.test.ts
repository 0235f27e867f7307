import type { HeadClient } from '../../src/client/index.js'
import { inputsWithin, poolsOf, shortageOf, tooLargeOf } from '../../src/client/selection.js'
import { InsufficientFundsError, TransactionTooLargeError } from '../../src/errors/tx.js'
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

describe('a wallet of 400 outputs of 2 ada in a head whose transactions have at most 4,000 bytes', () => {
  const MAX_TX_SIZE = 4_000
  let head: ClientHead
  let alice: HeadClient
  let bob: string
  beforeAll(async () => {
    head = await startClientHead({ node: { protocolParameters: { maxTxSize: MAX_TX_SIZE } }, deposit: 1_000n * ADA })
    alice = await head.client(0)
    bob = head.wallets[1]!.getAddressBech32()
    const own = head.wallets[0]!.getAddressBech32()
    const payments = Array.from({ length: 400 }, () => ({ to: own, amount: 2n * ADA }))
    await alice.payMany({ payments, timeout: 60_000 })
    const rest = alice.getUtxos()!.filter(({ output }) => output.amount[0]!.quantity !== '2000000')
    const amount = rest.reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
    await alice.pay({ to: head.wallets[2]!.getAddressBech32(), amount })
    expect(alice.getUtxos()).toHaveLength(400)
  }, 120_000)
  afterAll(() => head.stop())

  const fragmented = async (promise: Promise<unknown>): Promise<{ message: string; reachable: string }> => {
    const error = await promise.then(
      () => 'it resolved',
      (reason: unknown) => reason
    )
    expect(error).toMatchObject({ code: 'CLIENT_WALLET_FRAGMENTED', outputs: 400 })
    return error as { message: string; reachable: string }
  }

  it('learns how much one transaction can move, and can pay exactly that', async () => {
    const { message, ...error } = await fragmented(alice.pay({ to: bob, amount: 400n * ADA }))
    const reachable = BigInt(error.reachable)
    expect(message).toMatch(/consolidate\(\)/)
    expect(message).toContain(`${reachable / ADA} ada`)
    // An input has 36 bytes, and the rest of a payment about 300.
    expect(reachable).toBeGreaterThan(BigInt(Math.floor((MAX_TX_SIZE - 400) / 38)) * 2n * ADA)
    const { txId } = await alice.pay({ to: bob, amount: reachable })
    expect(head.node.headUtxos(bob).map(({ input }) => input.txHash)).toContain(txId)
  })

  it('learns it too where metadata takes most of the room', async () => {
    const before = alice.getUtxos()!.length
    const toCbor = (): string => `9822${`5840${'00'.repeat(64)}`.repeat(34)}`
    const error = (await alice.pay({ to: bob, amount: 150n * ADA, metadata: { 1: { toCbor } } }).catch((e) => e)) as {
      code: string
      reachable: string
    }
    expect(error.code).toBe('CLIENT_WALLET_FRAGMENTED')
    expect(BigInt(error.reachable)).toBeLessThan(100n * ADA)
    expect(alice.getUtxos()).toHaveLength(before)
    await alice.pay({ to: bob, amount: BigInt(error.reachable) - 2n * ADA, metadata: { 1: { toCbor } } })
  })

  it('names consolidate() when it is to leave whole, and brings its outputs together within the limit', async () => {
    const all = alice.getUtxos()!.length
    await expect(alice.withdraw({ all: true })).rejects.toMatchObject({
      code: 'CLIENT_WALLET_FRAGMENTED',
      outputs: all
    })
    const results = await alice.consolidate({ timeout: 60_000 })
    expect(results.length).toBeGreaterThan(1)
    expect(alice.getUtxos()).toHaveLength(results.length)
  }, 60_000)

  it('pays with a larger output that is not confirmed yet where the confirmed ones are too many', async () => {
    const own = head.wallets[0]!.getAddressBech32()
    const sum = alice.getBalance()!.confirmed.lovelace
    const gathered = alice.pay({ to: own, amount: sum - 10n * ADA, wait: 'valid' })
    const paid = alice.pay({ to: bob, amount: sum - 20n * ADA })
    await Promise.all([gathered, paid])
  })
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

  it('hold no more outputs than the parameters of the head leave room for', () => {
    const room = inputsWithin(10_250)
    expect(room).toBeGreaterThan(250)
    for (const pool of poolsOf(many, many, [], room)) expect(pool.length).toBeLessThanOrEqual(room)
    expect(inputsWithin(16_384)).toBeGreaterThan(400)
    expect(inputsWithin(0)).toBe(1)
    expect(inputsWithin(1e9)).toBe(500)
  })

  it('leave a transaction too large where its outputs alone do not fit', () => {
    const error = new TransactionTooLargeError('The transaction', 90_000, 16_384)
    expect(tooLargeOf(error, many, [], () => true)).toBe(error)
    expect(tooLargeOf(error, many, [], () => false)).toBe(error)
    const bySomeInputs = new TransactionTooLargeError('The transaction', 16_384 + 370, 16_384)
    expect(tooLargeOf(bySomeInputs, many, [], ({ length }) => length >= 40)).toMatchObject({
      code: 'CLIENT_WALLET_FRAGMENTED',
      reachable: String(many.slice(-30).reduce((sum, { output }) => sum + BigInt(output.amount[0].quantity), 0n)),
      cause: bySomeInputs
    })
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
