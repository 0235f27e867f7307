import type { RecogniseDepositsOptions, RecognisedDeposits, UTxO } from '../../src/recognition'
import { recognise, recogniseDeposits } from '../../src/recognition'
import { depositOutput, SCRIPT_ADDRESS } from './headOutputs'
import { HEAD_ID, OWN } from './madeHead'

const ADA = 1_000_000n
const TOKEN = 'cd'.repeat(28) + '41'
const slotConfig = { zeroTime: 1_700_000_000_000, zeroSlot: 0, slotLength: 1000, startEpoch: 0, epochLength: 432_000 }
const NOW = slotConfig.zeroTime + 1_000_000
const idOf = (n: number): string => n.toString(16).padStart(64, '0')

/** A deposit to the wallet's address, as anybody can make it. */
const deposit = (n: number, lovelace: bigint, { deadlineMs = NOW + n, tokens = 0n } = {}): UTxO =>
  depositOutput({ n, lovelace, deadlineMs, headId: HEAD_ID, to: OWN, tokens: { [TOKEN]: tokens } })

function recogniseOf(
  deposits: readonly UTxO[],
  more: Partial<RecogniseDepositsOptions> = {}
): Promise<RecognisedDeposits> {
  const fetcher = {
    fetchAddressUTxOs: () => Promise.resolve([...deposits]),
    fetchUTxOs: () => Promise.resolve([]),
    fetchTip: () => Promise.resolve({ slot: 1_000, hash: '00'.repeat(32), height: 1 })
  }
  return recogniseDeposits({
    provider: { fetcher: fetcher as never },
    addresses: [OWN],
    slotConfig,
    depositAddress: SCRIPT_ADDRESS,
    ...more
  })
}

const listed = ({ deposits }: Pick<RecognisedDeposits, 'deposits'>): string[] =>
  deposits.map(({ depositTxId }) => depositTxId)

describe('deposits in the name of the wallet', () => {
  it('are folded below the limit, into one number and one sum', async () => {
    const found = await recogniseOf([deposit(1, 1n * ADA), deposit(2, 5n * ADA), deposit(3, 1_999_999n)])
    expect(listed(found)).toEqual([idOf(2)])
    expect(found.foldedDeposits).toEqual({ count: 2, amount: [{ unit: 'lovelace', quantity: '2999999' }] })
    expect((await recogniseOf([deposit(2, 2n * ADA)])).foldedDeposits).toBeNull()
  })

  it('follow the option, and stay listed where they hold a token or are known to be the wallet’s own', async () => {
    const all = [deposit(1, 1n * ADA), deposit(2, 1n * ADA, { tokens: 7n }), deposit(3, 3n * ADA)]
    expect(listed(await recogniseOf(all))).toEqual([idOf(2), idOf(3)])
    expect(listed(await recogniseOf(all, { depositTxIds: [idOf(1)] }))).toEqual([idOf(1), idOf(2), idOf(3)])
    expect(listed(await recogniseOf(all, { dustLimit: 0n }))).toEqual([idOf(1), idOf(2), idOf(3)])
    expect(listed(await recogniseOf(all, { dustLimit: 4n * ADA }))).toEqual([idOf(2)])
    for (const dustLimit of [-1n, 2_000_000, '2'])
      await expect(recogniseOf(all, { dustLimit: dustLimit as never })).rejects.toMatchObject({
        code: 'INPUT_ARGUMENT'
      })
  })

  it('cannot push the wallet’s own or the largest out of the list, however many a stranger makes', async () => {
    const flood = Array.from({ length: 5_000 }, (_, i) => deposit(10 + i, 2n * ADA))
    const own = deposit(1, 1n * ADA, { deadlineMs: NOW + 10_000_000 })
    const large = deposit(2, 700n * ADA, { deadlineMs: NOW + 20_000_000 })
    const found = await recogniseOf([...flood, own, large], { depositTxIds: [idOf(1)] })
    expect(found.deposits).toHaveLength(100)
    expect(listed(found).slice(-2)).toEqual([idOf(1), idOf(2)])
    // No money is missing from the answer.
    const sum = found.deposits.reduce((all, { amount }) => all + BigInt(amount[0]!.quantity), 0n)
    expect(found.foldedDeposits!.count).toBe(4_902)
    expect(sum + BigInt(found.foldedDeposits!.amount[0]!.quantity)).toBe(10_701n * ADA)
  })

  it('are folded beside a head in the same way', async () => {
    const recognition = await recognise({
      headId: HEAD_ID,
      addresses: [OWN],
      headOutputs: [],
      answers: [],
      deposits: [deposit(1, 1n * ADA), deposit(2, 5n * ADA)],
      asOf: { slot: 1_000, timeMs: NOW }
    })
    expect(recognition).toMatchObject({ state: 'NO_HEAD', foldedDeposits: { count: 1 } })
    expect(listed(recognition)).toEqual([idOf(2)])
  })
})
