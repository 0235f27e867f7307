import { parseAddress } from '../../src/codec/address'
import type { NodeOutput, VerificationRule } from '../../src/verify'
import {
  proveMembership,
  proveNonMembership,
  verifyMembership,
  verifyNonMembership,
  verifySnapshot
} from '../../src/verify'
import { randomSource } from '../support/random'
import { scaled } from '../support/scale'
import { addressOf, OUTPUTS, sampleSnapshot, signedSample } from '../support/signedSnapshot'

const random = randomSource('mutations of snapshots')
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Another hex text of the same length. */
function flipDigit(hex: string): string {
  const at = random.below(hex.length)
  const digit = ((parseInt(hex[at]!, 16) + 1 + random.below(15)) % 16).toString(16)
  return hex.slice(0, at) + digit + hex.slice(at + 1)
}

const raise = (value: unknown): unknown => {
  const by = BigInt(1 + random.below(1000))
  const changed = BigInt(value as bigint) + (random.below(2) === 0 ? by : -by)
  return changed < 0n ? by : changed
}

/** Another payment address: the network, which is not signed, stays. */
function flipAddress(text: string): string {
  const { bytes } = parseAddress(text)
  for (;;) {
    const hex = toHex(bytes)
    const changed = hex.slice(0, 2) + flipDigit(hex.slice(2))
    try {
      return addressOf(changed)
    } catch {
      // A pointer's length may have changed: another digit.
    }
  }
}

type Mutable = Record<string, any>

function mutateOutput(output: Mutable): void {
  const assets = Object.keys(output['value']).filter((key) => key !== 'lovelace')
  const kinds: (() => void)[] = [
    () => (output['address'] = flipAddress(output['address'])),
    () => (output['value'].lovelace = raise(output['value'].lovelace)),
    () => (output['value']['77'.repeat(28)] = { '': 1 })
  ]
  if (assets.length > 0) {
    const policy = random.pick(assets)
    const name = random.pick(Object.keys(output['value'][policy]))
    kinds.push(
      () => (output['value'][policy][name] = raise(output['value'][policy][name])),
      () => delete output['value'][policy],
      () => {
        output['value'][flipDigit(policy)] = output['value'][policy]
        delete output['value'][policy]
      },
      () => {
        output['value'][policy][`${name}00`] = output['value'][policy][name]
        delete output['value'][policy][name]
      }
    )
  }
  if (output['datumhash'])
    kinds.push(
      () => (output['datumhash'] = flipDigit(output['datumhash'])),
      () => delete output['datumhash']
    )
  else kinds.push(() => (output['datumhash'] = '0d'.repeat(32)))
  if (output['inlineDatumRaw'])
    kinds.push(
      () => (output['inlineDatumRaw'] = flipDigit(output['inlineDatumRaw'])),
      () => (output['inlineDatum'] = { int: 1 })
    )
  const { script } = output['referenceScript'] ?? {}
  if (script === undefined)
    kinds.push(() => (output['referenceScript'] = { script: { type: 'PlutusScriptV2', cborHex: '4746010000222499' } }))
  else
    kinds.push(
      () => (script.cborHex = flipDigit(script.cborHex)),
      () => (script.type = 'PlutusScriptV2'),
      () => delete output['referenceScript']
    )
  random.pick(kinds)()
}

const sets = (snapshot: Mutable): Mutable[] => ['utxo', 'utxoToCommit', 'utxoToDecommit'].map((name) => snapshot[name])

/** Changes what was signed in one place. */
function mutateSnapshot(signed: Mutable): void {
  const { snapshot, signatures, parties, rule } = signed
  const set = random.pick(sets(snapshot))
  const key = random.pick(Object.keys(set))
  const at = random.below(signatures.length)
  const kinds: (() => void)[] = [
    () => (snapshot.headId = flipDigit(snapshot.headId)),
    () => (snapshot.version = raise(snapshot.version)),
    () => (snapshot.number = raise(snapshot.number)),
    () => delete set[key],
    () => (set[`${'99'.repeat(32)}#7`] = structuredClone(set[key])),
    () => (signatures[at] = flipDigit(signatures[at])),
    () => signatures.splice(at, 1),
    () => signatures.push(signatures[at]),
    () => signatures.reverse(),
    () => (parties[at] = flipDigit(parties[at])),
    () => (parties[at] = parties[(at + 1) % parties.length]),
    () => parties.splice(at, 1),
    () => {
      signatures.splice(at, 1)
      signatures.push(signatures[0])
    }
  ]
  for (let i = 0; i < 8; i++) kinds.push(() => mutateOutput(set[key]))
  if (rule !== '0.20-2.1') kinds.push(() => (snapshot.accumulator = flipDigit(snapshot.accumulator)))
  if (rule === 'next') kinds.push(() => (snapshot.appliedAccumulator = flipDigit(snapshot.appliedAccumulator)))
  if (rule === '2.4' || rule === 'next') {
    kinds.push(
      () => (snapshot.depositTxId = flipDigit(snapshot.depositTxId)),
      () => (snapshot.depositTxId = null),
      () => delete snapshot.depositTxId,
      () => (snapshot.utxoToCommit = null)
    )
  }
  if (rule !== '2.2') {
    kinds.push(() => {
      const target = random.pick(sets(snapshot).filter((each) => each !== set))
      target[key] = set[key]
      delete set[key]
    })
  }
  random.pick(kinds)()
}

