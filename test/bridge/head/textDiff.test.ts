import { parseJson, stringifyJson } from '../../../src/codec/json.js'
import { OutputMap, OutputSlices } from '../../../src/bridge/head/OutputSlices.js'
import { readMessage } from '../../../src/bridge/head/readMessage.js'
import type { ReadMessage } from '../../../src/bridge/head/readMessage.js'
import { SnapshotCache } from '../../../src/bridge/head/SnapshotCache.js'
import type { CacheOutcome } from '../../../src/bridge/head/CacheOutcome.js'
import { decodePayload } from '../../../src/bridge/protocol/decode.js'
import type { LayerPayload } from '../../../src/bridge/protocol/messages.js'
import type { TxOutJson } from '../../../src/bridge/protocol/types.js'
import { randomSource } from '../../support/random'
import { fullRun, scaled } from '../../support/scale'
import { ModelHead } from './modelHead'

/** Runs a generator to its end at once. */
function runToEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

type Random = ReturnType<typeof randomSource>
type Result = { outcome?: CacheOutcome; payload?: LayerPayload; shown?: string; error?: string; read?: ReadMessage }

const attempt = (run: () => Result): Result => {
  try {
    return run()
  } catch (error) {
    return { error: `${(error as { code?: string }).code}: ${(error as Error).message}` }
  }
}

/** As the bridge reads a text, and as one parse of the whole reads it. */
const byDiff = (cache: SnapshotCache, text: string): Result =>
  attempt(() => {
    const read = runToEnd(readMessage(cache.texts, text, 0))
    return { outcome: cache.apply(read.payload, text.length, read.outputs), payload: read.payload, read }
  })
const byParse = (cache: SnapshotCache, text: string): Result =>
  attempt(() => {
    const payload = decodePayload(text, 0)
    // Names and values, and the order of the names: what a handler sees, before the cache has it.
    const shown = stringifyJson(payload)
    return { outcome: cache.apply(payload, text.length), payload, shown }
  })

/** The outputs of a cache; an error where one of them has no public form. */
const outputsOf = (cache: SnapshotCache): string =>
  attempt(() => ({
    error: (cache.utxos() ?? [])
      .map((utxo) => stringifyJson(utxo))
      .sort()
      .join('\n')
  })).error!

function expectSame(diffed: SnapshotCache, parsed: SnapshotCache, fast: Result, slow: Result): void {
  expect([fast.outcome, fast.error]).toEqual([slow.outcome, slow.error])
  expect([diffed.number, [...diffed.entries()].length, diffed.seeded, diffed.headId]).toEqual([
    parsed.number,
    [...parsed.entries()].length,
    parsed.seeded,
    parsed.headId
  ])
  expect(outputsOf(diffed) === outputsOf(parsed)).toBe(true)
  const balances = (cache: SnapshotCache): string =>
    (cache.addresses() ?? [])
      .sort()
      .map((address) => stringifyJson([address, [...cache.balance(address)!].sort()]))
      .join('\n')
  expect(balances(diffed)).toBe(balances(parsed))
  if (slow.shown !== undefined) expect(stringifyJson(fast.payload) === slow.shown).toBe(true)
}

/** Members in the order in which nodes write them, by name. */
const byName = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, member]) => [name, byName(member)])
      )
    : value

const splice = (text: string, at: number, removed: number, added = ''): string =>
  text.slice(0, at) + added + text.slice(at + removed)

/** Index after the brace that begins the outputs, and the entries between there and their end, all without escapes. */
function entriesOf(text: string): { start: number; end: number; entries: string[] } {
  const start = text.indexOf('"utxo":{') + 8
  let depth = 0
  const entries: string[] = []
  let from = start
  for (let at = start; ; at++) {
    const character = text[at]
    if (character === undefined) throw new Error('no outputs')
    if (character === '{') depth++
    else if (character === '}' && depth > 0) depth--
    else if ((character === ',' || character === '}') && depth === 0) {
      if (at > from) entries.push(text.slice(from, at))
      from = at + 1
      if (character === '}') return { start, end: at, entries }
    }
  }
}

