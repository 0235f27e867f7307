import { InvalidArgumentError } from '../../errors/input.js'
import { slotAt } from '../chain/chainTime.js'
import type { StatedCommit } from './commitRequest.js'
import type { DraftRequest } from './depositDraft.js'
import { draftDeposit, draftWithScripts } from './depositDraft.js'
import { tooLargeForHead } from './depositSize.js'
import type { DraftError } from './draftError.js'
import { failedDraft } from './draftError.js'
import { refusedAsStated } from './refusedAsStated.js'
import { snapshotUtxo } from '../wire/json/greetings.js'
import type { Deposit, LocalHeadState } from '../head/types.js'
import type { DevKey } from '../settings/keys.js'
import { deriveId, deriveKey, keyAddress } from '../settings/keys.js'
import type { NodeSettings } from '../settings/options.js'
import type { ProfileFeatures } from '../settings/profiles.js'
import type { LedgerParameters } from '../rules/LedgerParameters.js'
import type { BaseLedger } from '../chain/baseLedger.js'
import type { ScriptRunner } from '../rules/ScriptRunner.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import { prepareTx } from '../rules/preparedTx.js'
import { entryOutput, paymentKey } from '../rules/utxoContent.js'
import { LedgerEntry, entryRefOf, UtxoView } from '../rules/utxoSet.js'

/** A drafted deposit that may still be submitted. */
export interface Draft {
  readonly headId: string
  readonly deposited: UtxoView
  readonly deadlineMs: number | null
  readonly fuel: string
}

/** A draft that the node has signed, or the node's error. */
export type Drafted =
  { readonly tx: PreparedTx; readonly error?: never } | { readonly tx?: never; readonly error: DraftError }

/** The effect of a transaction of the base ledger on a head: a deposit, a commit, or none (null). */
export type Recognised = { readonly deposit: Deposit } | { readonly commit: UtxoView } | null

/** Number of outputs with which the node pays for deposits (its fuel). */
const FUEL_OUTPUTS = 16
const FUEL_LOVELACE = '1000000000'
/** Drafts that are remembered; a deposit of an older one would not be recognised. */
const MAX_DRAFTS = 10_000

const MAX_GRACE_SLOTS = 200
const MIN_GRACE_SLOTS = 10

/** A head that can be deposited in, or committed to. */
type CommittableHead = Exclude<LocalHeadState, { status: 'Idle' }>
type DraftParts = Pick<DraftRequest, 'spent' | 'referenced' | 'deposited' | 'whole' | 'changeAddress' | 'blueprint'>

/** Settings and ledgers that drafts are made from. */
interface DraftContext {
  readonly options: NodeSettings
  readonly features: ProfileFeatures
  /** Parameters of the head's ledger. */
  readonly parameters: LedgerParameters
  readonly base: BaseLedger
  readonly scripts: ScriptRunner | null
}

interface DraftTarget {
  readonly head: CommittableHead
  readonly nowMs: number
  readonly fuel: LedgerEntry
}

/** Drafts deposits and recognises them on the base ledger. */
export class DepositDrafts {
  readonly #context: DraftContext
  readonly #nodeKey: DevKey
  readonly #address: string
  readonly #drafts = new Map<string, Draft>()
  readonly #reserved = new Set<string>()