describe('changed snapshots and proofs', () => {
  it.each<[VerificationRule, number]>([
    ['0.20-2.1', 2_000],
    ['2.2', 2_000],
    ['2.3', 2_000],
    ['2.4', 2_000],
    ['next', 2_000]
  ])(
    'never verify: rule %s, %i of them',
    async (rule, count) => {
      const original = await signedSample(rule)
      expect(await verifySnapshot(original)).toMatchObject({ ok: true, rule })
      const reasons = new Set<string>()
      for (let i = 0; i < scaled(count); i++) {
        const changed = structuredClone(original) as Mutable
        mutateSnapshot(changed)
        const verdict = await verifySnapshot(changed as never)
        if (verdict.ok)
          throw new Error(
            `taken: ${JSON.stringify(changed, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`
          )
        reasons.add(verdict.reason)
      }
      expect(reasons.has('signature')).toBe(true)
      expect(reasons.has('input')).toBe(false)
    },
    600_000
  )

  it('never verify as proofs of membership, 2,000 of them', async () => {
    const { utxo, utxoToCommit, utxoToDecommit } = sampleSnapshot()
    const refs = Object.keys(utxo as object).slice(0, 2)
    const original = {
      ...(await proveMembership({ utxo, utxoToCommit, utxoToDecommit, refs })),
      outputs: OUTPUTS.slice(0, 2)
    }
    expect(await verifyMembership(original)).toEqual({ ok: true })
    for (let i = 0; i < scaled(2_000); i++) {
      const changed = structuredClone(original) as Mutable
      const kinds: (() => void)[] = [
        () => (changed['commitment'] = flipDigit(changed['commitment'])),
        () => (changed['accumulatorHash'] = flipDigit(changed['accumulatorHash'])),
        () => (changed['proof'] = flipDigit(changed['proof'])),
        () => (changed['proof'] = changed['commitment']),
        () => changed['outputs'].pop(),
        () => changed['outputs'].push(structuredClone(OUTPUTS[2])),
        () => changed['outputs'].push(changed['outputs'][0]),
        () => mutateOutput(random.pick(changed['outputs'] as Mutable[])),
        () => mutateOutput(random.pick(changed['outputs'] as Mutable[]))
      ]
      random.pick(kinds)()
      expect((await verifyMembership(changed as never)).ok).toBe(false)
    }
  }, 600_000)

  it('never verify as proofs of absence, 2,000 of them', async () => {
    const { utxo, utxoToCommit, utxoToDecommit } = sampleSnapshot()
    const output: NodeOutput = { address: OUTPUTS[1]!.address, value: { lovelace: 1_000_001 } }
    const original = { ...(await proveNonMembership({ utxo, utxoToCommit, utxoToDecommit, output })), output }
    expect(await verifyNonMembership(original)).toEqual({ ok: true })
    for (let i = 0; i < scaled(2_000); i++) {
      const changed = structuredClone(original) as Mutable
      const kinds: (() => void)[] = [
        () => (changed['commitment'] = flipDigit(changed['commitment'])),
        () => (changed['accumulatorHash'] = flipDigit(changed['accumulatorHash'])),
        () => (changed['proof'] = flipDigit(changed['proof'])),
        () => (changed['remainder'] = flipDigit(changed['remainder'])),
        () => (changed['remainder'] = '0'.repeat(64)),
        () => (changed['output'] = structuredClone(random.pick(OUTPUTS))),
        () => mutateOutput(changed['output'] as Mutable)
      ]
      random.pick(kinds)()
      expect((await verifyNonMembership(changed as never)).ok).toBe(false)
    }
  }, 600_000)
})
