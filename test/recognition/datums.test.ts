import { encodeDepositDatum } from '../../src/codec/depositDatum'
import { bytesToHex } from '../../src/codec/hex'
import { Metadatum } from '../../src/codec/metadatum'
import type { UTxO } from '../../src/recognition'
import { endpointHint, readDepositDatum, readEndpointHint, readHeadDatum, recognise } from '../../src/recognition'
import { randomSource } from '../support/random'
import { scaled } from '../support/scale'
import { SCRIPT_ADDRESS } from './headOutputs'
import { asOf, HEAD_ID, material, openHead, OTHER, output, OWN, ref, signedBundle, sums } from './madeHead'

const POLICY = '77'.repeat(28)
const deposited: UTxO[] = [
  {
    input: { txHash: '0a'.repeat(32), index: 3 },
    output: { address: OWN, amount: [{ unit: 'lovelace', quantity: '7000000' }] }
  },
  {
    input: { txHash: '0b'.repeat(32), index: 0 },
    output: {
      address: OTHER,
      amount: [
        { unit: 'lovelace', quantity: '2000000' },
        { unit: POLICY, quantity: '1' },
        { unit: `${POLICY}aa`, quantity: '18446744073709551615' }
      ],
      inlineDatum: 'd8799f182aff'
    }
  }
]

const depositUtxo = (deadlineMs: number, txHash = 'de'.repeat(32), inlineDatum?: string): UTxO => ({
  input: { txHash, index: 0 },
  output: {
    address: SCRIPT_ADDRESS,
    amount: [{ unit: 'lovelace', quantity: '9000000' }],
    inlineDatum: inlineDatum ?? bytesToHex(encodeDepositDatum({ headId: HEAD_ID, deadlineMs, deposited }))
  }
})

describe('readDepositDatum', () => {
  it('reads the datum that a deposit is made with', () => {
    expect(readDepositDatum(depositUtxo(1_788_000_000_000).output)).toEqual({
      headId: HEAD_ID,
      deadlineMs: 1_788_000_000_000,
      deposited
    })
  })

  it('passes over what does not encode to the same bytes', () => {
    const { output: good } = depositUtxo(5)
    const hex = good.inlineDatum!
    const random = randomSource('mutations of a deposit datum')
    let refused = 0
    for (let i = 0; i < scaled(10_000); i++) {
      const at = random.below(hex.length)
      const inlineDatum =
        hex.slice(0, at) + ((parseInt(hex[at]!, 16) + 1 + random.below(15)) % 16).toString(16) + hex.slice(at + 1)
      const read = readDepositDatum({ ...good, inlineDatum })
      if (read === null) refused++
      // What is still one differs from the original: no byte is ignored.
      else expect(bytesToHex(encodeDepositDatum(read))).toBe(inlineDatum)
    }
    expect(refused).toBeGreaterThan(0)
    expect(readDepositDatum({ ...good, inlineDatum: '01' })).toBeNull()
    expect(readDepositDatum(null as never)).toBeNull()
  })
})

describe('the deposits of a wallet', () => {
  const deadlineMs = asOf.timeMs
  const HOUR = 3_600_000
  const at = async (timeMs: number, more: object = {}): Promise<any> => {
    const deposits = [depositUtxo(deadlineMs)]
    const found = await recognise(
      material(
        openHead(0),
        { tag: 'InitialSnapshot', headId: HEAD_ID },
        { deposits, asOf: { slot: 1, timeMs }, ...more }
      )
    )
    return found.deposits[0]
  }

  it('are waiting, claimable, expired and recoverable by the time of the chain source', async () => {
    const phases = await Promise.all(
      [deadlineMs - 2 * HOUR, deadlineMs - 2 * HOUR + 1, deadlineMs - HOUR + 1, deadlineMs, deadlineMs + 1].map(
        async (time) => {
          const { phase, state } = await at(time)
          return `${phase} ${state}`
        }
      )
    )
    expect(phases).toEqual([
      'waiting PENDING_DEPOSIT',
      'claimable PENDING_DEPOSIT',
      'expired PENDING_DEPOSIT',
      'expired PENDING_DEPOSIT',
      'recoverable RECOVERABLE'
    ])
  })

  it('name the time of their next phase, and none once they are recoverable', async () => {
    const next = async (timeMs: number, more = {}): Promise<number | null> => (await at(timeMs, more)).nextMs
    expect(await next(deadlineMs - 3 * HOUR)).toBe(deadlineMs - 2 * HOUR)
    expect(await next(deadlineMs - 2 * HOUR + 1)).toBe(deadlineMs - HOUR)
    expect(await next(deadlineMs - HOUR + 1)).toBe(deadlineMs)
    expect(await next(deadlineMs + 1)).toBeNull()
    // Without the period the deadline is all that is known.
    expect(await next(deadlineMs - 3 * HOUR, { headOutputs: [] })).toBe(deadlineMs)
  })

  it('are judged without a head, and without a period while pending', async () => {
    expect(await at(deadlineMs - 1, { headOutputs: [] })).toMatchObject({ phase: null, state: 'PENDING_DEPOSIT' })
    expect(await at(deadlineMs - 1, { headOutputs: [], depositPeriodMs: HOUR })).toMatchObject({ phase: 'expired' })
    expect(await at(deadlineMs + 1, { headOutputs: [] })).toMatchObject({ phase: 'recoverable', headId: HEAD_ID })
  })

  it('count the outputs of the wallet alone', async () => {
    expect((await at(deadlineMs)).amount).toEqual([{ unit: 'lovelace', quantity: '7000000' }])
    expect((await at(deadlineMs, { addresses: [OTHER] })).amount[2].quantity).toBe('18446744073709551615')
    expect(await at(deadlineMs, { addresses: [] })).toBeUndefined()
  })

  it('are marked when a verified snapshot carries them', async () => {
    const depositTxId = 'de'.repeat(32)
    const bundle = await signedBundle({ utxoToCommit: { [ref(3)]: output(7_000_000) }, depositTxId })
    const deposits = [depositUtxo(deadlineMs), depositUtxo(deadlineMs, 'df'.repeat(32))]
    const found = await recognise(material(openHead(0), bundle, { deposits }))
    expect(sums(found.inHead)).toEqual([0, 7, 0])
    expect(found.deposits.map(({ inSnapshot }) => inSnapshot)).toEqual([true, false])
  })
})

