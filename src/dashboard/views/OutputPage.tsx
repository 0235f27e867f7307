import type { VNode } from 'preact'
import type { OutputState } from '../model/explorer.js'
import { outputDetails } from '../model/explorer.js'
import { countOf, safeText } from '../model/text.js'
import { Badge, Empty, ErrorBox, Id, Panel, Property } from '../parts/basics.js'
import type { Tone } from '../parts/basics.js'
import { AddressLink, AmountList, TxLink } from '../parts/links.js'
import { Datum } from '../parts/Source.js'
import { useHeadTransaction } from '../parts/useHeadTransaction.js'
import { useSources } from '../parts/useSources.js'

const STATES: Readonly<Record<OutputState, readonly [Tone, string]>> = {
  unspent: ['ok', 'Unspent'],
  arriving: ['info', 'Arriving'],
  spent: ['plain', 'Spent'],
  withdrawn: ['plain', 'On the base ledger'],
  'paid-out': ['ok', 'Paid out'],
  unconfirmed: ['info', 'Not confirmed yet'],
  refused: ['bad', 'Never made'],
  gone: ['plain', 'Not in the head'],
  unknown: ['plain', 'Unknown']
}

/** One output: its owner, its amounts, its maker and its spender. */
export function OutputPage({ txHash, index }: { txHash: string; index: number }): VNode {
  const sources = useSources()
  const seen = outputDetails(sources, txHash, index, null)
  const answer = useHeadTransaction(txHash, seen.utxo === null)
  const { state, utxo, spentBy, spending } =
    answer.found === null ? seen : outputDetails(sources, txHash, index, answer.found)
  const [tone, word] = STATES[state]
  return (
    <>
      <h1 class="view-title">Output</h1>
      <Panel title="State" id="output-state" aside={<Badge tone={tone}>{word}</Badge>}>
        <dl class="properties">
          <Property name="Reference">
            <Id text={`${txHash}#${index}`} label="reference" first={24} last={10} />
          </Property>
          <Property name="Made by">
            <TxLink txId={txHash} />
          </Property>
          {spentBy !== null && (
            <Property name={spending ? 'To be spent by' : 'Spent by'}>
              <TxLink txId={spentBy} />
            </Property>
          )}
          {utxo !== null && (
            <>
              <Property name="Address">
                <AddressLink address={utxo.output.address} first={24} />
              </Property>
              <Property name="Amounts">
                <AmountList amount={utxo.output.amount} />
              </Property>
              {utxo.output.datumHash !== undefined && (
                <Property name="Datum hash">
                  <Id text={utxo.output.datumHash} label="datum hash" />
                </Property>
              )}
              {utxo.output.scriptRef !== undefined && (
                <Property name="Reference script">
                  {safeText(utxo.output.scriptRef.language, 40)},{' '}
                  {countOf(utxo.output.scriptRef.cborHex.length / 2, 'byte')}
                </Property>
              )}
            </>
          )}
        </dl>
        {utxo === null &&
          (answer.error !== null ? (
            <ErrorBox error={answer.error} />
          ) : answer.state === 'read' ? (
            <Empty title="Neither the head nor its history names this output" />
          ) : (
            <Empty title="Looking for it in the history" />
          ))}
        {state === 'gone' && <p class="hint">The head does not hold it now; its spending was not seen by this page.</p>}
        {utxo?.output.inlineDatum !== undefined && <Datum title="Inline datum" cborHex={utxo.output.inlineDatum} />}
      </Panel>
    </>
  )
}
