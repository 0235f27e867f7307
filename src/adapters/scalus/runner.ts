import { PackageMissingError } from '../../errors/input.js'

/** A request to the library, made of values that can be sent to a worker. */
export interface ScalusJob {
  readonly tx: Uint8Array
  /** CBOR map of inputs and outputs. */
  readonly utxo: Uint8Array
  /** zeroTime in ms, zeroSlot, slotLength in ms. */
  readonly slot: readonly [number, number, number]
  readonly models: readonly (readonly number[])[]
}

/** Answer of the library. `logs` is null when the library itself failed, not a script. */
export type ScalusAnswer =
  | {
      readonly units: readonly {
        readonly tag: string
        readonly index: number
        readonly mem: bigint
        readonly cpu: bigint
      }[]
    }
  | { readonly units?: undefined; readonly message: string; readonly logs: readonly string[] | null }

/** Runs the scripts of one transaction. */
export type ScalusRunner = (job: ScalusJob) => Promise<ScalusAnswer>

/** The parts of the package that the runner uses. */
export interface ScalusModule {
  readonly Scalus: {
    evalPlutusScripts(
      tx: Uint8Array,
      utxo: Uint8Array,
      slot: unknown,
      models: readonly (readonly number[])[]
    ): Iterable<ScalusRedeemer>
  }
  readonly SlotConfig: new (zeroTime: number, zeroSlot: number, slotLength: number) => unknown
}
interface ScalusRedeemer {
  readonly tag: string
  readonly index: number
  readonly budget: { readonly memory: bigint; readonly steps: bigint }
}

/** Creates a runner that runs scripts in the calling thread. */
export function inThreadRunner(): ScalusRunner {
  let loading: Promise<ScalusModule> | undefined
  return async (job) => {
    loading ??= loadScalus()
    const scalus = await loading.catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return evaluate(scalus, job)
  }
}

/** Loads the package. @throws {@link PackageMissingError} when it is not installed. */
export async function loadScalus(): Promise<ScalusModule> {
  let loaded: { default?: ScalusModule }
  try {
    loaded = (await import('scalus')) as unknown as { default?: ScalusModule }
  } catch (cause) {
    throw new PackageMissingError('scalus', cause)
  }
  return loaded.default ?? (loaded as unknown as ScalusModule)
}

function evaluate({ Scalus, SlotConfig }: ScalusModule, { tx, utxo, slot, models }: ScalusJob): ScalusAnswer {
  try {
    const redeemers = Scalus.evalPlutusScripts(tx, utxo, new SlotConfig(...slot), models)
    return {
      units: Array.from(redeemers, ({ tag, index, budget }) => ({ tag, index, mem: budget.memory, cpu: budget.steps }))
    }
  } catch (error) {
    const { message, logs } = error as { message?: unknown; logs?: Iterable<unknown> }
    return { message: String(message ?? error), logs: logs === undefined ? null : Array.from(logs, String) }
  }
}
