import { addressToString, enterpriseAddress } from '../../codec/address.js'
import { minLovelace } from '../../codec/txOutput.js'
import type { Value } from '../../codec/value.js'
import { addValue, LOVELACE, valueFromAmounts, valueToAmounts } from '../../codec/value.js'
import { blake2b224 } from '../../hash/blake2b.js'
import type { TxOutput } from '../../types/utxo.js'
import type { BaseLedger } from '../chain/baseLedger.js'
import { depositOutput } from '../deposits/depositDraft.js'
import { EMPTY_ACCUMULATOR } from '../head/snapshotHashes.js'
import type { Deposit, HeadIdentity } from '../head/types.js'
import { contestationPeriodOf } from '../head/types.js'
import { minimumFee } from '../rules/fees.js'
import { prepareTx } from '../rules/preparedTx.js'
import { LedgerEntry, UtxoView } from '../rules/utxoSet.js'
import type { DevNodeFaults } from '../settings/faults.js'
import type { DevKey } from '../settings/keys.js'
import { deriveId, deriveKey, keyAddress } from '../settings/keys.js'
import type { NodeSettings } from '../settings/options.js'
import type { ProfileFeatures } from '../settings/profiles.js'
import { Commitments, EMPTY_COMMITMENT } from './Commitments.js'
import type { ClosedContent, HeadTerms } from './headDatum.js'
import { fanoutRefusal } from './fanoutRefusal.js'
import { closedDatum, contestersOf, openDatum, progressDatum } from './headDatum.js'
import { writeHeadTx } from './writeHeadTx.js'

/** Name of the state token, "HydraHeadV2": hex. */
export const STATE_TOKEN = '4879647261486561645632'
/** Funds of the node's wallet, which pays for the transactions of its heads. */
const WALLET_LOVELACE = 1_000_000_000_000n
/** Lovelace of the output that a head is made of. */
const SEED_LOVELACE = 5_000_000n
/** Placeholder for the fee while the fee is computed: five bytes, as the fee itself. */
const COSTING_FEE = 1_000_000n

/** Settings of the transactions of heads. */
interface HeadTxsContext {
  readonly options: NodeSettings
  readonly features: ProfileFeatures
  readonly base: BaseLedger
  readonly faults: Pick<DevNodeFaults, 'unknownDatum' | 'withholdDeposits'>
}

interface HeadTx {
  readonly kind: string
  readonly inputs: readonly LedgerEntry[]
  readonly outputs: readonly TxOutput[]
  readonly mint?: ReadonlyMap<string, bigint>
}

/** Address of the script that holds the outputs of heads. */
export function headAddress(networkId: 0 | 1): string {
  return addressToString(enterpriseAddress(networkId, { kind: 'script', hash: deriveId('script', 'head', blake2b224) }))
}

/**
 * Makes the steps of a head as transactions of the base ledger, which spend and remake the head's output with its state
 * token, its value and its datum. All their state is on the ledger itself, so a restored ledger continues from it.
 * Profiles before 2.3, and ledgers of earlier versions of this package, have no such output: there, steps only place
 * and remove outputs.
 */
export class HeadTxs {
  /** Commitments to the outputs of heads, for their datums. */
  readonly commitments: Commitments = new Commitments()
  readonly #context: HeadTxsContext
  readonly #wallet: DevKey
  readonly #walletAddress: string
  readonly #address: string

  constructor(context: HeadTxsContext) {
    const { seed, networkId } = context.options
    this.#context = context
    this.#wallet = deriveKey(seed, 'wallet')
    this.#walletAddress = keyAddress(this.#wallet, networkId)
    this.#address = headAddress(networkId)
  }

