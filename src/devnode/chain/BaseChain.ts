import type { ScriptRunner } from '../rules/ScriptRunner.js'
import type { BaseLedger } from './baseLedger.js'
import type { ChainTime } from './chainTime.js'
import { blockHashAt, currentSlot } from './chainTime.js'
import type { ScriptRef } from '../../types/utxo.js'
import type { ShownHistory } from './laggedHistory.js'
import { historyUpTo, outputsAt } from './laggedHistory.js'
import { baseProtocolParameters } from '../rules/baseParameters.js'
import type { ScriptOutcome } from '../rules/evaluatorOutcome.js'
import type { PreparedTx } from '../rules/preparedTx.js'
import { datumHashOf, scriptHashOf } from '../rules/scriptHash.js'
import type { LedgerEntry } from '../rules/utxoSet.js'

/** A block of the base ledger: there is one for each slot, and its height is its slot. */
export interface BaseBlock {
  readonly slot: number
  /** Hex, 64 characters. */
  readonly hash: string
}

/** The ledger behind a chain of blocks. */
export interface BaseChainOptions extends ChainTime {
  readonly options: ChainTime['options'] & { readonly networkId: 0 | 1 }
  readonly base: BaseLedger
  readonly protocolParameters: Readonly<Record<string, unknown>>
  readonly scripts: ScriptRunner | null
  /** Blocks that the chain is shown behind the ledger. */
  lagBlocks(): number
  /** Submits a transaction; resolves with the reasons against it, none when it was accepted. */
  submit(tx: PreparedTx): Promise<readonly string[]>
}

/** Magic numbers of preprod, whose slots the node keeps, and of mainnet. */
export const NETWORK_MAGIC = [1, 764_824_073] as const
/** Slots of an epoch, as on mainnet and preprod. */
export const EPOCH_SLOTS = 432_000
/** Blocks named to clients whose hashes are remembered. */
const MAX_BLOCKS = 10_000

/**
 * The base ledger as a chain of blocks: the source of the indexer, the JSON-RPC and the matches of the local node.
 */
export class BaseChain {
  readonly networkId: 0 | 1
  /** The base ledger's own parameters, in the node's form. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Time of the first request, Unix time in ms. */
  readonly startedMs: number
  readonly #source: BaseChainOptions
  readonly #slots = new Map<string, number>()
  readonly #hashes = new Map<number, string>()

  constructor(source: BaseChainOptions) {
    this.#source = source
    this.networkId = source.options.networkId
    this.startedMs = source.clock.now()
    this.parameters = baseProtocolParameters(source.protocolParameters, source.base.parameters)
  }

  /** Unix time of slot 0, ms. */
  get slotZeroMs(): number {
    return this.#source.options.slotZeroMs
  }

  get history(): ShownHistory {
    const { base, lagBlocks } = this.#source
    return lagBlocks() === 0 ? base.history : historyUpTo(base.history, this.tip.slot)
  }

  /** Unix time, ms. */
  now(): number {
    return this.#source.clock.now()
  }

  /** The newest block. */
  get tip(): BaseBlock {
    return this.blockAt(Math.max(0, currentSlot(this.#source) - this.#source.lagBlocks()))
  }

  blockAt(slot: number): BaseBlock {
    let hash = this.#hashes.get(slot)
    if (hash === undefined) {
      hash = blockHashAt(slot, this.#source)
      this.#hashes.set(slot, hash)
      this.#slots.set(hash, slot)
      if (this.#hashes.size > MAX_BLOCKS) {
        const [oldest, itsHash] = this.#hashes.entries().next().value!
        this.#hashes.delete(oldest)
        this.#slots.delete(itsHash)
      }
    }
    return { slot, hash }
  }

  /** A block that has been named before, by its hash. */
  blockOf(hash: string): BaseBlock | undefined {
    const slot = this.#slots.get(hash)
    return slot === undefined ? undefined : { slot, hash }
  }

  /** Unspent outputs that pass the filter, the oldest first. */
  unspent(filter: (entry: LedgerEntry) => boolean = () => true): LedgerEntry[] {
    const { base, lagBlocks } = this.#source
    if (lagBlocks() === 0) return base.entries(filter)
    return outputsAt(
      this.tip.slot,
      base.entries(() => true),
      base.history
    ).filter(filter)
  }

  get(ref: string): LedgerEntry | undefined {
    const { base, lagBlocks } = this.#source
    return lagBlocks() === 0 ? base.getByRef(ref) : this.unspent((entry) => entry.ref === ref)[0]
  }

  /** Unspent outputs and those that kept transactions have spent. */
  *outputs(): IterableIterator<LedgerEntry> {
    yield* this.unspent()
    for (const { spent } of this.history.transactions()) yield* spent
  }

  /** A datum by its hash, from an inline datum or a witness: CBOR hex. */
  findDatum(hash: string): string | undefined {
    for (const { output } of this.outputs())
      if (output.inlineDatum !== undefined && datumHashOf(output) === hash) return output.inlineDatum
    for (const { submitted } of this.history.transactions()) {
      const datum = submitted?.datums.get(hash)
      if (datum !== undefined) return datum
    }
    return undefined
  }

  /** A script by its hash, from an output or a witness. */
  findScript(hash: string): ScriptRef | undefined {
    for (const { output } of this.outputs()) if (scriptHashOf(output) === hash) return output.scriptRef
    for (const { submitted } of this.history.transactions()) {
      const script = submitted?.scripts.get(hash)
      if (script !== undefined) return script
    }
    return undefined
  }

  submit(tx: PreparedTx): Promise<readonly string[]> {
    return this.#source.submit(tx)
  }

  /** Runs Plutus scripts over outputs; undefined without the option `scriptEvaluator`. */
  evaluate(tx: Uint8Array, entries: readonly LedgerEntry[]): Promise<ScriptOutcome> | undefined {
    const { scripts, base } = this.#source
    return scripts?.evaluate(tx, entries, base.parameters)
  }
}

/** Epoch of a slot: every epoch has the same length from slot 0 on. */
export function epochOf(slot: number): { epoch: number; epochSlot: number } {
  return { epoch: Math.floor(slot / EPOCH_SLOTS), epochSlot: slot % EPOCH_SLOTS }
}
