import type { UTxO } from 'layer-sdk/client'
import { addressProblem, lovelaceOf } from '../../src/dashboard/model/commands'
import { depositText } from '../../src/dashboard/model/depositText'
import type { FactsInput } from '../../src/dashboard/model/headFacts'
import { headFacts } from '../../src/dashboard/model/headFacts'
import { moneyInHead, searchOutputs, summarise } from '../../src/dashboard/model/outputs'
import { assetLabel, formatAdaText, formatDuration, safeText, shorten } from '../../src/dashboard/model/text'
import { unknownVersion } from '../../src/dashboard/model/version'
import { diagnose } from '../../src/doctor'
import { FundsLog } from '../../src/doctor/facts/FundsLog'

const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const POLICY = 'cd'.repeat(28)
const unitOf = (name: string): string => POLICY + Buffer.from(name).toString('hex')
const utxo = (
  n: number,
  lovelace: bigint,
  tokens: Record<string, bigint> = {},
  more: Partial<UTxO['output']> = {}
): UTxO => ({
  input: { txHash: n.toString(16).padStart(64, '0'), index: 0 },
  output: {
    address: ADDRESS,
    amount: [
      { unit: 'lovelace', quantity: String(lovelace) },
      ...Object.entries(tokens).map(([unit, quantity]) => ({ unit, quantity: String(quantity) }))
    ],
    ...more
  }
})

describe('an amount that a person types', () => {
  it('is ada with a point', () => {
    expect(lovelaceOf({ amount: ' 2.5 ' })).toBe(2_500_000n)
  })

  it.each(['1,000', '1,5', '1.000.000', '1 000', '-1', '1e3', '', '0.0000001'])(
    'is refused as %p, which could mean another amount',
    (amount) => {
      expect(() => lovelaceOf({ amount })).toThrow()
    }
  )
})

describe('an address that a person types', () => {
  it.each([
    [ADDRESS, null],
    [ADDRESS.slice(0, -3), /missing or mistyped/],
    [ADDRESS.replace('wq95', 'wq59'), /missing or mistyped/],
    ['stake_test1ur4l6cznhgft8q5gk2mdt4xyvxxk4r89n4g9sr5udacy4agpu0rzh', /reward address/],
    ['bob', /begins with addr1/],
    ['', /begins with addr1/]
  ])('is named for its own mistake: %s', (address, expected) => {
    if (expected === null) expect(addressProblem(address)).toBeNull()
    else expect(addressProblem(address)).toMatch(expected)
  })
})

describe('text of the wire', () => {
  it('makes marks visible that would turn or hide a part of it', () => {
    expect(safeText('pay \u202eecila\u200b\u0007')).toBe('pay \\u202eecila\\u200b\\u0007')
  })

  it('is cut at a length that a page can show', () => {
    expect(safeText('x'.repeat(100_000))).toHaveLength(2_000 + '... (100000 characters)'.length)
    expect(shorten('ab'.repeat(32))).toBe('ababababab\u2026ababab')
  })

  it('names assets by their readable name, else by its hex', () => {
    expect(assetLabel(unitOf('Gold'))).toBe('Gold (cdcdcd\u2026cdcd)')
    expect(assetLabel(`${POLICY}ff00`)).toBe('0xff00 (cdcdcd\u2026cdcd)')
    expect(assetLabel(POLICY)).toBe('unnamed (cdcdcd\u2026cdcd)')
    expect(assetLabel(unitOf('a\u202eb'))).toBe('a\\u202eb (cdcdcd\u2026cdcd)')
  })

  it('writes amounts and spans of time as people read them', () => {
    expect(formatAdaText(1_234_567_890_123n)).toBe('1,234,567.890123')
    expect([999, 61_000, 3_600_000, 90_061_000, -5_000].map(formatDuration)).toEqual([
      '999 ms',
      '1 min 1 s',
      '1 h',
      '1 d 1 h',
      '-5 s'
    ])
  })
})

