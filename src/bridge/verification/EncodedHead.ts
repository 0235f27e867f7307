import type { KeptOutputs, KeyedOutput, OutputEncoder } from '../../accumulator/inner.js'
import { runInTasks } from '../../net/nextTask.js'
import { readOutputsOf } from '../head/readMessage.js'
import type { SnapshotTexts, TextOutputs } from '../head/SnapshotTexts.js'
import { getOwn, isRecord } from '../protocol/wireRecord.js'
import type { ClaimedSnapshot } from './ArrivedMessage.js'
import { snapshotOf } from './ArrivedMessage.js'
import type { VerifyModule } from './types.js'

/** The outputs of a snapshot: as the cache reads them, and as the parties hash them. */
export interface EncodedOutputs {
  readonly outputs: TextOutputs | null
  readonly utxo: KeptOutputs
}

/**
 * Encodes the outputs of snapshots. The part that a text shares with the one whose outputs the cache has is neither
 * read nor encoded again; a text that does not fit is encoded as a whole.
 */
export class EncodedHead {
  readonly #texts: SnapshotTexts
  readonly #verify: VerifyModule
  readonly #encoder: OutputEncoder
  /** Outputs that the cache has, and the revision of its index with which it has them. */
  #applied: { readonly utxo: KeptOutputs; readonly revision: number } | null = null

  constructor(texts: SnapshotTexts, verify: VerifyModule) {
    this.#texts = texts
    this.#verify = verify
    this.#encoder = new verify.OutputEncoder()
  }

  /** Notes that the cache has these outputs now. */
  noteApplied(utxo: KeptOutputs): void {
    this.#applied = { utxo, revision: this.#texts.revision }
  }

  /**
   * Returns the outputs of a snapshot. @throws {@link VerificationError} with reason `output` that names the entry
   *
   * @param newest - outputs of the newest verified snapshot, which are returned again where they are the same
   */
  async read(claimed: ClaimedSnapshot, newest: KeptOutputs | null): Promise<EncodedOutputs> {
    const outputs = await this.#current(claimed)
    const { change = null, all = null, revision = -1 } = outputs ?? {}
    if (outputs !== null && change !== null && this.#applied?.revision === revision) {
      const added = change.added.map((key, at) => [key, change.outputs[at]] as const)
      const utxo = this.#applied.utxo.with(added, change.removed, this.#encoder)
      if (utxo !== null) return { outputs, utxo }
    }
    const entries = (): Iterable<KeyedOutput> => (all === null ? entriesOf(claimed) : all.outputs.entries())
    const utxo = await runInTasks(this.#verify.KeptOutputs.of(entries, this.#encoder))
    return { outputs: change === null ? outputs : null, utxo: newest?.isSame(utxo) === true ? newest : utxo }
  }

  /** Returns the outputs of the text; reads them again where the cache's outputs have changed since the text came. */
  async #current({ outputs, text }: ClaimedSnapshot): Promise<TextOutputs | null> {
    if (outputs === null || text === null) return outputs
    const isCurrent = outputs.change === null ? !this.#texts.hasBase : outputs.revision === this.#texts.revision
    return isCurrent ? outputs : runInTasks(readOutputsOf(this.#texts, text))
  }
}

function entriesOf({ holder }: ClaimedSnapshot): KeyedOutput[] {
  const utxo = getOwn(snapshotOf(holder)!, 'utxo')
  return isRecord(utxo) ? Object.entries(utxo) : []
}
