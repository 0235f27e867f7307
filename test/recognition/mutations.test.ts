import { parseJson, stringifyJson } from '../../src/codec/json'
import type { RecognitionMaterial } from '../../src/recognition'
import { readDepositDatum, readEndpointHint, endpointHint, recognise, SetMemo } from '../../src/recognition'
import { encodeDepositDatum } from '../../src/codec/depositDatum'
import { bytesToHex } from '../../src/codec/hex'
import { depositAddress } from '../../src/devnode/inner'
import { scaled } from '../support/scale'
import { HEAD_ID, material, openHead, OTHER, output, OWN, ref, signedBundle } from './madeHead'

type Json = Record<string, any>
const ADA = 1_000_000
/** Each is a verification of its own. */
const COUNT = scaled(10_000, 50)

/** A generator of numbers that is the same in every run (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** Every place of a value: the path to it. */
function placesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, each]) => placesOf(each, [...path, key]))]
}

function at(value: any, path: readonly string[]): any {
  return path.reduce((each, key) => each?.[key], value)
}

/** A bundle with one change at a random place. */
function mutated(bundle: Json, other: Json, pick: (below: number) => number): { body: Json; path: readonly string[] } {
  const body: Json = structuredClone(bundle)
  const places = placesOf(body).slice(1)
  const path = places[pick(places.length)]!
  const [parent, key] = [at(body, path.slice(0, -1)), path.at(-1)!]
  const value = parent[key]
  const flipped = (text: string): string => {
    const i = pick(text.length || 1)
    return text.slice(0, i) + (text[i] === '0' ? '1' : '0') + text.slice(i + 1)
  }
  let nested: unknown = 0
  for (let i = 0; i < 200; i++) nested = [nested]
  const changes: (() => void)[] = [
    () => delete parent[key],
    () => (parent[key] = null),
    () => (parent[key] = at(other, path) ?? 'x'),
    () => (parent[key] = nested),
    () => (parent[key] = 10n ** 40n),
    () => (parent[key] = -1),
    () => (parent[key] = typeof value === 'string' ? flipped(value) : typeof value === 'number' ? value + 1 : [value]),
    () => (parent[`${key}x`] = value),
    () => Object.defineProperty(parent, '__proto__', { value, enumerable: true, configurable: true }),
    () => {
      const entries = Object.entries(parent).reverse()
      if (Array.isArray(parent)) parent.reverse()
      else for (const [name, each] of entries) (delete parent[name], (parent[name] = each))
    }
  ]
  changes[pick(changes.length)]!()
  return { body, path }
}

describe(`${COUNT} changes of a bundle`, () => {
  it('never show other amounts as verified, never throw, and none takes a second', async () => {
    const pick = random(20_261)
    const utxo = {
      [ref(1)]: output(5 * ADA),
      [ref(2)]: output(7 * ADA, OTHER),
      [ref(3)]: output(3 * ADA, OWN, { [`${'ab'.repeat(28)}`]: { '6e616d65': 12 } })
    }
    const moves = { utxoToCommit: { [ref(4)]: output(2 * ADA) }, depositTxId: 'ef'.repeat(32) }
    const bundle = await signedBundle({ utxo, ...moves, number: 9 })
    const older = await signedBundle({ utxo: { [ref(1)]: output(6 * ADA) }, number: 8 })
    const head = openHead(15 * ADA, { extra: [{ unit: `${'ab'.repeat(28)}6e616d65`, quantity: '12' }] })
    const memo = new SetMemo()
    const check = (body: unknown): ReturnType<typeof recognise> =>
      recognise(material(head, typeof body === 'string' ? body : stringifyJson(body), { memo }))
    const amountsOf = ({ inHead }: Awaited<ReturnType<typeof recognise>>): unknown =>
      inHead && [inHead.available, inHead.arriving, inHead.leaving, inHead.byAddress]
    const right = await check(bundle)
    expect(right.state).toBe('VERIFIED_IN_HEAD')
    const reasons = new Map<string, number>()
    let longest = 0
    for (let i = 0; i < COUNT; i++) {
      const { body, path } = mutated(bundle, older, pick)
      const text = stringifyJson(body)
      const began = process.cpuUsage()
      const found = await check(text)
      // Of the processor: a busy machine makes every one of them wait.
      const { user, system } = process.cpuUsage(began)
      longest = Math.max(longest, (user + system) / 1_000)
      if (found.state === 'VERIFIED_IN_HEAD') {
        // Changes of what nobody signs, and of members that no one reads.
        expect([path, amountsOf(found)]).toEqual([path, amountsOf(right)])
        expect(found.snapshot).toEqual(right.snapshot)
      } else {
        expect(found.state).toBe('UNVERIFIABLE')
        expect(found.inHead).toBeNull()
      }
      expect(JSON.stringify(found)).not.toMatch(/forge|fake/i)
      reasons.set(found.reason ?? 'verified', (reasons.get(found.reason ?? 'verified') ?? 0) + 1)
    }
    expect(longest).toBeLessThan(1_000)
    // The changes reach each of the checks: a mutation that is only ever malformed proves little.
    for (const reason of ['verified', 'malformed', 'signature', 'accumulator'])
      expect([reason, (reasons.get(reason) ?? 0) > COUNT / 100]).toEqual([reason, true])
  }, 600_000)

  it('refuse a text that is cut, doubled or has bytes changed', async () => {
    const pick = random(7)
    const text = stringifyJson(await signedBundle({ utxo: { [ref(1)]: output(5 * ADA) } }))
    for (let i = 0; i < COUNT / 10; i++) {
      const [from, to] = [pick(text.length), pick(text.length)]
      const cut = [text.slice(0, from), text.slice(from), text + text.slice(from), text.slice(0, from) + text.slice(to)]
      for (const body of cut) {
        if (body === text) continue
        const found = await recognise(material(openHead(5 * ADA), body))
        const isSame = found.state === 'VERIFIED_IN_HEAD' && found.inHead!.available[0]!.quantity === '5000000'
        expect(found.state === 'UNVERIFIABLE' || isSame).toBe(true)
      }
    }
  })
})