  constructor(context: DraftContext) {
    const { options, base } = context
    this.#context = context
    this.#nodeKey = deriveKey(options.seed, 'fuel')
    this.#address = keyAddress(this.#nodeKey, options.networkId)
    const fuel = { address: this.#address, amount: [{ unit: 'lovelace', quantity: FUEL_LOVELACE }] }
    base.produce(Array.from({ length: FUEL_OUTPUTS }, () => fuel))
  }

  /** Drafts the deposit, or the initial commit, that a client requests; the scripts of its blueprint run first. */
  async draft(request: StatedCommit, head: CommittableHead, nowMs: number): Promise<Drafted> {
    const { options, features, base, parameters } = this.#context
    // The node measures stated outputs by the head's own parameters.
    const refused = refusedAsStated(request, this.#rejectsLow(head) ? parameters : null)
    if (refused !== null) return { error: refused }
    const spent = request.inputs.map((input) => request.stated.get(entryRefOf(input)))
    const found = spent.filter((entry) => entry !== undefined)
    const unstated = request.inputs.filter((_, i) => spent[i] === undefined)
    if (unstated.length > 0)
      return failedDraft(`the utxo of the request does not hold ${unstated.map(entryRefOf).join(', ')}`)
    const wrong = options.checkDeposits ? this.#wronglyStated(found) : null
    if (wrong !== null) return failedDraft(wrong)
    const { changeAddress, blueprint, outputs, stated } = request
    if (blueprint?.tx.unsupported != null)
      return failedDraft(`the local head node takes no blueprint transaction with ${blueprint.tx.unsupported}`)
    // All that is stated goes into the head where a blueprint has no outputs, and into the commit that opens a head
    // whatever its outputs are (Hydra.Tx.Deposit, depositTx; Hydra.Tx.Commit).
    const whole = outputs === null || head.status === 'Initializing'
    const deposited = new UtxoView(whole ? [...stated.values()] : outputs)
    if (features.checksDepositSize && head.status === 'Open') {
      const inHead = snapshotUtxo(head) ?? head.initialUtxo
      const { parties, seed } = options
      const tooLarge = tooLargeForHead({
        headId: head.head.headId,
        parties,
        seed,
        inHead,
        deposited,
        parameters: base.parameters
      })
      if (tooLarge !== null) return { error: tooLarge }
    }
    const references = blueprint?.tx.referenceInputs ?? []
    const referenced = references.flatMap((input) => stated.get(entryRefOf(input)) ?? [])
    return this.#draftWithScripts({ spent: found, referenced, deposited, whole, changeAddress, blueprint }, head, nowMs)
  }

  /** Drafts a deposit, with its fuel reserved first so that no other draft claims it while the scripts run. */
  async #draftWithScripts(parts: DraftParts, head: CommittableHead, nowMs: number): Promise<Drafted> {
    const target = { head, nowMs, fuel: this.#fuel() }
    this.#reserved.add(target.fuel.ref)
    const result = await draftWithScripts(this.#requestOf(parts, target), this.#context.scripts)
    if (result.error === undefined) return this.#drafted(result.cbor, parts, target)
    this.#reserved.delete(target.fuel.ref)
    return result
  }

  /**
   * Returns the difference between the stated outputs and those of the base ledger; null when they are equal. The real
   * node does not compare: it drafts the stated ones.
   */
  #wronglyStated(stated: readonly LedgerEntry[]): string | null {
    const { base } = this.#context
    const unknown = stated.filter(({ input }) => base.get(input) === undefined)
    if (unknown.length > 0)
      return `the base ledger has no such unspent output: ${unknown.map(({ ref }) => ref).join(', ')}`
    const other = stated.filter(
      (entry) => paymentKey(entryOutput(entry)) !== paymentKey(entryOutput(base.get(entry.input)!))
    )
    return other.length === 0 ? null : `the base ledger has another output at ${other.map(({ ref }) => ref).join(', ')}`
  }

  /** True where low deposits are refused; opening commits never are (Handlers.hs, draftCommitTx at 1.3.0). */
  #rejectsLow({ status }: CommittableHead): boolean {
    return this.#context.features.rejectsLowDeposits && status !== 'Initializing'
  }

  /** @throws {@link InvalidArgumentError} when no deposit, or commit, can be drafted of outputs. */
  assertDraftable(name: string, entries: readonly LedgerEntry[], head: CommittableHead, nowMs: number): void {
    const { error } = draftDeposit(this.#requestOf(allOf(entries), { head, nowMs, fuel: this.#fuel() }))
    if (error !== undefined) throw new InvalidArgumentError(name, 'outputs that can be deposited', error.tag)
  }

  /**
   * Deposits, or commits, outputs of the base ledger as if their owners had signed. @throws
   * {@link InvalidArgumentError} as {@link assertDraftable}
   */
  depositUnsigned(name: string, entries: readonly LedgerEntry[], head: CommittableHead, nowMs: number): PreparedTx {
    const target = { head, nowMs, fuel: this.#fuel() }
    const result = draftDeposit(this.#requestOf(allOf(entries), target))
    if (result.error !== undefined)
      throw new InvalidArgumentError(name, 'outputs that can be deposited', result.error.tag)
    const { tx } = this.#drafted(result.cbor, allOf(entries), target)
    this.#context.base.apply(tx)
    return tx
  }

  #drafted(cbor: Uint8Array, parts: DraftParts, { head, nowMs, fuel }: DraftTarget): { readonly tx: PreparedTx } {
    const tx = prepareTx(cbor)
    this.#remember(tx.txId, {
      headId: head.head.headId,
      deposited: parts.deposited,
      deadlineMs: this.#deadline(head, nowMs),
      fuel: fuel.ref
    })
    return { tx }
  }

  /** Returns the time from which the owner can recover a deposit; null for the commit that opens a head. */
  #deadline(head: CommittableHead, nowMs: number): number | null {
    return head.status === 'Initializing' ? null : nowMs + this.#recoverableAfterMs()
  }