  /** Funds the wallet that pays for the transactions. */
  fundWallet(): void {
    const { features, base, options } = this.#context
    if (features.headDatum === null) return
    const input = { txHash: deriveId(options.seed, 'funds of the wallet'), index: 0 }
    base.place([new LedgerEntry(input, this.#coin(WALLET_LOVELACE))])
  }

  /** Returns the head's output; undefined where there is none. */
  output({ headId }: Pick<HeadIdentity, 'headId'>): LedgerEntry | undefined {
    const unit = headId + STATE_TOKEN
    const isHead = ({ output }: LedgerEntry): boolean =>
      output.address === this.#address && output.amount.some((amount) => amount.unit === unit)
    return this.#context.base.entries(isHead)[0]
  }

  /** Makes the head's output with the state token and a token for each party. */
  init(head: HeadIdentity): void {
    const { base } = this.#context
    if (this.#walletEntry() === undefined) return
    const [seed] = base.place([new LedgerEntry({ txHash: head.headSeed, index: 0 }, this.#coin(SEED_LOVELACE))])
    const terms = this.#terms(head)
    const mint = this.#tokens(head)
    const output = this.#headOutput(
      new Map([...mint, [LOVELACE, terms.overhead]]),
      openDatum(terms, 0, EMPTY_ACCUMULATOR)
    )
    this.#submit({ kind: 'InitTx', inputs: [seed!], outputs: [output], mint })
  }

  /** Moves a deposit into the head. */
  increment(
    head: HeadIdentity,
    step: {
      readonly depositTxId: string
      readonly utxo: UtxoView
      readonly version: number
      readonly accumulator: string
    }
  ): void {
    const { base, faults } = this.#context
    const deposit = base.get(depositOutput(step.depositTxId))
    const current = this.output(head)
    if (current === undefined) return base.consume(depositOutput(step.depositTxId))
    const value = current.value
    if (!faults.withholdDeposits) for (const entry of step.utxo) addValue(value, entry.value)
    const datum = openDatum(this.#terms(head), step.version, step.accumulator)
    const inputs = deposit === undefined ? [current] : [current, deposit]
    this.#submit({ kind: 'IncrementTx', inputs, outputs: [this.#headOutput(value, datum)] })
  }

  /** Pays outputs out of the open head; returns them as they are on the base ledger. */
  decrement(
    head: HeadIdentity,
    step: { readonly utxo: UtxoView; readonly version: number; readonly accumulator: string }
  ): UtxoView {
    const outputs = [...step.utxo].map(({ output }) => output)
    const current = this.output(head)
    if (current === undefined) return this.#context.base.produce(outputs)
    const datum = openDatum(this.#terms(head), step.version, step.accumulator)
    const left = this.#headOutput(this.#without(current, step.utxo, head), datum)
    return new UtxoView(
      this.#submit({ kind: 'DecrementTx', inputs: [current], outputs: [left, ...outputs] }).slice(1, 1 + outputs.length)
    )
  }

  /** Closes the head. */
  close(head: HeadIdentity, content: Omit<ClosedContent, 'contesters'>): void {
    this.#moveClosed('CloseTx', head, { ...content, contesters: [] })
  }

  /** Replaces the snapshot that the head closes with. */
  contest(head: HeadIdentity, content: Omit<ClosedContent, 'contesters'>, party: number): void {
    const { seed } = this.#context.options
    const { form } = this.#terms(head)
    const before = contestersOf(
      this.output(head)?.output.inlineDatum ?? closedDatum(this.#terms(head), NOT_CLOSED),
      form
    )
    const contesters = [...new Set([...before, partyToken(seed, party)])]
    this.#moveClosed('ContestTx', head, { ...content, contesters })
  }

  /** Returns the base ledger's reasons against a step of the fanout of a closed head; none when it accepts the step. */
  fanoutFailures(
    head: HeadIdentity,
    step: { readonly utxo: UtxoView; readonly left: string | null }
  ): readonly string[] {
    const { parameters } = this.#context.base
    const { headId } = head
    return fanoutRefusal({
      utxo: step.utxo,
      isLast: step.left === null,
      current: this.output(head),
      headId,
      parameters
    })
  }

  /** Pays outputs out of the closed head; with the last of them its tokens are burned. */
  fanout(
    head: HeadIdentity,
    step: { readonly kind: string; readonly utxo: UtxoView; readonly deadlineMs: number; readonly left: string | null }
  ): UtxoView {
    const outputs = [...step.utxo].map(({ output }) => output)
    const current = this.output(head)
    if (current === undefined) return this.#context.base.produce(outputs)
    if (step.left === null) {
      const mint = new Map([...this.#tokens(head)].map(([unit, quantity]) => [unit, -quantity]))
      return new UtxoView(this.#submit({ kind: step.kind, inputs: [current], outputs, mint }).slice(0, outputs.length))
    }
    const datum = progressDatum(this.#terms(head), step.deadlineMs, step.left)
    const left = this.#headOutput(this.#without(current, step.utxo, head), datum)
    const made = this.#submit({ kind: step.kind, inputs: [current], outputs: [left, ...outputs] })
    return new UtxoView(made.slice(1, 1 + outputs.length))
  }

  /** Returns a deposit to its owner. */
  recover({ txId, deposited }: Pick<Deposit, 'txId' | 'deposited'>): void {
    const { base } = this.#context
    const deposit = base.get(depositOutput(txId))
    const outputs = deposited.entries.map(({ output }) => output)
    if (this.#walletEntry() === undefined) {
      base.consume(depositOutput(txId))
      base.produce(outputs)
    } else this.#submit({ kind: 'RecoverTx', inputs: deposit === undefined ? [] : [deposit], outputs })
  }

  #moveClosed(kind: string, head: HeadIdentity, content: ClosedContent): void {
    const current = this.output(head)
    if (current === undefined) return
    const output = this.#headOutput(current.value, closedDatum(this.#terms(head), content))
    this.#submit({ kind, inputs: [current], outputs: [output] })
  }

  /** Puts a transaction on the ledger and returns its outputs; the wallet pays the fee and receives the rest. */
  #submit({ kind, inputs, outputs, mint = new Map() }: HeadTx): readonly LedgerEntry[] {
    const { base, features } = this.#context
    const wallet = this.#walletEntry()
    const spent = wallet === undefined ? inputs : [...inputs, wallet]
    const rest: Value = new Map(mint)
    for (const { value } of spent) addValue(rest, value)
    for (const { amount } of outputs) addValue(rest, valueFromAmounts(amount), -1n)
    const write = (fee: bigint): Uint8Array => {
      // Outputs that exist in the head alone come from nowhere: the simulated scripts do not refuse them.
      const change = new Map([...rest].filter(([, quantity]) => quantity > 0n))
      const coin = (rest.get(LOVELACE) ?? 0n) - fee
      change.set(LOVELACE, coin > SEED_LOVELACE ? coin : SEED_LOVELACE)
      const content = { fee, mint, name: `${features.metadataName}/${kind}`, inputs: spent.map(({ input }) => input) }
      const kept = { address: this.#walletAddress, amount: valueToAmounts(change) }
      return writeHeadTx({ ...content, outputs: [...outputs, kept] }, this.#wallet)
    }
    const sizeBytes = write(COSTING_FEE).length
    const fee = minimumFee({ sizeBytes, scripts: { redeemers: new Map() } }, 0, base.parameters)
    const tx = prepareTx(write(fee), { verified: true })
    base.apply(tx)
    return tx.produces
  }

  #walletEntry(): LedgerEntry | undefined {
    return this.#context.base.entries(({ output }) => output.address === this.#walletAddress)[0]
  }

  #headOutput(value: Value, inlineDatum: string): TxOutput {
    return { address: this.#address, amount: valueToAmounts(value), inlineDatum }
  }

  #coin(lovelace: bigint): TxOutput {
    return { address: this.#walletAddress, amount: [{ unit: LOVELACE, quantity: String(lovelace) }] }
  }

  /** Returns the value of the head's output without outputs that leave it; its own lovelace and tokens stay. */
  #without({ value }: LedgerEntry, utxo: UtxoView, head: HeadIdentity): Value {
    for (const entry of utxo) addValue(value, entry.value, -1n)
    const { overhead } = this.#terms(head)
    for (const [unit, quantity] of value) if (quantity < 0n) value.delete(unit)
    if ((value.get(LOVELACE) ?? 0n) < overhead) value.set(LOVELACE, overhead)
    return value
  }

  #tokens({ headId, parties }: HeadIdentity): Map<string, bigint> {
    const { seed } = this.#context.options
    return new Map([
      [headId + STATE_TOKEN, 1n],
      ...parties.map((_, i): [string, bigint] => [headId + partyToken(seed, i), 1n])
    ])
  }

  #terms(head: HeadIdentity): HeadTerms {
    const { options, features, faults, base } = this.#context
    const { contestationPeriodMs, depositPeriodMs } = options.timings
    const terms: HeadTerms = {
      head,
      form: features.headDatum ?? 'eightFields',
      contestationPeriodMs: contestationPeriodOf(head, contestationPeriodMs),
      depositPeriodMs,
      overhead: 0n,
      isUnknown: faults.unknownDatum
    }
    // Enough for the largest datum of the head's life: closed, and contested by all parties.
    const contesters = head.parties.map((_, i) => partyToken(options.seed, i))
    const largest = { ...NOT_CLOSED, number: 2 ** 32, version: 2 ** 16, deadlineMs: 2 ** 42, contesters }
    const output = this.#headOutput(this.#tokens(head), closedDatum({ ...terms, overhead: 2n ** 31n }, largest))
    return { ...terms, overhead: minLovelace(output, base.parameters.coinsPerUtxoByte) }
  }
}

const NOT_CLOSED: ClosedContent = { version: 0, number: 0, contesters: [], deadlineMs: 0, commitment: EMPTY_COMMITMENT }

/** Name of a party's token: hex. */
function partyToken(seed: string, index: number): string {
  return deriveKey(seed, `party ${index + 1}`).keyHash
}