describe('endpoint hints', () => {
  const long = `https://head.example/${'x'.repeat(200)}`

  it('come back as they were written, long addresses in parts', () => {
    const endpoints = ['https://head.example', long]
    expect(readEndpointHint(endpointHint({ headId: HEAD_ID, endpoints }))).toEqual({ headId: HEAD_ID, endpoints })
  })

  it('name https alone, each once, at most four', () => {
    const hintOf = (list: unknown[]): string =>
      Metadatum.from(
        new Map<number, unknown>([
          [0, Uint8Array.from({ length: 28 }, () => 0xa1)],
          [1, list]
        ])
      ).toCbor()
    const wrong = [
      'http://a.example',
      'ftp://a.example',
      'https://u:p@a.example',
      'https://a.example?k=1',
      'https://a.example#x',
      'x',
      7
    ]
    expect(readEndpointHint(hintOf(wrong))).toBeNull()
    const six = ['a', 'a', 'b', 'c', 'd', 'e'].map((name) => `https://${name}.example`)
    expect(readEndpointHint(hintOf(six))?.endpoints).toHaveLength(4)
    expect(readEndpointHint('00')).toBeNull()
    expect(readEndpointHint('zz')).toBeNull()
    expect(() => endpointHint({ headId: HEAD_ID, endpoints: ['http://a.example'] })).toThrow('https')
    expect(() => endpointHint({ headId: 'a1', endpoints: six })).toThrow('headId')
  })

  it('are read without an exception, whatever the bytes', () => {
    const random = randomSource('mutations of a hint')
    const hex = endpointHint({ headId: HEAD_ID, endpoints: ['https://head.example', long] })
    for (let i = 0; i < scaled(10_000); i++) {
      const at = random.below(hex.length)
      const found = readEndpointHint(hex.slice(0, at) + random.below(16).toString(16) + hex.slice(at + 1))
      for (const endpoint of found?.endpoints ?? []) expect(endpoint).toMatch(/^https:/)
    }
  })
})

describe('readHeadDatum', () => {
  it('answers to any bytes, and never with another head', () => {
    const { output: good } = openHead(5_000_000)
    const hex = (good as { inlineDatum: string }).inlineDatum
    const random = randomSource('mutations of a head datum')
    const original = JSON.stringify(readHeadDatum(good, HEAD_ID), (_, value) =>
      typeof value === 'bigint' ? `${value}` : value
    )
    for (let i = 0; i < scaled(10_000); i++) {
      const at = random.below(hex.length)
      const inlineDatum =
        hex.slice(0, at) + ((parseInt(hex[at]!, 16) + 1 + random.below(15)) % 16).toString(16) + hex.slice(at + 1)
      const read = readHeadDatum({ ...(good as object), inlineDatum } as never, HEAD_ID)
      if (!read.ok) continue
      expect(read.datum.headId).toBe(HEAD_ID)
      // Integers may have a longer form; every other change shows.
      if (JSON.stringify(read, (_, value) => (typeof value === 'bigint' ? `${value}` : value)) === original)
        expect(inlineDatum.length).toBe(hex.length)
    }
  })
})
