import type { UTxO } from '../../src/recognition'
import { watchRecognition } from '../../src/recognition'
import { HEAD_ID, openHead, output, OWN, ref, signedBundle } from './madeHead'
import { depositOutput, SCRIPT_ADDRESS } from './headOutputs'
import { settle, WatchedHead } from './watchedHeads'

const ADA = 1_000_000
const utxo = { [ref(1)]: output(5 * ADA), [ref(2)]: output(2 * ADA) }
const depositTxIds = ['de'.repeat(32)]

const pendingDeposit = (): UTxO =>
  depositOutput({ n: 9, lovelace: 3_000_000n, deadlineMs: 9_000_000_000, headId: HEAD_ID, to: OWN })

let ends: (() => void)[] = []

/** A watch after its first look. */
async function watched(more: object = {}, heads?: readonly object[]): Promise<WatchedHead> {
  const head = new WatchedHead(HEAD_ID, 7 * ADA, await signedBundle({ utxo }))
  if (heads !== undefined) head.heads = heads
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
  ends.push(watchRecognition(head.options({ addresses: [OWN], ...more }), (found) => head.seen.push(found)))
  await settle(() => head.seen.length === 1 && jest.getTimerCount() === 1)
  return head
}

afterEach(() => {
  for (const end of ends) end()
  ends = []
  jest.useRealTimers()
})

describe('a look of a watch without a change', () => {
  it('reads the tip alone from the base ledger, and asks each endpoint once', async () => {
    const head = await watched()
    expect(head.seen[0]).toMatchObject({ state: 'VERIFIED_IN_HEAD' })
    for (let count = 0; count < 3; count++) expect(await head.look()).toEqual({ chain: ['tip'], endpoints: 3, sums: 0 })
    expect(head.seen).toHaveLength(1)
  })

  it('costs two requests to the base ledger at a new block, deposits of the wallet included, and no sum', async () => {
    const head = await watched({ depositTxIds })
    for (let count = 0; count < 3; count++) {
      head.block++
      expect(await head.look()).toEqual({ chain: ['refs', 'tip'], endpoints: 3, sums: 0 })
    }
    expect(await head.look()).toEqual({ chain: ['tip'], endpoints: 3, sums: 0 })
    expect(head.seen).toHaveLength(1)
  })

  it('reads the head and the address of the deposit script in turn: never more than two requests', async () => {
    const head = await watched({ depositTxIds, depositAddress: SCRIPT_ADDRESS })
    const reads: string[] = []
    for (let count = 0; count < 6; count++) {
      head.block++
      const { chain, endpoints, sums } = await head.look()
      expect([chain.length, endpoints, sums]).toEqual([2, 3, 0])
      reads.push(chain[0]!)
    }
    expect(reads).toEqual(['refs', 'address', 'refs', 'address', 'refs', 'address'])
    // What was put off is read in the next look, with or without a block.
    expect((await head.look()).chain).toEqual(['refs', 'tip'])
    expect((await head.look()).chain).toEqual(['tip'])
    expect(head.seen).toHaveLength(1)
  })

  it('looks for the head at an address by its reference too, once it was found', async () => {
    const head = await watched({ depositTxIds, headAddress: SCRIPT_ADDRESS }, [])
    head.block++
    expect((await head.look()).chain).toEqual(['address', 'refs', 'tip'])
    head.deposits = [openHead(7 * ADA)] as never
    head.block++
    await head.look()
    expect(head.seen.at(-1)).toMatchObject({ state: 'VERIFIED_IN_HEAD' })
    head.block++
    expect((await head.look()).chain).toEqual(['refs', 'tip'])
  })

  it('finds a new deposit at the address one look later at most', async () => {
    const head = await watched({ depositAddress: SCRIPT_ADDRESS })
    head.deposits = [pendingDeposit()]
    head.block++
    expect((await head.look()).chain).toEqual(['refs', 'tip'])
    expect(head.seen.at(-1)!.deposits).toEqual([])
    expect((await head.look()).chain).toEqual(['address', 'tip'])
    expect(head.seen.at(-1)!.deposits).toHaveLength(1)
  })

  it.each([
    ['the head is read, and its output has moved', 1],
    ['the address is read, and a deposit is spent', 2]
  ])('reads all of one block where %s: a step counts no money twice', async (_, blocks) => {
    const deposit = pendingDeposit()
    const head = await watched({ depositAddress: SCRIPT_ADDRESS })
    head.deposits = [deposit]
    for (let count = 0; count < 2; count++) {
      head.block++
      await head.look()
    }
    expect(head.seen.at(-1)!.deposits).toHaveLength(1)
    for (let count = 1; count < blocks; count++) {
      head.block++
      await head.look()
    }
    // One block claims the deposit: it is spent, and the head's output holds it.
    const calls = head.seen.length
    head.deposits = []
    head.heads = [{ ...openHead(10 * ADA), input: { txHash: 'ee'.repeat(32), index: 0 } }]
    head.block++
    await head.look()
    const [found, ...more] = head.seen.slice(calls)
    expect(more).toEqual([])
    expect(found!.deposits).toEqual([])
    expect(found!.evidence.anchor?.ref).toBe(`${'ee'.repeat(32)}#0`)
  })

  it('costs two without a head, and looks for one of the generation before at each tenth block', async () => {
    const head = await watched({}, [])
    expect(head.seen[0]).toMatchObject({ state: 'NO_HEAD' })
    const requests: number[] = []
    for (let count = 0; count < 20; count++) {
      head.block++
      requests.push((await head.look()).chain.length)
    }
    expect(requests.filter((each) => each === 2)).toHaveLength(18)
    expect(Math.max(...requests)).toBe(3)
    // The head opens: the next look finds it.
    head.block++
    head.heads = [openHead(7 * ADA)]
    await head.look()
    expect(head.seen.map(({ state }) => state)).toEqual(['NO_HEAD', 'VERIFIED_IN_HEAD'])
  })

  it('is read anew where something has changed: another output of the head, a deposit, a snapshot', async () => {
    const head = await watched({ depositTxIds })
    head.body = JSON.stringify(await signedBundle({ utxo: { [ref(3)]: output(7 * ADA) }, number: 2 }))
    expect(await head.look()).toEqual({ chain: ['tip'], endpoints: 3, sums: 1 })
    expect(head.seen.at(-1)).toMatchObject({ snapshot: { number: 2 } })
    // The head's output is spent, and stands elsewhere.
    head.block++
    const [moved] = [openHead(7 * ADA)]
    head.heads = [{ ...moved, input: { txHash: 'ee'.repeat(32), index: 3 } }]
    expect((await head.look()).chain).toEqual(['asset', 'refs', 'tip'])
    expect(head.seen.at(-1)?.evidence.anchor?.ref).toBe(`${'ee'.repeat(32)}#3`)
    expect(head.errors).toEqual([])
  })
})
