import { parseAddress } from '../../codec/address.js'
import type { EvaluatedRedeemer, HeadClient, HeadParameters } from '../../client/inner.js'
import { checkBeforeSending, checkEvaluator, contextParts, queryParameters, withDeadline } from '../../client/inner.js'
import { UnsupportedInHeadError } from '../../errors/client.js'
import { described } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ScriptEvaluator } from '../../types/scriptEvaluator.js'
import type { TxInput, UTxO } from '../../types/utxo.js'
import { PassedTxs } from './PassedTxs.js'

/** Options of an adapter's `submitTx`. */
export interface SubmitUntil {
  /**
   * Event at which `submitTx` resolves. `'valid'`: the node has accepted the transaction, so that the next one can
   * spend its outputs. `'confirmed'`: a snapshot holds it.
   * @default 'valid'
   */
  until?: 'valid' | 'confirmed' | undefined
}

/** Options of the adapters that connect a transaction builder (Mesh, Lucid, Blaze) to a head. */
export interface BuilderOptions extends SubmitUntil {
  /** Runs Plutus scripts: `scalusEvaluator()` of `layer-sdk/scalus`. @default the client's option `evaluator` */
  evaluator?: ScriptEvaluator | undefined
}

/** Slot configuration of a head's ledger, which maps slots to times. */
export interface HeadSlotConfig {
  /** Start of `zeroSlot`, ms since the Unix epoch. */
  zeroTime: number
  /** Slot that begins at `zeroTime`; mostly 0. */
  zeroSlot: number
  /** Length of a slot, ms. */
  slotLength: number
}

/** Longest wait for the connection and the head's outputs, ms. */
const READY_TIMEOUT_MS = 30_000

/**
 * A head as transaction builders read it. Outputs are those of the pending view, which counts own unconfirmed
 * transactions, so that the next transaction can spend outputs of the last.
 */
export interface HeadSource {
  utxosAt(address: string): Promise<UTxO[]>
  /**
   * Returns the outputs of all addresses; with `ofPayment` (hash of a key or script, hex), only of those with this
   * payment credential.
   */
  allUtxos(ofPayment?: string): Promise<UTxO[]>
  utxosOf(refs: readonly TxInput[]): Promise<UTxO[]>
  /** Returns the only output that holds a unit. */
  utxoWith(unit: string): Promise<UTxO>
  parameters(): Promise<HeadParameters>
  slotConfig(): HeadSlotConfig
  /** Checks the witnesses that the transaction has for its scripts, then sends it. */
  submit(cborHex: string, options?: SubmitUntil): Promise<string>
  /** Evaluates scripts and returns the units of each redeemer. `more`: outputs that the head does not hold yet. */
  evaluate(cborHex: string, more?: readonly UTxO[]): Promise<readonly EvaluatedRedeemer[]>
  /** The latest transactions that the node accepted. */
  readonly passed: PassedTxs
}

export function createHeadSource(head: HeadClient, options: BuilderOptions = {}): HeadSource {
  if (typeof head?.getUtxos !== 'function' || typeof head.submit !== 'function')
    throw new InvalidArgumentError('head', 'what createHeadClient() returns', head)
  const { bridge } = head
  const context = contextParts(head.context)
  const resolveUntil = ({ until = 'valid' }: SubmitUntil): 'valid' | 'confirmed' => {
    if (until === 'valid' || until === 'confirmed') return until
    throw new InvalidArgumentError('until', "'valid' or 'confirmed'", until)
  }
  const standard = resolveUntil(options)
  const evaluator = checkEvaluator(options.evaluator) ?? undefined
  let parameters: { readonly key: string; readonly value: Promise<HeadParameters> } | null = null
  const ready = (): Promise<void> =>
    withDeadline('Reading the head', {}, READY_TIMEOUT_MS, (deadline) =>
      context.connection.ready('Reading the head', deadline)
    )
  const unspent = (addresses: Iterable<string>): UTxO[] =>
    [...new Set(addresses)].flatMap((address) => head.getUtxos({ address, view: 'pending' })!)
  const source: HeadSource = {
    async utxosAt(address) {
      parseAddress(address)
      await ready()
      return unspent([address])
    },
    async allUtxos(ofPayment) {
      await ready()
      const addresses = bridge.snapshotUtxoArray().map(({ output }) => output.address)
      for (const { outputs } of context.view.pending) addresses.push(...outputs.map(({ output }) => output.address))
      // Byron addresses have no credential, and no builder spends their outputs.
      return unspent(
        addresses.filter(
          (address) =>
            address.startsWith('addr') && (ofPayment === undefined || parseAddress(address).payment?.hash === ofPayment)
        )
      )
    },
    async utxosOf(refs) {
      const refKeys = new Set(refs.map(({ txHash, index }) => `${txHash.toLowerCase()}#${index}`))
      return (await source.allUtxos()).filter(({ input }) => refKeys.has(`${input.txHash}#${input.index}`))
    },
    async utxoWith(unit) {
      const found = (await source.allUtxos()).filter(({ output }) => output.amount.some((each) => each.unit === unit))
      if (found.length !== 1)
        throw new InvalidArgumentError(
          'unit',
          'a unit that exactly one output of the head holds',
          described(`one that ${found.length} hold`)
        )
      return found[0]!
    },
    parameters() {
      const { headId, nodeVersion } = bridge.getSnapshot()
      const key = `${headId}|${nodeVersion}`
      if (parameters?.key !== key) {
        const entry = (parameters = { key, value: queryParameters(bridge) })
        entry.value.catch(() => {
          if (parameters === entry) parameters = null
        })
      }
      return parameters.value
    },
    slotConfig() {
      const config = context.ledger.slotConfig
      if (config === null)
        throw new UnsupportedInHeadError(
          'getSlotConfig',
          'a connected node from 1.3 on, or the option network of createHeadClient'
        )
      return { zeroTime: config.zeroTime, zeroSlot: config.zeroSlot, slotLength: config.slotLength }
    },
    async submit(cborHex, submitOptions) {
      const wait = submitOptions === undefined ? standard : resolveUntil(submitOptions)
      await checkBeforeSending(context, cborHex, () => source.parameters())
      const { txId } = await head.submit(cborHex, { wait })
      source.passed.keep(txId, cborHex)
      return txId
    },
    async evaluate(cborHex, more = []) {
      return (await head.evaluate(cborHex, { evaluator, utxos: more })).redeemers
    },
    passed: new PassedTxs(bridge)
  }
  return source
}

/** Creates methods that reject because a head cannot answer them. `methods`: the alternative that each error names. */
export function unsupported<Name extends string>(
  methods: Readonly<Record<Name, string>>
): Record<Name, () => Promise<never>> {
  const entries = Object.entries<string>(methods).map(([name, instead]) => [
    name,
    () => Promise.reject(new UnsupportedInHeadError(name, instead))
  ])
  return Object.fromEntries(entries) as Record<Name, () => Promise<never>>
}
