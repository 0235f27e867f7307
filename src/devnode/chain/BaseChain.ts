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

/** The ledger and settings that a chain of blocks is made from. */
export interface BaseChainOptions extends ChainTime {
  readonly options: ChainTime['options'] & { readonly networkId: 0 | 1 }
  readonly base: BaseLedger
  readonly protocolParameters: Readonly<Record<string, unknown>>
  readonly scripts: ScriptRunner | null
  /** Number of blocks by which the shown chain lags behind the ledger. */
  lagBlocks(): number
  /** Submits a transaction; resolves with the reasons for its refusal, none when it was accepted. */
  submit(tx: PreparedTx): Promise<readonly string[]>
}

/** Network magic by network id: preprod's, whose slots the node keeps, and mainnet's. */
export const NETWORK_MAGIC = [1, 764_824_073] as const
/** Slots of an epoch, as on mainnet and preprod. */
export const EPOCH_SLOTS = 432_000
/** Most blocks whose hashes are remembered after they were named to a client. */
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

  /** Returns a block by its hash, if the block has been named to a client before. */
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

  /** Yields the unspent outputs, and those that transactions of the history have spent. */
  *outputs(): IterableIterator<LedgerEntry> {
    yield* this.unspent()
    for (const { spent } of this.history.transactions()) yield* spent
  }

  /** Returns a datum (CBOR hex) by its hash, from an inline datum or a witness. */
  findDatum(hash: string): string | undefined {
    for (const { output } of this.outputs())
      if (output.inlineDatum !== undefined && datumHashOf(output) === hash) return output.inlineDatum
    for (const { submitted } of this.history.transactions()) {
      const datum = submitted?.datums.get(hash)
      if (datum !== undefined) return datum
    }
    return undefined
  }

  /** Returns a script by its hash, from an output or a witness. */
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

  /** Runs the Plutus scripts of a transaction over outputs; undefined without the option `scriptEvaluator`. */
  evaluate(tx: Uint8Array, entries: readonly LedgerEntry[]): Promise<ScriptOutcome> | undefined {
    const { scripts, base } = this.#source
    return scripts?.evaluate(tx, entries, base.parameters)
  }
}

/** Epoch of a slot: every epoch has the same length from slot 0 on. */
export function epochOf(slot: number): { epoch: number; epochSlot: number } {
  return { epoch: Math.floor(slot / EPOCH_SLOTS), epochSlot: slot % EPOCH_SLOTS }
}
