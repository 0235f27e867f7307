import { addUnit, LOVELACE, valueToAmounts } from '../codec/value.js'
import type { Amount } from '../types/utxo.js'
import type { NodeOutput } from '../verify/index.js'
import type { OutputsByRef } from './readBundle.js'
import type { HeadAmounts, InHead, RecognisedOutput } from './types.js'
import type { WalletAddresses } from './walletAddresses.js'

/** Name of the sum that an output in a head is added to: `available`, `arriving` or `leaving`. */
export type HeadPart = RecognisedOutput['part']

/** Outputs in a head by the sum that they count for. They are proven, so their forms are valid. */
export type HeadParts = Readonly<Record<HeadPart, OutputsByRef>>

/** Maximum number of the wallet's outputs that are listed one by one; the sums include all. */
const MAX_LISTED = 1_000
const PARTS = ['available', 'arriving', 'leaving'] as const

type Value = Map<string, bigint>
type Sums = Record<HeadPart, Value>

const noSums = (): Sums => ({ available: new Map(), arriving: new Map(), leaving: new Map() })

/** Returns true for an output whose address a proof covers: for all but Byron outputs. */
const isProven = ({ address }: NodeOutput): boolean => /^addr(_test)?1/i.test(address)

/** Units of which the outputs in the head have more than the head's output backs. */
export interface Excess {
  /** Units of which the head's output holds too few, so that the head cannot pay. */
  readonly unbacked: readonly string[]
  /** Units that the head's output does not hold at all, because they were minted in the head. */
  readonly mintedInside: readonly string[]
}

/** Returns the lovelace of the outputs that the head's output has to back: all but arriving ones. */
export function lovelaceInHead({ available, leaving }: HeadParts): bigint {
  const total: Value = new Map()
  for (const output of [...Object.values(available), ...Object.values(leaving)]) addOutput(total, output)
  return total.get(LOVELACE) ?? 0n
}

/** Compares the outputs in the head with the value that backs them, and returns the units in excess. */
export function excessOf(parts: HeadParts, backing: ReadonlyMap<string, bigint>): Excess {
  const total: Value = new Map()
  for (const part of ['available', 'leaving'] as const)
    for (const output of Object.values(parts[part])) if (isProven(output)) addOutput(total, output)
  const unbacked: string[] = []
  const mintedInside: string[] = []
  for (const [unit, quantity] of total) {
    const backingQuantity = backing.get(unit) ?? 0n
    if (quantity <= backingQuantity) continue
    if (backingQuantity > 0n || unit === LOVELACE) unbacked.push(unit)
    else mintedInside.push(unit)
  }
  return { unbacked, mintedInside }
}

/** Sums the outputs of a wallet, without the units that were minted in the head. */
export function sumInHead(parts: HeadParts, wallet: WalletAddresses, mintedInside: readonly string[]): InHead {
  const sums = noSums()
  const byAddress = new Map<string, Sums>()
  const outputs: RecognisedOutput[] = []
  const minted = new Set(mintedInside)
  for (const part of PARTS) {
    for (const ref of Object.keys(parts[part])) {
      const output = parts[part][ref]!
      if (!isProven(output)) continue
      const walletAddress = wallet.find(output.address)
      if (walletAddress === undefined) continue
      const value: Value = new Map()
      addOutput(value, output)
      for (const unit of value.keys()) if (minted.has(unit)) value.delete(unit)
      const ofAddress = byAddress.get(walletAddress) ?? noSums()
      byAddress.set(walletAddress, ofAddress)
      for (const [unit, quantity] of value) {
        addUnit(sums[part], unit, quantity)
        addUnit(ofAddress[part], unit, quantity)
      }
      if (outputs.length < MAX_LISTED)
        outputs.push({ ref, address: walletAddress, amount: valueToAmounts(value), part })
    }
  }
  return {
    ...amountsOf(sums),
    byAddress: Object.fromEntries(
      wallet.all.map((address) => [address, amountsOf(byAddress.get(address) ?? noSums())])
    ),
    outputs,
    complete: true,
    backed: true,
    mintedInside
  }
}

function amountsOf(sums: Sums): HeadAmounts {
  const [available, arriving, leaving] = PARTS.map((part) => toAmounts(sums[part])) as [Amount[], Amount[], Amount[]]
  return { available, arriving, leaving }
}

/** Returns the amounts of a value, lovelace first; none for an empty value. */
export function toAmounts(value: ReadonlyMap<string, bigint>): Amount[] {
  return value.size === 0 ? [] : valueToAmounts(value)
}

function addOutput(sum: Value, { value }: NodeOutput): void {
  for (const policy of Object.keys(value)) {
    const entry = value[policy]
    if (policy === LOVELACE) addUnit(sum, LOVELACE, BigInt(entry as bigint))
    else {
      const names = entry as Readonly<Record<string, bigint>>
      for (const name of Object.keys(names)) addUnit(sum, policy + name, BigInt(names[name]!))
    }
  }
}
