import type { UTxO } from 'layer-sdk/client'
import { addressProblem, lovelaceOf } from '../../src/dashboard/model/commands'
import { moneyInHead, searchOutputs, summarise } from '../../src/dashboard/model/outputs'
import type { PayoutInput } from '../../src/dashboard/model/payout'
import { checkPayout } from '../../src/dashboard/model/payout'
import { assetLabel, formatAdaText, formatDuration, safeText, shorten } from '../../src/dashboard/model/text'
import { unknownVersion } from '../../src/dashboard/model/version'

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
  const input = (changes: Partial<PayoutInput>): PayoutInput => ({
    headStatus: 'Open',
    version: '2.3.0-ca8d19b',
    utxos: [utxo(1, 5_000_000n)],
    entered: new Map([['lovelace', 5_000_000n]]),
    unconfirmed: 0,
    pendingDeposits: 0,
    pendingDecommits: 0,
    ...changes
  })
  const blocking = async (changes: Partial<PayoutInput>): Promise<string[]> =>
    (await checkPayout(input(changes))).filter(({ level }) => level === 'block').map(({ title }) => title)
  const gold = unitOf('Gold')

  it('finds nothing in the way of a plain head', async () => {
    expect((await checkPayout(input({}))).map(({ level }) => level)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
  })

  it('names a token that was minted in the head, with the quantity that nobody deposited', async () => {
    const [first] = await checkPayout(
      input({ utxos: [utxo(1, 5_000_000n, { [gold]: 12n })], entered: new Map([[gold, 10n]]) })
    )
    expect(first).toMatchObject({
      level: 'block',
      title: 'Tokens minted in the head',
      items: [`2 Gold (cdcdcd\u2026cdcd), ${gold}`]
    })
  })

  it('names a deposited token that was burned in the head', async () => {
    expect(await blocking({ utxos: [utxo(1, 5_000_000n)], entered: new Map([[gold, 1n]]) })).toEqual([])
    expect(await blocking({ utxos: [utxo(1, 5_000_000n, { [gold]: 1n })], entered: new Map([[gold, 3n]]) })).toEqual([
      'Deposited tokens burned in the head'
    ])
  })

  it('says what it cannot know: where tokens came from without the history', async () => {
    const [first] = await checkPayout(input({ utxos: [utxo(1, 5_000_000n, { [gold]: 1n })], entered: null }))
    expect(first).toMatchObject({ level: 'unknown', items: [gold] })
  })

  it.each([
    ['an output below the least lovelace', { utxos: [utxo(1, 500_000n)] }, ['Too little ada: 1 output']],
    [
      'an output too large for a transaction',
      { utxos: [utxo(1, 100_000_000n, {}, { inlineDatum: `59${(15_000).toString(16)}${'00'.repeat(15_000)}` })] },
      ['Too large: 1 output']
    ],
    [
      'an output that no ledger could hold',
      { utxos: [utxo(1, 1n, {}, { address: '<img src=x onerror=alert(1)>' })] },
      ['Too large: 1 output']
    ],
    [
      'too many outputs from 2.2 on',
      { utxos: Array.from({ length: 4_096 }, (_, n) => utxo(n, 2_000_000n)) },
      ['4,096 of at most 4,095 outputs']
    ]
  ])('refuses %s', async (_, changes, expected) => {
    expect(await blocking(changes)).toEqual(expected)
  })

  it('warns of many outputs before 2.2, and of what is under way', async () => {
    const found = await checkPayout(
      input({
        version: '1.3.0',
        utxos: Array.from({ length: 60 }, (_, n) => utxo(n, 2_000_000n)),
        unconfirmed: 2,
        pendingDeposits: 1
      })
    )
    expect(found.filter(({ level }) => level === 'warn').map(({ title }) => title)).toEqual([
      '60 of at most about 40 outputs',
      'Not confirmed: 2 transactions',
      'Under way: 1 deposit'
    ])
  })
})
