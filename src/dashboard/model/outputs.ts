import type { UTxO } from '../../client/index.js'
import { assetLabel } from './text.js'

/** An address with what it holds. */
export interface AddressRow {
  readonly address: string
  readonly outputs: number
  readonly lovelace: bigint
  /** How many units besides ada. */
  readonly assets: number
}

/** A unit with who holds it. */
export interface AssetRow {
  readonly unit: string
  readonly quantity: bigint
  readonly outputs: number
  readonly addresses: number
}

/** The outputs of a head, and what they come to. */
export interface OutputsView {
  readonly utxos: readonly UTxO[]
  /** Most lovelace first. */
  readonly addresses: readonly AddressRow[]
  /** Ada first, then by quantity. */
  readonly assets: readonly AssetRow[]
  readonly lovelace: bigint
}

/** Sums of all outputs by address and by unit. */
export function summarise(utxos: readonly UTxO[]): OutputsView {
  const addresses = new Map<string, { outputs: number; lovelace: bigint; units: Set<string> }>()
  const assets = new Map<string, { quantity: bigint; outputs: number; holders: Set<string> }>()
  for (const { output } of utxos) {
    const row = getOrSet(addresses, output.address, () => ({ outputs: 0, lovelace: 0n, units: new Set<string>() }))
    row.outputs++
    for (const { unit, quantity } of output.amount) {
      const amount = BigInt(quantity)
      if (unit === 'lovelace') row.lovelace += amount
      else row.units.add(unit)
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
    lovelace: assets.get('lovelace')?.quantity ?? 0n
  }
}

/** The rows that a search finds: parts of an address, a reference, a unit, a name of an asset or a datum hash. */
export function searchOutputs(
  { utxos, addresses, assets }: OutputsView,
  query: string
): Pick<OutputsView, 'utxos' | 'addresses' | 'assets'> {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return { utxos, addresses, assets }
  const hasUnit = (unit: string): boolean => unit.includes(wanted) || assetLabel(unit).toLowerCase().includes(wanted)
  const units = new Set(assets.filter(({ unit }) => hasUnit(unit)).map(({ unit }) => unit))
  const found = utxos.filter(
    ({ input, output }) =>
      output.address.toLowerCase().includes(wanted) ||
      `${input.txHash}#${input.index}`.includes(wanted) ||
      output.datumHash?.includes(wanted) === true ||
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
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