const withEntries = (text: string, change: (entries: string[], random: Random) => string[], random: Random): string => {
  const { start, end, entries } = entriesOf(text)
  return entries.length === 0 ? text : text.slice(0, start) + change(entries, random).join(',') + text.slice(end)
}

/** A snapshot of the first outputs of another, under a number of its own. */
const firstOutputs = (text: string, count: number, number: number): string => {
  const { start, end, entries } = entriesOf(text)
  return (text.slice(0, start) + entries.slice(0, count).join(',') + text.slice(end)).replace(
    /"number":\d+/,
    `"number":${number}`
  )
}

/** What a hostile node, a proxy or a broken wire can make of a text. */
const MUTATIONS: Record<string, (text: string, random: Random) => string> = {
  none: (text) => text,
  byte: (text, random) =>
    splice(
      text,
      random.below(text.length),
      1,
      String.fromCharCode(random.pick([34, 44, 48, 57, 58, 92, 97, 123, 125, 91, 93, 32, 10, 0, 233, 0xe000]))
    ),
  'byte of the outputs': (text, random) => {
    const { start, end } = entriesOf(text)
    return splice(
      text,
      start + random.below(end - start + 1),
      1,
      random.pick(['"', ',', '0', '9', ':', '\\', '{', '}', ' ', 'e', '-', 'é'])
    )
  },
  'bytes lost': (text, random) => splice(text, random.below(text.length), 1 + random.below(400)),
  'bytes twice': (text, random) => {
    const at = random.below(text.length)
    return splice(text, at, 0, text.slice(at, at + 1 + random.below(400)))
  },
  cut: (text, random) => text.slice(0, random.below(text.length)),
  space: (text, random) => {
    const at = random.pick([...text.matchAll(/[{}:,]/g)].map(({ index }) => index))
    return splice(text, at, 0, random.pick([' ', '\n', '\t']))
  },
  indented: (text) => JSON.stringify(JSON.parse(text.replace(/:(\d{16,})/g, ':1')), null, 1),
  'order of outputs': (text, random) => withEntries(text, (entries) => entries.sort(() => random.below(3) - 1), random),
  'output twice': (text, random) => withEntries(text, (entries) => [...entries, random.pick(entries)], random),
  'output twice, side by side': (text, random) =>
    withEntries(text, (entries) => entries.flatMap((entry) => (random.below(5) ? [entry] : [entry, entry])), random),
  'output in another': (text, random) =>
    withEntries(
      text,
      ([first, second, ...rest]) =>
        second === undefined
          ? [first!]
          : [`${first!.slice(0, -1)},${second}}`, ...(random.below(2) ? [second] : []), ...rest],
      random
    ),
  'text of an output in a string': (text, random) =>
    withEntries(
      text,
      ([first, ...rest]) => [first!.replace(/^("[^"]*":\{)/, `$1"note":${JSON.stringify(rest.join(','))},`), ...rest],
      random
    ),
  'known key, other value': (text, random) =>
    withEntries(
      text,
      (entries) =>
        entries.map((entry) =>
          random.below(4) ? entry : entry.replace(/"lovelace":\d+/, `"lovelace":${random.below(9)}`)
        ),
      random
    ),
  'known key, more digits': (text, random) =>
    withEntries(text, (entries) => entries.map((entry) => entry.replace(/"lovelace":(\d+)/, '"lovelace":$10')), random),
  'known key, no output': (text, random) =>
    withEntries(
      text,
      (entries) =>
        entries.map((entry) =>
          random.below(9) ? entry : `${entry.slice(0, 68)}:${random.pick(['5', 'null', '[]', '{}', '{"address":5}'])}`
        ),
      random
    ),
  'beyond 2^53': (text, random) =>
    withEntries(
      text,
      (entries) =>
        entries.map((entry) => entry.replace(/"lovelace":\d+/, `"lovelace":${2n ** 53n + BigInt(random.below(9))}`)),
      random
    ),
  'other numbers': (text, random) =>
    withEntries(
      text,
      (entries) =>
        entries.map((entry) =>
          entry.replace(
            /"lovelace":\d+/,
            `"lovelace":${random.pick(['1e3', '1.5', '-1', '01', '9007199254740992', '0'])}`
          )
        ),
      random
    ),
  'escape in a key': (text, random) =>
    withEntries(
      text,
      (entries) =>
        entries.map((entry) =>
          random.below(6) ? entry : `"\\u00${entry.charCodeAt(1).toString(16)}${entry.slice(2)}`
        ),
      random
    ),
  'escape in a value': (text, random) =>
    withEntries(text, (entries) => entries.map((entry) => entry.replace('"addr', '"\\u0061ddr')), random),
  'key of another form': (text, random) =>
    withEntries(
      text,
      (entries) => [
        ...entries,
        `${random.pick(['"5"', '"__proto__"', '""', `"${'a'.repeat(64)}#"`, `"${'a'.repeat(64)}#01"`])}:{"address":"a","value":{}}`
      ],
      random
    ),
  'huge output': (text, random) =>
    withEntries(
      text,
      ([first, ...rest]) => [first!.replace('"address"', `"more":"${'ab,{}:'.repeat(8_000)}","address"`), ...rest],
      random
    ),
  'deep output': (text, random) =>
    withEntries(
      text,
      ([first, ...rest]) => [
        first!.replace('"address"', `"more":${'['.repeat(255)}${']'.repeat(255)},"address"`),
        ...rest
      ],
      random
    ),
  'outputs twice': (text, random) =>
    text.replace(
      '"utxo":{',
      random.pick(['"utxo":{},"utxo":{', '"utxo":null,"utxo":{', '"utxo":5,"utxo":{', '"\\u0075txo":{},"utxo":{'])
    ),
  'outputs again': (text, random) => {
    const { end } = entriesOf(text)
    return splice(
      text,
      end + 1,
      0,
      random.pick([',"utxo":{}', ',"utxo":null', ',"utxo" :{}', ',"ut\\u0078o":{}', ',"x":{"utxo":{}}', ',"utxo":[]'])
    )
  },
  'snapshot twice': (text, random) =>
    random.below(2)
      ? text.replace('"snapshot":{', '"snapshot":{"utxo":{"a":1}},"snapshot":{')
      : splice(
          text,
          text.length - 1,
          0,
          random.pick([
            ',"snapshot":{}',
            ',"snapshot":5',
            ',"snapshot" :{"utxo":{}}',
            ',"snapshotUtxo":{}',
            ',"\\u0073napshot":{}'
          ])
        ),
  'outputs elsewhere': (text) =>
    text.replace('"snapshot":{', '"other":{"utxo":{"x":1},"snapshot":{"utxo":{"y":2}}},"snapshot":{'),
  'another separator': (text, random) =>
    withEntries(
      text,
      (entries) => {
        const at = random.below(entries.length)
        return [
          ...entries.slice(0, at),
          entries.slice(at).join(random.pick([';', ' ', '\n', '', ':', 'x', ',,', ', ', '},']))
        ]
      },
      random
    ),
  'no outputs': (text, random) => withEntries(text, () => [], random),
  'outputs that are none': (text, random) => {
    const { start, end } = entriesOf(text)
    return splice(text, start - 1, end - start + 2, random.pick(['null', '5', '[]', '"x"', '{']))
  },
  'another tag': (text) => text.replace('"SnapshotConfirmed"', '"SomethingElse"'),
  'another head': (text) => text.replaceAll('aa'.repeat(28), 'bb'.repeat(28)),
  'more after it': (text, random) => text + random.pick([' ', '}', ',', 'x', '\n'])
}

function compare(
  seed: string,
  texts: number,
  maxKeptText: number
): { used: number; applied: number; kinds: Map<string, number> } {
  const random = randomSource(seed)
  const kinds = new Map<string, number>()
  let [used, applied] = [0, 0]
  for (let done = 0; done < texts;) {
    const head = new ModelHead(`${seed}/${done}`)
    head.fill(random.below(4) === 0 ? 0 : 3 + random.below(60))
    const diffed = new SnapshotCache(true, maxKeptText)
    const parsed = new SnapshotCache()
    for (let step = 0; step < 25; step++, done++) {
      const plain = (step === 0 && random.below(2) ? [head.greetings()] : head.step(true)).at(-1)!
      const ordered = random.below(3) ? plain : stringifyJson(byName(parseJson(plain)))
      const kind =
        plain.includes('"SnapshotConfirmed"') && random.below(2) ? random.pick(Object.keys(MUTATIONS)) : 'none'
      const text = MUTATIONS[kind]!(ordered, random)
      const [fast, slow] = [byDiff(diffed, text), byParse(parsed, text)]
      try {
        expectSame(diffed, parsed, fast, slow)
      } catch (error) {
        throw new Error(`${kind}, seed ${seed}, text ${done}: ${(error as Error).message}`)
      }
      if (fast.outcome === 'applied') applied++
      if (fast.read?.outputs?.change) {
        used++
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }
    }
  }
  return { used, applied, kinds }
}

describe('the text diff of snapshots', () => {
  it.each([
    ['with the text before', 10_000_000],
    ['with the keys alone', 0]
  ])(
    'gives what a parse of the whole gives, or is not used, for 10,000 random and mutated texts, %s',
    (_, maxKeptText) => {
      const { used, applied, kinds } = compare(`diff ${maxKeptText}`, scaled(10_000), maxKeptText)
      // Otherwise nothing has been shown.
      expect(used).toBeGreaterThan(scaled(10_000) * 0.2)
      expect(applied).toBeGreaterThan(scaled(10_000) * 0.4)
      expect(kinds.get('none')).toBeGreaterThan(scaled(10_000) * 0.15)
    },
    600_000
  )

  it.each([
    ['with the text before', 10_000_000],
    ['with the keys alone', 0]
  ])('keeps apart what a first snapshot has and what it commits, %s', (_, maxKeptText) => {
    const head = new ModelHead('first commit')
    head.fill(20)
    while (head.committing === null) head.step(true)
    const diffed = new SnapshotCache(true, maxKeptText)
    const parsed = new SnapshotCache()
    for (let step = 0; step < 12; step++) {
      const text = step === 0 ? head.snapshotConfirmed(true) : head.step(true).at(-1)!
      const [fast, slow] = [byDiff(diffed, text), byParse(parsed, text)]
      expectSame(diffed, parsed, fast, slow)
      expect(fast.outcome).toBe('applied')
    }
  })

  it.each([
    ['with the text before', 10_000_000],
    ['with the keys alone', 0]
  ])(
    'takes and refuses what a parse of the whole does, whatever stands at any one place, %s',
    (_, maxKeptText) => {
      const head = new ModelHead('every byte')
      head.fill(4)
      const cache = new SnapshotCache(true, maxKeptText)
      const first = head.step(true).at(-1)!
      expect(byDiff(cache, first).outcome).toBe('applied')
      const text = first.replace(/"number":\d+/, '"number":9')
      const readOf = (read: () => LayerPayload): string => attempt(() => ({ error: stringifyJson(read()) })).error!
      let [used, same] = [0, 0]
      const places = [...text].flatMap((character, at) => (fullRun || '{},'.includes(character) ? [at] : []))
      for (const at of places) {
        for (const character of [';', '"', '}', ' ', '']) {
          const changed = splice(text, at, 1, character)
          const fast = readOf(() => {
            const { payload, outputs } = runToEnd(readMessage(cache.texts, changed, 0))
            if (outputs?.change) used++
            return payload
          })
          if (fast === readOf(() => decodePayload(changed, 0))) same++
          else throw new Error(`${JSON.stringify(character)} at ${at}: ${changed.slice(Math.max(0, at - 40), at + 40)}`)
        }
      }
      expect(same).toBe(places.length * 5)
      expect(used).toBeGreaterThan(20)
    },
    300_000
  )

  it.each([
    ['with the text before', 10_000_000],
    ['with the keys alone', 0]
  ])('keeps an output that a snapshot both has and commits, %s', (_, maxKeptText) => {
    const head = new ModelHead('has and commits')
    head.fill(6)
    const text = head.snapshotConfirmed(true)
    const own = entriesOf(text).entries[0]!
    const committing = text.replace('"utxoToCommit":null', `"utxoToCommit":{${own}}`)
    expect(committing).not.toBe(text)
    const diffed = new SnapshotCache(true, maxKeptText)
    const parsed = new SnapshotCache()
    for (const [step, each] of [text, committing, committing, text, text].entries()) {
      const next = each.replace(/"number":\d+/, `"number":${step + 10}`)
      const [fast, slow] = [byDiff(diffed, next), byParse(parsed, next)]
      expectSame(diffed, parsed, fast, slow)
      expect([fast.outcome, [...diffed.entries()].length]).toEqual(['applied', 6])
    }
  })

  it.each([
    ['with the text before', 10_000_000],
    ['with the keys alone', 0]
  ])('does not apply what was compared with outputs that are no longer those of the cache, %s', (_, maxKeptText) => {
    const head = new ModelHead('overtaken')
    head.fill(20)
    const whole = head.snapshotConfirmed(true)
    const { entries } = entriesOf(whole)
    const texts = [19, 20, 18].map((count, n) => firstOutputs(whole, count, n + 10))
    const cache = new SnapshotCache(true, maxKeptText)
    expect(byDiff(cache, texts[0]!).outcome).toBe('applied')
    const read = runToEnd(readMessage(cache.texts, texts[2]!, 0))
    expect(read.outputs?.change).not.toBeNull()
    // It has an output that neither the text before nor the one that is read has.
    expect(byDiff(cache, texts[1]!).outcome).toBe('applied')
    expect(cache.apply(read.payload, 0, read.outputs)).toBe('applied')
    expect([...cache.entries()].map(([key]) => `"${key}"`)).toEqual(
      entries.slice(0, 18).map((entry) => entry.slice(0, entry.indexOf(':')))
    )
  })

  it('goes on when texts grow beyond what is kept, and shrink again', () => {
    const head = new ModelHead('growing')
    head.fill(30)
    const whole = head.snapshotConfirmed(true)
    const diffed = new SnapshotCache(true, firstOutputs(whole, 20, 10).length)
    const parsed = new SnapshotCache()
    const used = [18, 20, 22, 23, 24, 9, 10, 8, 30].map((count, n) => {
      const text = firstOutputs(whole, count, n + 10)
      const [fast, slow] = [byDiff(diffed, text), byParse(parsed, text)]
      expectSame(diffed, parsed, fast, slow)
      expect([fast.outcome, [...diffed.entries()].length]).toEqual(['applied', count])
      return fast.read?.outputs?.change != null
    })
    // The first is read as a whole, and each that follows one with which the bound was crossed.
    expect(used).toEqual([false, true, true, false, true, true, false, true, false])
  })

  it('reads the outputs of a text in slices of any size as one parse does', () => {
    const random = randomSource('slices')
    for (let round = 0; round < scaled(400); round++) {
      const head = new ModelHead(`slices ${round}`)
      head.fill(random.below(40))
      const [message] = head.step(true).slice(-1)
      const text = MUTATIONS[
        random.pick([
          'none',
          'none',
          'byte of the outputs',
          'bytes lost',
          'output twice',
          'escape in a key',
          'beyond 2^53'
        ])
      ]!(message!, random)
      const start = text.indexOf('"utxo":{') + 8
      const outputs = new OutputMap()
      const slices = new OutputSlices(text, start, outputs)
      let isWhole = true
      while (isWhole && slices.end < 0) isWhole = slices.read(1 + random.below(3_000))
      if (!isWhole) continue
      const truth = parseJson(text.slice(start - 1, slices.end + 1)) as Record<string, TxOutJson>
      expect([...outputs]).toEqual(Object.entries(truth))
      expect(slices.count).toBe(outputs.size)
      for (const [n, key] of [...outputs.keys()].entries())
        expect(text.startsWith(`"${key}":`, slices.starts[n])).toBe(true)
    }
  })
})