describe('a deposit on its way', () => {
  const MINUTE = 60_000
  const START = Date.UTC(2026, 0, 1)
  const deadline = START + 30 * MINUTE
  const row = (step: 'recorded' | 'activated' | 'approved' = 'recorded', activated?: number) =>
    ({ deadline, step, times: activated === undefined ? {} : { activated } }) as const
  const shownAt = (minute: number, period: number | null = 10 * MINUTE, shown = row()) =>
    depositText(shown, period, START + minute * MINUTE + 1)

  it.each([
    [5, 'waiting', /^The head cannot take it yet. It can in 5 min, from .+\. It can be recovered from .+\.$/],
    [15, 'claimable', /^The head can take it. No longer in 5 min, from .+\. It can be recovered from .+\.$/],
    [25, 'expired', /^The head takes it no longer. It can be recovered in 5 min, from [^.]+\.$/],
    [30, 'recoverable', /^It can be recovered: its deadline was [^.]+\.$/]
  ])('says in minute %i that it is %s, and when the next phase begins', (minute, phase, text) => {
    expect(shownAt(minute)).toEqual({ phase, text: expect.stringMatching(text) })
  })

  it('is claimable as soon as the node says so, and signed by all is not counted down', () => {
    expect(shownAt(5, 10 * MINUTE, row('activated', START))).toMatchObject({ phase: 'claimable' })
    expect(shownAt(15, 10 * MINUTE, row('approved', START))!.text).toMatch(/^All parties have signed it. It can be rec/)
  })

  it('has its deadline alone where the node states no period, and nothing without one', () => {
    expect(shownAt(5, null)).toEqual({
      phase: null,
      text: expect.stringMatching(/^It can be recovered in 25 min/)
    })
    expect(depositText({ ...row(), deadline: null }, 10 * MINUTE, START)).toBeNull()
  })
})

describe('the outputs of a head', () => {
  const gold = unitOf('Gold')
  const view = summarise([utxo(1, 5_000_000n, { [gold]: 2n }), utxo(2, 3_000_000n)])

  it('are summed by address and by asset', () => {
    expect(view.addresses).toEqual([{ address: ADDRESS, outputs: 2, lovelace: 8_000_000n, assets: 1 }])
    expect(view.assets).toEqual([
      { unit: 'lovelace', quantity: 8_000_000n, outputs: 2, addresses: 1 },
      { unit: gold, quantity: 2n, outputs: 1, addresses: 1 }
    ])
  })

  it.each([
    ['gold', 1],
    [POLICY, 1],
    [ADDRESS.slice(10, 20), 2],
    [`${'0'.repeat(62)}02#0`, 1],
    ['nothing of it', 0]
  ])('are found by %s', (query, count) => {
    expect(searchOutputs(view, query).utxos).toHaveLength(count)
  })
})

describe('the money in the head', () => {
  const gold = unitOf('Gold')
  const deposited = utxo(3, 7_000_000n)
  const isDeposited = (ref: string): boolean => ref === `${deposited.input.txHash}#0`

  it('leaves out what a pending deposit brings, and names it as arriving', () => {
    const view = summarise([utxo(1, 5_000_000n, { [gold]: 2n }), deposited], isDeposited)
    expect([view.lovelace, view.arriving]).toEqual([12_000_000n, 7_000_000n])
    expect(moneyInHead(view)).toEqual({ value: '5 ada', note: 'and 1 token; 7 ada arriving' })
  })

  it('is none while the deposit that opens the head is pending', () => {
    expect(moneyInHead(summarise([deposited], isDeposited))).toEqual({
      value: '0 ada',
      note: 'no tokens; 7 ada arriving'
    })
  })

  it('is the whole sum without a pending deposit', () => {
    expect(moneyInHead(summarise([deposited]))).toEqual({ value: '7 ada', note: 'no tokens' })
  })
})

describe('the version of a node', () => {
  it.each(['9.9.9', 'v2.5.0-abc', '3.0.0'])(
    '%s is unknown to the package, and no snapshot is called forged',
    (version) => {
      expect(unknownVersion(version)).toEqual({
        title: "This node's version is newer than layer-sdk knows",
        detail: 'Its snapshots cannot be verified here; update layer-sdk.'
      })
    }
  )

  it.each(['2.4.1-099f5dd', '2.3.0', '0.20.0', '2.5.0-devnode', 'unknown', '', null])(
    '%p needs no notice',
    (version) => {
      expect(unknownVersion(version)).toBeNull()
    }
  )
})

