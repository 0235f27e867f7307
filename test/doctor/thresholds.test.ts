import { encodeTxOutput } from '../../src/codec/txOutput'
import type { HeadFacts } from '../../src/doctor'
import { diagnose, DOCTOR_CODES } from '../../src/doctor'
import type { Changes } from './factsSupport'
import {
  ADA,
  BYRON_ADDRESS,
  datumOf,
  DEPOSIT,
  facts,
  found,
  node,
  NOW,
  POLICY,
  SCRIPT_ADDRESS,
  utxo,
  utxos
} from './factsSupport'

const HOUR = 3_600_000
const snapshot = (utxo: readonly unknown[], more: object = {}): Changes => ({ snapshot: { utxo, ...more } })
const old = (version: string): Changes => ({ greetings: { nodeVersion: version } })
const deposit = (recoverableAt: number, more: object = {}): Changes => ({
  own: { deposits: { value: [DEPOSIT] } },
  history: {
    deposits: [
      { txId: DEPOSIT, recordedAt: NOW - HOUR, activatedAt: NOW - HOUR, recoverableAt, approved: false, ...more }
    ]
  }
})
const peer = (changes: Changes): Changes => ({ peers: [node(changes, 'ws://127.0.0.1:4002')] })
const waiting = (ms: number, unconfirmed: number): Changes => ({
  head: { unconfirmed },
  own: { numbers: { value: { first: 7, last: 7, signingSince: null, waitingSince: NOW - ms } } }
})
const sizedTo = (bytes: number): object => ({ inlineDatum: datumOf(bytes) })
/** Bytes of an output of the test address beside its inline datum. */
const AROUND = encodeTxOutput(utxo(1, 90n * ADA, { inlineDatum: datumOf(1_000) }).output).length - 1_000

it('a healthy head has no finding but good ones, one for each code', async () => {
  const { findings, exit } = await diagnose(facts())
  expect(findings.filter(({ severity }) => severity !== 'ok')).toEqual([])
  expect(exit).toMatchObject({ outputs: 2, chunks: { least: 1, most: 1 }, blocked: [] })
  const seen = new Set(findings.map(({ code }) => code))
  const onlyWithCause = /^(mismatch-|peer-behind|deposit-(expir|approved)|decommit-unpostable)/
  expect(Object.keys(DOCTOR_CODES).filter((code) => !seen.has(code as never) && !onlyWithCause.test(code))).toEqual([])
})