  #requestOf(parts: DraftParts, { head, nowMs, fuel }: DraftTarget): DraftRequest {
    const { options, features, base } = this.#context
    const { headId } = head.head
    const deadlineMs = this.#deadline(head, nowMs)
    return {
      ...parts,
      headId,
      deadlineMs,
      ttl: deadlineMs === null ? null : this.#ttl(nowMs, deadlineMs),
      name: `${features.metadataName}/${deadlineMs === null ? 'CommitTx' : 'DepositTx'}`,
      rejectsLow: this.#rejectsLow(head),
      fuel,
      nodeKey: this.#nodeKey,
      networkId: options.networkId,
      parameters: base.parameters
    }
  }

  /** Drafts that may still be submitted, by the ids of their transactions. */
  saved(): ReadonlyMap<string, Draft> {
    return this.#drafts
  }

  /** Restores a saved state. */
  restore(drafts: ReadonlyMap<string, Draft>): void {
    const saved = [...drafts]
    this.#drafts.clear()
    this.#reserved.clear()
    for (const [txId, draft] of saved) this.#remember(txId, draft)
  }

  /** Returns the effect on the head of a transaction that is now on the base ledger. */
  recognise({ txId }: PreparedTx, head: LocalHeadState, nowMs: number): Recognised {
    const draft = this.#drafts.get(txId)
    if (draft === undefined) return null
    this.#forget(txId, draft)
    const { headId, deposited, deadlineMs } = draft
    if (deadlineMs !== null) return { deposit: this.#deposit(txId, { headId, deposited, deadlineMs }, nowMs) }
    return head.status !== 'Idle' && head.head.headId === headId ? { commit: deposited } : null
  }

  /** Returns outputs of a different head as a deposit or commit without a transaction on the base ledger. */
  carriedOver(entries: readonly LedgerEntry[], head: CommittableHead, nowMs: number): NonNullable<Recognised> {
    const deposited = new UtxoView(entries)
    const deadlineMs = this.#deadline(head, nowMs)
    const { headId } = head.head
    if (deadlineMs === null) return { commit: deposited }
    return {
      deposit: this.#deposit(
        deriveId(this.#context.options.seed, 'carried over'),
        { headId, deposited, deadlineMs },
        nowMs
      )
    }
  }

  #deposit(txId: string, parts: Pick<Deposit, 'headId' | 'deposited' | 'deadlineMs'>, nowMs: number): Deposit {
    const { depositDelayMs, depositPeriodMs } = this.#context.options.timings
    const expiresMs = parts.deadlineMs - depositPeriodMs
    return { txId, ...parts, createdMs: nowMs, activatesMs: nowMs + depositDelayMs, expiresMs, status: 'Inactive' }
  }

  /**
   * Returns the time from a draft to its recovery, ms: activation and two periods from 2.4 on (HTTPServer.hs:463),
   * three periods before (Hydra.API.HTTPServer, handleDraftCommitUtxo).
   */
  #recoverableAfterMs(): number {
    const { options, features } = this.#context
    const { depositDelayMs, depositPeriodMs } = options.timings
    return features.depositDeadline === 'activationAndTwoPeriods'
      ? depositDelayMs + 2 * depositPeriodMs
      : 3 * depositPeriodMs
  }

  /** Returns the end of a draft's interval: half of the time left, 10 to 200 slots (Handlers.hs, draftDepositTx). */
  #ttl(nowMs: number, deadlineMs: number): bigint {
    const graceSlots = Math.trunc(Math.min(MAX_GRACE_SLOTS, (deadlineMs - nowMs) / 2000))
    return BigInt(slotAt(nowMs, this.#context) + Math.max(MIN_GRACE_SLOTS, graceSlots))
  }

  /** Returns an output for the fee that no draft has claimed; when all are claimed, the oldest draft is forgotten. */
  #fuel(): LedgerEntry {
    const nodeUtxos = this.#context.base.find(({ output }) => output.address === this.#address)
    const fuel = nodeUtxos.map(({ input, output }) => new LedgerEntry(input, output))
    const free = fuel.find(({ ref }) => !this.#reserved.has(ref))
    if (free !== undefined) return free
    const [oldest] = this.#drafts
    if (oldest !== undefined) this.#forget(...oldest)
    return fuel.find(({ ref }) => !this.#reserved.has(ref)) ?? fuel[0]!
  }

  #remember(txId: string, draft: Draft): void {
    this.#drafts.set(txId, draft)
    this.#reserved.add(draft.fuel)
    const [oldest] = this.#drafts
    if (this.#drafts.size > MAX_DRAFTS && oldest !== undefined) this.#forget(...oldest)
  }

  #forget(txId: string, draft: Draft): void {
    this.#drafts.delete(txId)
    this.#reserved.delete(draft.fuel)
  }
}

const allOf = (entries: readonly LedgerEntry[]): DraftParts => ({
  spent: entries,
  referenced: [],
  deposited: new UtxoView(entries),
  whole: true,
  changeAddress: null,
  blueprint: null
})