describe('the payout check', () => {
  const input = (changes: Partial<FactsInput>): FactsInput => ({
    at: 1_780_000_000_000,
    status: {
      nodeVersion: '2.4.1',
      headStatus: 'Open',
      headId: 'ab'.repeat(28),
      snapshotNumber: 3,
      synced: true,
      parties: []
    },
    node: { greetings: null, contestationPeriod: 600, drift: null },
    utxos: [utxo(1, 5_000_000n)],
    isArriving: () => false,
    funds: opened(),
    unconfirmed: 0,
    ...changes
  })
  const found = async (changes: Partial<FactsInput>): Promise<string[]> =>
    (await diagnose(headFacts(input(changes)), { before: 'close' })).findings.map(
      ({ severity, code }) => `${severity} ${code}`
    )
  /** A log that has seen the head open, and a deposit of tokens. */
  const opened = (tokens = 0): FundsLog => {
    const funds = new FundsLog()
    const timestamp = '2026-05-28T00:00:00Z'
    const apply = (message: object): void =>
      void funds.apply({ timestamp, headId: 'ab'.repeat(28), ...message } as never)
    apply({ tag: 'HeadIsOpen', parties: [] })
    if (tokens > 0) {
      const value = { lovelace: 5_000_000, [POLICY]: { '476f6c64': tokens } }
      const utxoToCommit = { [`${'ee'.repeat(32)}#0`]: { address: ADDRESS, value } }
      apply({ tag: 'CommitRecorded', pendingDeposit: 'ee'.repeat(32), utxoToCommit, deadline: timestamp })
      apply({ tag: 'CommitFinalized', depositTxId: 'ee'.repeat(32) })
    }
    return funds
  }
  const gold = unitOf('Gold')

  it('finds nothing in the way of a plain head, and says what the page does not read', async () => {
    const codes = await found({})
    expect(codes.filter((each) => /^(block|warn)/.test(each))).toEqual([])
    expect(codes).toContain('unknown fuel-low')
    expect(codes).toContain('unknown history-size')
  })

  it.each([
    [
      'a token that was minted in the head',
      { utxos: [utxo(1, 5_000_000n, { [gold]: 12n })], funds: opened(10) },
      'block minted-token'
    ],
    [
      'a deposited token that was burned',
      { utxos: [utxo(1, 5_000_000n, { [gold]: 1n })], funds: opened(3) },
      'block burned-token'
    ],
    [
      'a token of unknown origin',
      { utxos: [utxo(1, 5_000_000n, { [gold]: 1n })], funds: new FundsLog() },
      'unknown minted-token'
    ],
    ['an output below the least lovelace', { utxos: [utxo(1, 500_000n)] }, 'block below-min-ada'],
    [
      'an output too large for a transaction',
      { utxos: [utxo(1, 100_000_000n, {}, { inlineDatum: `59${(16_000).toString(16)}${'00'.repeat(16_000)}` })] },
      'block output-too-large'
    ],
    [
      'an output that no ledger could hold',
      { utxos: [utxo(1, 1n, {}, { address: '<img src=x onerror=alert(1)>' })] },
      'block output-too-large'
    ],
    [
      'too many outputs',
      { utxos: Array.from({ length: 4_096 }, (_, n) => utxo(n, 2_000_000n)) },
      'block outputs-limit'
    ],
    ['unconfirmed transactions', { unconfirmed: 2 }, 'warn unconfirmed-transactions']
  ])('names %s', async (_, changes, expected) => {
    expect(await found(changes)).toContain(expected)
  })

  it('blocks a close over a deposit that is under way', async () => {
    const funds = opened()
    funds.setPending(['ee'.repeat(32)], [])
    expect(await found({ funds })).toContain('block deposit-open')
  })
})