describe(`${COUNT} changes of datums and hints`, () => {
  const flip = (hex: string, pick: (below: number) => number): string => {
    const i = pick(hex.length)
    return hex.slice(0, i) + pick(16).toString(16) + hex.slice(i + 1)
  }

  it('of the head: another head, other parties or an unknown form, never an exception', async () => {
    const pick = random(99)
    const body = await signedBundle({ utxo: { [ref(1)]: output(5 * ADA) } })
    const head = openHead(5 * ADA)
    const right = (head.output as { inlineDatum: string }).inlineDatum
    const memo = new SetMemo()
    const base: RecognitionMaterial = material(head, parseJson(stringifyJson(body)), { memo })
    for (let i = 0; i < COUNT; i++) {
      const inlineDatum = flip(right, pick)
      const changed = { ...head, output: { ...head.output, inlineDatum } as typeof head.output }
      const found = await recognise({ ...base, headOutputs: [changed] })
      expect(['VERIFIED_IN_HEAD', 'UNVERIFIABLE', 'UNRECOGNISED']).toContain(found.state)
      // What an open head's snapshot depends on: its id, its parties, its version.
      if (found.state === 'VERIFIED_IN_HEAD')
        expect(found.inHead!.available).toEqual([{ unit: 'lovelace', quantity: '5000000' }])
    }
    expect(base.headId).toBe(HEAD_ID)
  }, 120_000)

  it('of a deposit: none, or one that encodes to exactly these bytes', () => {
    const pick = random(3)
    const deposit = { input: { txHash: 'cd'.repeat(32), index: 1 }, output: { address: OWN, amount: [] } }
    const amount = [{ unit: 'lovelace', quantity: '5000000' }]
    const deposited = [{ ...deposit, output: { address: OWN, amount } }]
    const right = bytesToHex(encodeDepositDatum({ headId: HEAD_ID, deadlineMs: 1_788_000_000_000, deposited }))
    const read = (inlineDatum: string): ReturnType<typeof readDepositDatum> =>
      readDepositDatum({ address: depositAddress(0), amount, inlineDatum })
    expect(read(right)).toMatchObject({ headId: HEAD_ID, deposited })
    let refused = 0
    for (let i = 0; i < COUNT; i++) {
      const datum = flip(right, pick)
      const found = read(datum)
      if (found === null) refused++
      else expect(bytesToHex(encodeDepositDatum(found))).toBe(datum)
    }
    expect(refused).toBeGreaterThan(COUNT / 20)
  })

  it('of a hint: none, or https addresses of one head', () => {
    const pick = random(5)
    const right = endpointHint({
      headId: HEAD_ID,
      endpoints: ['https://head.example', `https://${'a'.repeat(70)}.example`]
    })
    for (let i = 0; i < COUNT; i++) {
      const found = readEndpointHint(flip(right, pick))
      if (found === null) continue
      expect(found.headId).toMatch(/^[0-9a-f]{56}$/)
      for (const endpoint of found.endpoints) expect(new URL(endpoint).protocol).toBe('https:')
    }
  })
})
