import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { AddressRow, AssetRow, OutputList as Sums } from '../model/outputs.js'
import { searchOutputs } from '../model/outputs.js'
import { assetLabel, countOf, formatAdaText, formatCount, safeText } from '../model/text.js'
import { Empty, Panel } from '../parts/basics.js'
import { useSession } from '../parts/context.js'
import { AddressLink } from '../parts/links.js'
import { UtxoTable } from '../parts/UtxoTable.js'
import type { Column } from '../parts/VirtualTable.js'
import { VirtualTable } from '../parts/VirtualTable.js'

const GROUPS = [
  ['addresses', 'By address'],
  ['assets', 'By asset'],
  ['utxos', 'Each output']
] as const
type Group = (typeof GROUPS)[number][0]
const NO_OUTPUTS: Sums = { utxos: [], addresses: [], assets: [], lovelace: 0n, arriving: 0n }

/** Outputs of the head: by address, by asset, one by one. */
export function OutputsView(): VNode {
  const session = useSession()
  const all = session.outputs.value ?? NO_OUTPUTS
  const [group, setGroup] = useState<Group>('addresses')
  const [query, setQuery] = useState('')
  const found = useMemo(() => searchOutputs(all, query), [all, query])
  return (
    <>
      <h1 class="view-title">Outputs</h1>
      <Panel title={`${countOf(all.utxos.length, 'output')}, ${formatAdaText(all.lovelace)} ada`} id="outputs-list">
        <div class="filters">
          <label class="grow">
            <span class="hidden">Search outputs</span>
            <input
              type="search"
              placeholder="Address, transaction or asset"
              value={query}
              onInput={({ currentTarget }) => setQuery(currentTarget.value)}
            />
          </label>
          <fieldset class="segments">
            <legend class="hidden">Group</legend>
            {GROUPS.map(([value, title]) => (
              <label key={value}>
                <input type="radio" name="group" checked={group === value} onChange={() => setGroup(value)} />
                <span>{title}</span>
              </label>
            ))}
          </fieldset>
        </div>
        <Tables group={group} found={found} search={setQuery} show={setGroup} isEmpty={all.utxos.length === 0} />
        {all.arriving > 0n && (
          <p class="hint">{formatAdaText(all.arriving)} ada of it are arriving, of a deposit that is not final yet.</p>
        )}
        {session.status.value.partial && <p class="hint">Outputs of other addresses are left out by a filter.</p>}
      </Panel>
    </>
  )
}

interface TablesProps {
  readonly group: Group
  readonly found: Pick<Sums, 'utxos' | 'addresses' | 'assets'>
  readonly search: (query: string) => void
  readonly show: (group: Group) => void
  readonly isEmpty: boolean
}

function Tables({ group, found, search, show, isEmpty }: TablesProps): VNode {
  const empty = isEmpty ? (
    <Empty title="The head holds no outputs">Deposits bring them in.</Empty>
  ) : (
    <Empty title="Nothing found">Try a part of an address, a transaction id or an asset's name.</Empty>
  )
  const open = (query: string): void => {
    search(query)
    show('utxos')
  }
  return (
    <div class="tall">
      {group === 'addresses' && (
        <VirtualTable
          label="Addresses"
          rows={found.addresses}
          columns={ADDRESS_COLUMNS}
          keyOf={({ address }) => address}
          empty={empty}
        />
      )}
      {group === 'assets' && (
        <VirtualTable
          label="Assets"
          rows={found.assets}
          columns={assetColumns(open)}
          keyOf={({ unit }) => unit}
          empty={empty}
        />
      )}
      {group === 'utxos' && <UtxoTable utxos={found.utxos} label="Outputs" empty={empty} />}
    </div>
  )
}

const ADDRESS_COLUMNS: Column<AddressRow>[] = [
  { title: 'Address', width: 'minmax(0, 1fr)', cell: ({ address }) => <AddressLink address={address} first={18} /> },
  { title: 'Outputs', width: '5.5rem', end: true, wideOnly: true, cell: ({ outputs }) => formatCount(outputs) },
  {
    title: 'Tokens',
    width: '5rem',
    end: true,
    wideOnly: true,
    cell: ({ assets }) => (assets === 0 ? '\u2013' : formatCount(assets))
  },
  { title: 'Ada', width: 'minmax(7rem, 11rem)', end: true, cell: ({ lovelace }) => formatAdaText(lovelace) }
]

function assetColumns(open: (query: string) => void): Column<AssetRow>[] {
  return [
    {
      title: 'Asset',
      width: 'minmax(0, 1fr)',
      cell: ({ unit }) => (
        <button type="button" class="link" title={safeText(unit, 200)} onClick={() => open(unit)}>
          <bdi>{assetLabel(unit)}</bdi>
        </button>
      )
    },
    { title: 'Outputs', width: '5.5rem', end: true, wideOnly: true, cell: ({ outputs }) => formatCount(outputs) },
    { title: 'Addresses', width: '6rem', end: true, wideOnly: true, cell: ({ addresses }) => formatCount(addresses) },
    {
      title: 'Quantity',
      width: 'minmax(7rem, 13rem)',
      end: true,
      cell: ({ unit, quantity }) => (unit === 'lovelace' ? formatAdaText(quantity) : formatCount(quantity))
    }
  ]
}