/** Name, one unit below the threshold, one unit above, the finding above; options where they matter. */
const ROWS: readonly [string, Changes, Changes, string, { before?: 'close' | 'decommit' }?][] = [
  ['3,500 outputs', snapshot(utxos(3_500)), snapshot(utxos(3_501)), 'warn outputs-limit'],
  [
    'pending outputs count too',
    snapshot(utxos(3_400), { toDecommit: utxos(50), toCommit: utxos(50) }),
    snapshot(utxos(3_401), { toDecommit: utxos(50), toCommit: utxos(50) }),
    'warn outputs-limit'
  ],
  [
    '40 outputs before 2.2',
    { ...snapshot(utxos(40)), ...old('2.1.0') },
    { ...snapshot(utxos(41)), ...old('2.1.0') },
    'warn outputs-limit'
  ],
  [
    'a token by the history',
    { ...snapshot([utxo(1, 9n * ADA, { tokens: { [POLICY]: 5n } })]), history: { entered: { [POLICY]: '5' } } },
    { ...snapshot([utxo(1, 9n * ADA, { tokens: { [POLICY]: 6n } })]), history: { entered: { [POLICY]: '5' } } },
    'block minted-token'
  ],
  [
    "a token by the head's output",
    {
      ...snapshot([utxo(1, 9n * ADA, { tokens: { [POLICY]: 5n } })]),
      head: { onChain: { lovelace: '1', [POLICY]: '5' } }
    },
    {
      ...snapshot([utxo(1, 9n * ADA, { tokens: { [POLICY]: 4n } })]),
      head: { onChain: { lovelace: '1', [POLICY]: '5' } }
    },
    'block burned-token'
  ],
  [
    'the largest output of a fanout',
    { ...snapshot([utxo(1, 90n * ADA, sizedTo(16_384 - 840 - AROUND))]) },
    { ...snapshot([utxo(1, 90n * ADA, sizedTo(16_384 - 840 - AROUND + 1))]) },
    'block output-too-large'
  ],
  [
    '10,250 bytes',
    snapshot([utxo(1, 90n * ADA, sizedTo(10_250 - AROUND))]),
    snapshot([utxo(1, 90n * ADA, sizedTo(10_251 - AROUND))]),
    'warn output-too-large'
  ],
  ['the least ada', snapshot([utxo(1, 857_690n)]), snapshot([utxo(1, 857_689n)]), 'block below-min-ada'],
  ['a price of 1', { parameters: { coinsPerByte: '1' } }, { parameters: { coinsPerByte: '0' } }, 'warn below-min-ada'],
  [
    'no Byron address',
    snapshot(utxos(1)),
    snapshot([utxo(1, 9n * ADA, { address: BYRON_ADDRESS })]),
    'warn address-kind'
  ],
  [
    'ten outputs with a datum',
    snapshot(utxos(10, { inlineDatum: '00' })),
    snapshot(utxos(11, { inlineDatum: '00' })),
    'warn script-output'
  ],
  [
    'an output at a script, without a datum and with one',
    snapshot([utxo(1, 9n * ADA, { address: SCRIPT_ADDRESS }), utxo(2, 5n * ADA)]),
    snapshot([utxo(1, 9n * ADA, { address: SCRIPT_ADDRESS, inlineDatum: '00' }), utxo(2, 5n * ADA)]),
    'warn script-output'
  ],
  [
    'five ada of collateral',
    snapshot([utxo(1, 9n * ADA, { address: SCRIPT_ADDRESS }), utxo(2, 5n * ADA)]),
    snapshot([utxo(1, 9n * ADA, { address: SCRIPT_ADDRESS }), utxo(2, 5n * ADA - 1n)]),
    'warn last-collateral'
  ],
  [
    'a decommit that has left',
    snapshot(utxos(1), { toDecommit: utxos(1), version: 0 }),
    snapshot(utxos(1), { toDecommit: utxos(1), version: 1 }),
    'warn decommit-pending'
  ],
  [
    '45 s after a decommit',
    { history: { decommitFinalizedAt: NOW - 45_000 } },
    { history: { decommitFinalizedAt: NOW - 44_999 } },
    'warn decommit-pause'
  ],
  ['nodes of one version of the head', peer({}), peer({ head: { version: 2 } }), 'warn decommit-pause'],
  ['a deposit before a close', {}, deposit(NOW + 2 * HOUR), 'block deposit-open', { before: 'close' }],
  ['a fifth of a window', deposit(NOW + HOUR + HOUR / 4), deposit(NOW + HOUR + HOUR / 4 - 1), 'warn deposit-expiring'],
  [
    'the end of a window',
    deposit(NOW + 3_600_000, { activatedAt: null }),
    deposit(NOW + 3_599_999, { activatedAt: null }),
    'warn deposit-expired'
  ],
  [
    'an approved deposit that expires',
    { ...deposit(NOW + HOUR), ...snapshot(utxos(1), { toCommit: utxos(1), depositTxId: DEPOSIT }) },
    { ...deposit(NOW + HOUR - 1), ...snapshot(utxos(1), { toCommit: utxos(1), depositTxId: DEPOSIT }) },
    'block deposit-approved'
  ],
  [
    'a deposit period of 600 s',
    { greetings: { depositPeriod: 600 }, metrics: { drift: 61 } },
    { greetings: { depositPeriod: 599 }, metrics: { drift: 61 } },
    'warn deposit-period-short'
  ],
  [
    'a drift of 60 s',
    { greetings: { depositPeriod: 300 }, metrics: { drift: 60 } },
    { greetings: { depositPeriod: 300 }, metrics: { drift: 61 } },
    'warn deposit-period-short'
  ],
  ['15 ada of fuel', { fuel: [utxo(1, 15n * ADA)] }, { fuel: [utxo(1, 15n * ADA - 1n)] }, 'warn fuel-low'],
  [
    'the cost of the exit',
    { fuel: [utxo(1, 20n * ADA + 800_000n)], ...snapshot(utxos(29 * 9)) },
    { fuel: [utxo(1, 20n * ADA + 799_999n)], ...snapshot(utxos(29 * 9)) },
    'block fuel-low'
  ],
  [
    'an output of 5 ada in the wallet',
    { fuel: utxos(8).concat(utxo(99, 5n * ADA)) },
    { fuel: utxos(8).concat(utxo(99, 5n * ADA - 1n)) },
    'block fuel-shape'
  ],
  [
    'the largest output of the wallet',
    { fuel: [utxo(1, 20n * ADA), utxo(2, 20n * ADA, { tokens: { [POLICY]: 1n } })] },
    { fuel: [utxo(1, 20n * ADA), utxo(2, 20n * ADA + 1n, { tokens: { [POLICY]: 1n } })] },
    'block fuel-shape'
  ],
  ['one version', peer({}), peer(old('2.4.2')), 'block mismatch-version'],
  ['equal parameters', peer({}), peer({ parameters: { hash: '22'.repeat(32) } }), 'block mismatch-parameters'],
  ['equal parties', peer({}), peer({ greetings: { otherParties: ['cc'.repeat(32)] } }), 'block mismatch-parties'],
  ['one head', peer({}), peer({ greetings: { headId: 'cd'.repeat(28) } }), 'block mismatch-parties'],
  ['equal periods', peer({}), peer({ greetings: { depositPeriod: 3_601 } }), 'block mismatch-periods'],
  [
    'equal peers',
    peer({}),
    peer({
      own: { config: { value: { mainnet: false, cluster: ['a:1'], depositPeriod: 3600, depositActivation: 600 } } }
    }),
    'block mismatch-peers'
  ],
  ['a cost', {}, { base: { costModels: { PlutusV3: [4, ...Array(296).fill(3)] } } }, 'warn cost-models'],
  ['the length of a model', {}, { parameters: { costModels: { PlutusV3: Array(296).fill(3) } } }, 'warn cost-models'],
  [
    '30 s of silence',
    { own: { numbers: { value: { first: 7, last: 7, signingSince: NOW - 29_999 } } } },
    { own: { numbers: { value: { first: 7, last: 7, signingSince: NOW - 30_000 } } } },
    'warn peer-silent'
  ],
  ['30 s without a request', waiting(29_999, 1), waiting(30_000, 1), 'warn peer-silent'],
  ['transactions that wait for a request', waiting(30_000, 0), waiting(30_000, 1), 'warn peer-silent'],
  [
    'a node that is behind',
    peer({ own: { numbers: { value: { first: 6, last: 7, signingSince: null } } } }),
    peer({ own: { numbers: { value: { first: 6, last: 6, signingSince: null } } } }),
    'warn peer-behind'
  ],
  ['sync', {}, { greetings: { synced: false } }, 'block node-unsynced'],
  [
    '3 minutes without a block',
    { metrics: { lastBlockAt: NOW - 180_000 } },
    { metrics: { lastBlockAt: NOW - 180_001 } },
    'warn chain-stalled'
  ],
  [
    '43,200 s on mainnet',
    {
      head: { contestationPeriod: 43_200 },
      own: { config: { value: { mainnet: true, cluster: [], depositPeriod: null, depositActivation: null } } }
    },
    {
      head: { contestationPeriod: 43_199 },
      own: { config: { value: { mainnet: true, cluster: [], depositPeriod: null, depositActivation: null } } }
    },
    'warn period-short'
  ],
  ['2.4.1', old('2.4.1'), old('2.4.0'), 'block node-vulnerable'],
  ['2.3.1', old('2.3.1'), old('2.3.0'), 'block node-vulnerable'],
  ['2.2', old('2.2.1'), old('2.1.9'), 'warn node-vulnerable'],
  ['the newest rule', old('2.4.9'), old('2.5.0'), 'unknown node-unknown'],
  [
    '29 outputs at 2.2.0',
    {
      ...old('2.2.0'),
      ...snapshot(utxos(29, { inlineDatum: '00' }).map((each, i) => (i < 5 ? each : utxo(i, 2n * ADA))))
    },
    {
      ...old('2.2.0'),
      ...snapshot(utxos(30, { inlineDatum: '00' }).map((each, i) => (i < 5 ? each : utxo(i, 2n * ADA))))
    },
    'warn fanout-known-bug'
  ],
  [
    '64 MiB of history',
    { history: { bytes: 64 * 1_024 * 1_024 } },
    { history: { bytes: 64 * 1_024 * 1_024 + 1 } },
    'warn history-size'
  ],
  [
    '10,000 transactions',
    { history: { transactions: 10_000 } },
    { history: { transactions: 10_001 } },
    'warn history-size'
  ],
  ['an unconfirmed transaction', {}, { head: { unconfirmed: 1 } }, 'warn unconfirmed-transactions', { before: 'close' }]
]

