import type { UTxO } from '../../client/index.js'
import { assetLabel, countOf, formatAdaText } from './text.js'

/** An address with the sums of its outputs. */
export interface AddressRow {
  readonly address: string
  readonly outputs: number
  readonly lovelace: bigint
  /** Number of units besides ada. */
  readonly assets: number
}

/** A unit with the number of its holders. */
export interface AssetRow {
  readonly unit: string
  readonly quantity: bigint
  readonly outputs: number
  readonly addresses: number
}

/** The outputs of a head with their sums. */
export interface OutputList {
  readonly utxos: readonly UTxO[]
  /** Most lovelace first. */
  readonly addresses: readonly AddressRow[]
  /** Ada first, then by quantity. */
  readonly assets: readonly AssetRow[]
  /** Of all outputs, those of the pending deposit included. */
  readonly lovelace: bigint
  /** Part of `lovelace` that the pending deposit brings: it cannot be spent yet. */
  readonly arriving: bigint
}

/**
 * Returns the sums of all outputs by address and by unit. `isArriving`: true for an output of the pending deposit,
 * `'txHash#index'`.
 */
export function summarise(
  utxos: readonly UTxO[],
  isArriving: (ref: string) => boolean = (): boolean => false
): OutputList {
  const addresses = new Map<string, { outputs: number; lovelace: bigint; units: Set<string> }>()
  const assets = new Map<string, { quantity: bigint; outputs: number; holders: Set<string> }>()
  let arriving = 0n
  for (const { input, output } of utxos) {
    const isPending = isArriving(`${input.txHash}#${input.index}`)
    const row = getOrSet(addresses, output.address, () => ({ outputs: 0, lovelace: 0n, units: new Set<string>() }))
    row.outputs++
    for (const { unit, quantity } of output.amount) {
      const amount = BigInt(quantity)
      if (unit === 'lovelace') {
        row.lovelace += amount
        if (isPending) arriving += amount
      } else row.units.add(unit)
      const asset = getOrSet(assets, unit, () => ({ quantity: 0n, outputs: 0, holders: new Set<string>() }))
      asset.quantity += amount
      asset.outputs++
      asset.holders.add(output.address)
    }
  }
  return {
    utxos,
    addresses: [...addresses]
      .map(([address, { outputs, lovelace, units }]) => ({ address, outputs, lovelace, assets: units.size }))
      .sort((a, b) => order(b.lovelace, a.lovelace)),
    assets: [...assets]
      .map(([unit, { quantity, outputs, holders }]) => ({ unit, quantity, outputs, addresses: holders.size }))
      .sort((a, b) => Number(b.unit === 'lovelace') - Number(a.unit === 'lovelace') || order(b.quantity, a.quantity)),
    lovelace: assets.get('lovelace')?.quantity ?? 0n,
    arriving
  }
}

/** Returns the ada that can be spent in the head, and beside it the tokens and the ada of the pending deposit. */
export function moneyInHead({ assets, lovelace, arriving }: OutputList): {
  readonly value: string
  readonly note: string
} {
  const tokens = assets.filter(({ unit }) => unit !== 'lovelace').length
  const tokensText = tokens === 0 ? 'no tokens' : `and ${countOf(tokens, 'token')}`
  return {
    value: `${formatAdaText(lovelace - arriving)} ada`,
    note: arriving === 0n ? tokensText : `${tokensText}; ${formatAdaText(arriving)} ada arriving`
  }
}

/**
 * Returns the rows that a search finds: parts of an address, a reference, a unit, a name of an asset or a datum hash.
 */
export function searchOutputs(
  { utxos, addresses, assets }: OutputList,
  query: string
): Pick<OutputList, 'utxos' | 'addresses' | 'assets'> {
  const term = query.trim().toLowerCase()
  if (term === '') return { utxos, addresses, assets }
  const hasUnit = (unit: string): boolean => unit.includes(term) || assetLabel(unit).toLowerCase().includes(term)
  const units = new Set(assets.filter(({ unit }) => hasUnit(unit)).map(({ unit }) => unit))
  const found = utxos.filter(
    ({ input, output }) =>
      output.address.toLowerCase().includes(term) ||
      `${input.txHash}#${input.index}`.includes(term) ||
      output.datumHash?.includes(term) === true ||
      output.amount.some(({ unit }) => units.has(unit))
  )
  const holders = new Set(found.map(({ output }) => output.address))
  return {
    utxos: found,
    addresses: addresses.filter(({ address }) => holders.has(address)),
    assets: assets.filter(({ unit }) => units.has(unit))
  }
}

const order = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

function getOrSet<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const made = make()
  map.set(key, made)
  return made
}
