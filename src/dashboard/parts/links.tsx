import type { VNode } from 'preact'
import type { Amount, TxInput } from '../../client/index.js'
import { linkTo } from '../model/pages.js'
import { formatAmount, shorten } from '../model/text.js'
import { useDashboard } from './context.js'

/** Name of a known key; null for other addresses. */
export function NameOf({ address }: { address: string }): VNode | null {
  const name = useDashboard().names.get(address)
  return name === undefined ? null : <span class="name">{name}</span>
}

/** An address in a line, with the name of its key where that is known, and a link to its page. */
export function AddressLink({ address, first = 14 }: { address: string; first?: number }): VNode {
  return (
    <span class="id">
      <NameOf address={address} />
      <a class="link mono" href={linkTo({ kind: 'address', address })}>
        {shorten(address, first, 8)}
      </a>
    </span>
  )
}

/** The id of a transaction in a line, with a link to its page. */
export function TxLink({ txId, first = 12, last = 8 }: { txId: string; first?: number; last?: number }): VNode {
  const shown = shorten(txId, first, last)
  return (
    <a class="link mono" href={linkTo({ kind: 'transaction', txId })} aria-label={`Transaction ${shown}`}>
      {shown}
    </a>
  )
}

/** The reference of an output in a line, with a link to its page. */
export function OutputLink({
  input: { txHash, index },
  first = 8,
  last = 6
}: {
  input: TxInput
  first?: number
  last?: number
}): VNode {
  const shown = `${shorten(txHash, first, last)}#${index}`
  return (
    <a class="link mono" href={linkTo({ kind: 'output', txHash, index })} aria-label={`Output ${shown}`}>
      {shown}
    </a>
  )
}

const MAX_UNITS = 20

/** Amounts with their units, one below the other. */
export function AmountList({ amount }: { amount: readonly Amount[] }): VNode {
  return (
    <span class="amount-list">
      {amount.slice(0, MAX_UNITS).map(({ unit, quantity }) => (
        <bdi key={unit}>{formatAmount(unit, BigInt(quantity))}</bdi>
      ))}
      {amount.length > MAX_UNITS && <span class="muted">and {amount.length - MAX_UNITS} more</span>}
    </span>
  )
}
