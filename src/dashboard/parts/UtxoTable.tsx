import type { VNode } from 'preact'
import type { UTxO } from '../../client/index.js'
import { formatAdaText, formatCount } from '../model/text.js'
import { Empty } from './basics.js'
import { AddressLink, OutputLink } from './links.js'
import { VirtualTable } from './VirtualTable.js'
import type { Column } from './VirtualTable.js'

const lovelaceOf = ({ output }: UTxO): bigint =>
  BigInt(output.amount.find(({ unit }) => unit === 'lovelace')?.quantity ?? 0)

/** Outputs, each with its reference, its owner and its amounts. */
export function UtxoTable({
  utxos,
  label,
  empty = <Empty title="There are none" />,
  withAddress = true
}: {
  utxos: readonly UTxO[]
  label: string
  empty?: VNode
  withAddress?: boolean
}): VNode {
  const columns: Column<UTxO>[] = [
    { title: 'Output', width: 'minmax(0, 1fr)', cell: (utxo) => <OutputLink input={utxo.input} first={4} last={4} /> },
    ...(withAddress
      ? [
          {
            title: 'Address',
            width: 'minmax(0, 1.1fr)',
            cell: ({ output }: UTxO) => <AddressLink address={output.address} first={10} />
          }
        ]
      : []),
    {
      title: 'Tokens',
      width: '4.5rem',
      end: true,
      wideOnly: true,
      cell: ({ output }) => (output.amount.length <= 1 ? '\u2013' : formatCount(output.amount.length - 1))
    },
    { title: 'Ada', width: 'minmax(0, 0.8fr)', end: true, cell: (utxo) => formatAdaText(lovelaceOf(utxo)) }
  ]
  return (
    <VirtualTable
      label={label}
      rows={utxos}
      columns={columns}
      keyOf={({ input }) => `${input.txHash}#${input.index}`}
      empty={empty}
    />
  )
}
