import { stringifyJson } from '../../../codec/json.js'
import { followsFrom, verifySnapshot } from '../../../verify/index.js'
import { isJsonRecord } from '../isRecord.js'
import type { Place } from '../format.js'
import { Tally } from './Tally.js'

/** A snapshot and its place in the file. */
export interface SeenSnapshot extends Place {
  readonly headId: string
  readonly number: number
  /** The snapshot as the node sent it, with its head id added. */
  readonly snapshot: Readonly<Record<string, unknown>>
  readonly signatures: unknown
}

/** Result of the check of one snapshot's signatures. */
export interface ReplayedVerdict extends Place {
  readonly headId: string
  readonly number: number
  /** `unchecked`: no keys, no signatures, the initial snapshot, or an unknown signing rule. */
  readonly verdict: 'signed' | 'refused' | 'unchecked'
  readonly reason: string
}

/** Result of the check that a snapshot follows from the one before it. */
export interface Transition extends Place {
  readonly headId: string
  readonly from: number
  readonly to: number
  /** `gap`: snapshots between the two are missing; `unchecked`: one of them has no outputs. */
  readonly verdict: 'follows' | 'broken' | 'gap' | 'unchecked'
  readonly reason: string
}

/** Keys of a head's parties. */
export interface Keys {
  readonly parties: readonly string[]
  /** `given` by the user, or found in the `recording`, where they are only a claim of the node. */
  readonly source: 'given' | 'recording'
}

/** Maximum number of decommit transactions kept; each is needed for one transition only. */
const MAX_DECOMMITS = 100

/** Checks each snapshot of a recording: its signatures, and that it follows from the snapshot before it. */
export class Snapshots {
  readonly verdicts: Tally<ReplayedVerdict> = new Tally<ReplayedVerdict>('refused')
  readonly transitions: Tally<Transition> = new Tally<Transition>('broken')
  /** Newest snapshot of each head. */
  readonly #last = new Map<string, SeenSnapshot>()
  readonly #decommits: unknown[] = []
  #nodeVersion: string | undefined

  set nodeVersion(version: string | undefined) {
    this.#nodeVersion = version
  }

  addDecommit(transaction: unknown): void {
    this.#decommits.push(transaction)
    if (this.#decommits.length > MAX_DECOMMITS) this.#decommits.shift()
  }

  /** Checks a snapshot. One that is older than the latest, or equal to it, as after a reconnect, is skipped. */
  async add(seen: SeenSnapshot, keys: Keys | null): Promise<void> {
    const last = this.#last.get(seen.headId)
    if (last !== undefined && (seen.number < last.number || isSame(last, seen))) return
    this.verdicts.add({ ...placeOf(seen), ...(await this.#verdictOf(seen, keys)) })
    if (last !== undefined && last.number < seen.number) this.transitions.add(await this.#transitionOf(last, seen))
    this.#last.set(seen.headId, seen)
  }

  async #verdictOf(
    { snapshot, signatures }: SeenSnapshot,
    keys: Keys | null
  ): Promise<Pick<ReplayedVerdict, 'verdict' | 'reason'>> {
    if (keys === null) return { verdict: 'unchecked', reason: 'no keys: give --keys' }
    const list = isJsonRecord(signatures) ? signatures['multiSignature'] : signatures
    if (!Array.isArray(list) || list.length === 0) return { verdict: 'unchecked', reason: 'no signatures' }
    const verdict = await verifySnapshot({
      snapshot: snapshot as never,
      signatures: list as string[],
      parties: keys.parties,
      nodeVersion: this.#nodeVersion
    })
    if (verdict.ok) return { verdict: 'signed', reason: `rule ${verdict.rule}` }
    const isUnknown = verdict.reason === 'unknown-rule' || verdict.reason === 'initial'
    return {
      verdict: isUnknown ? 'unchecked' : 'refused',
      reason: `${verdict.reason}: ${verdict.detail.split('\n')[0]!}`
    }
  }

  async #transitionOf(last: SeenSnapshot, seen: SeenSnapshot): Promise<Transition> {
    const base = { headId: seen.headId, line: seen.line, byte: seen.byte, from: last.number, to: seen.number }
    if (seen.number > last.number + 1)
      return { ...base, verdict: 'gap', reason: `${seen.number - last.number - 1} snapshots between are missing` }
    if (!isJsonRecord(last.snapshot['utxo']) || !isJsonRecord(seen.snapshot['utxo']))
      return { ...base, verdict: 'unchecked', reason: 'a snapshot without outputs' }
    const verdict = await followsFrom(last.snapshot, seen.snapshot, { decommits: this.#decommits })
    if (verdict.ok) return { ...base, verdict: 'follows', reason: `fees ${verdict.fees} lovelace` }
    return { ...base, verdict: 'broken', reason: `${verdict.reason}: ${verdict.detail.split('\n')[0]!}` }
  }
}

const isSame = (a: SeenSnapshot, b: SeenSnapshot): boolean =>
  a.number === b.number && stringifyJson([a.snapshot, a.signatures]) === stringifyJson([b.snapshot, b.signatures])

const placeOf = ({ line, byte, headId, number }: SeenSnapshot): Place & { headId: string; number: number } => ({
  line,
  byte,
  headId,
  number
})