describe.each(ROWS)('%s', (_, below, above, expected, options) => {
  it('is fine on the one side', async () => {
    expect(await found(facts(below), options)).not.toContain(expected)
  })
  it(`is "${expected}" on the other, with a remedy and a source`, async () => {
    expect(await found(facts(above), options)).toContain(expected)
    const { findings } = await diagnose(facts(above), options)
    const own = findings.find(({ severity, code }) => `${severity} ${code}` === expected)!
    expect(own.remedy).not.toBe('')
    expect(own.source).toMatch(/^https:\/\//)
  })
})

describe('limits that no head of our tests can have alone', () => {
  const counted = async (count: number): Promise<string[]> => found(facts(snapshot(utxos(count))))
  it('4,095 outputs warn, 4,096 block', async () => {
    expect(await counted(4_095)).toContain('warn outputs-limit')
    expect(await counted(4_096)).toContain('block outputs-limit')
  })

  it('a value above maxValueSize blocks, one of exactly that size does not', async () => {
    const tokens = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [POLICY.slice(4) + i.toString(16).padStart(4, '0'), 1n])
    )
    const held = {
      ...snapshot([utxo(1, 90n * ADA, { tokens })]),
      history: { entered: Object.fromEntries(Object.keys(tokens).map((unit) => [unit, '1'])) }
    }
    const at = async (maxValueSize: number): Promise<string[]> => found(facts({ ...held, base: { maxValueSize } }))
    // 100 policies of one unnamed token each: 9 bytes of lovelace, 4 around, 33 for each.
    const sizes = [3_000, 3_200, 3_300, 3_306, 3_400]
    const blocked = await Promise.all(sizes.map(async (size) => (await at(size)).includes('block output-too-large')))
    expect(blocked).toEqual([...blocked].sort().reverse())
    expect(new Set(blocked)).toEqual(new Set([true, false]))
  })

  it('a fanout within 1 % of the execution limit warns, and names the outputs that wait', async () => {
    // By the told chunk: 20 outputs with a datum of 500 bytes.
    const { findings, exit } = await diagnose(facts(snapshot(utxos(45, { inlineDatum: datumOf(500) }))))
    const budget = findings.find(({ code }) => code === 'exit-budget')!
    expect([budget.severity, exit!.chunks]).toEqual(['warn', { least: 2, most: 3 }])
    expect(budget.evidence).toMatchObject({ waiting: 45 })
    const small = await diagnose(facts(snapshot(utxos(45, { inlineDatum: datumOf(400) }))))
    expect(small.findings.find(({ code }) => code === 'exit-budget')!.severity).toBe('ok')
  })

  it('an output that fits nowhere blocks all behind it in the order of references', async () => {
    const outputs = [utxo(3, 5n * ADA), utxo(1, 5n * ADA), utxo(2, 90n * ADA, sizedTo(15_600))]
    const { exit } = await diagnose(facts(snapshot(outputs)))
    expect(exit!.first).toEqual([`${'1'.padStart(64, '0')}#0`])
    expect(exit!.blocked).toEqual(['2', '3'].map((n) => `${n.padStart(64, '0')}#0`))
  })
})

it('a finding lists 50 references, and counts the rest', async () => {
  const { findings } = await diagnose(
    facts(
      snapshot(
        utxos(120).map((each) => ({
          ...each,
          output: { ...each.output, amount: [{ unit: 'lovelace', quantity: '1' }] }
        }))
      )
    )
  )
  const below = findings.find(({ code, severity }) => code === 'below-min-ada' && severity === 'block')!
  expect([below.refs.length, below.omitted]).toEqual([50, 70])
})

it('is the same for the same facts, whatever the clock shows', async () => {
  const given: HeadFacts = facts(deposit(NOW + 2 * HOUR))
  const first = await diagnose(given)
  jest.useFakeTimers({ now: NOW * 2, doNotFake: ['setImmediate', 'performance'] })
  const second = await diagnose(given)
  jest.useRealTimers()
  expect(second).toEqual(first)
})
