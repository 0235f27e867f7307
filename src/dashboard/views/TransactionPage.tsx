import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { decodeLedgerError } from '../../client/index.js'
import type { ResolvedInput, UTxO } from '../../client/index.js'
import type { DecodedTransaction } from '../../tx/inner.js'
import type { TxDetails } from '../model/explorer.js'
import { txDetails } from '../model/explorer.js'
import {
  countOf,
  errorText,
  formatAdaText,
  formatAmount,
  formatCount,
  formatDateTime,
  formatDuration,
  jsonText,
  plainMetadata,
  safeText
} from '../model/text.js'
import { Badge, Empty, ErrorBox, Id, Notice, Panel, Property } from '../parts/basics.js'
import { AddressLink, AmountList, OutputLink } from '../parts/links.js'
import { Datum, Source } from '../parts/Source.js'
import { VERDICTS } from '../parts/TransactionTable.js'
import type { HistoryAnswer } from '../parts/useHeadTransaction.js'
import { useHeadTransaction } from '../parts/useHeadTransaction.js'
import { useSources } from '../parts/useSources.js'

/** Most inputs, and most outputs, that are shown. */
const MAX_ENDS = 100

/** One transaction: its senders, its receivers, and everything that it carries. */
export function TransactionPage({ txId }: { txId: string }): VNode {
  const sources = useSources()
  const [isAsked, setAsked] = useState(false)
  const seen = txDetails(sources, txId, null)
  // A link or a search asks for a transaction that was not seen; for unknown inputs of a seen one a person does.
  const answer = useHeadTransaction(txId, isAsked || seen === null)
  const details = answer.found === null ? seen : txDetails(sources, txId, answer.found)
  return (
    <>
      <h1 class="view-title">Transaction</h1>
      {details === null ? (
        <NotSeen txId={txId} answer={answer} />
      ) : (
        <>
          <Facts details={details} />
          {details.decoded !== null && (
            <Ends
              details={details}
              decoded={details.decoded}
              lookUp={answer.state === 'none' ? () => setAsked(true) : null}
              answer={answer}
            />
          )}
          {details.decoded !== null && <Contents decoded={details.decoded} note={details.note} />}
        </>
      )}
    </>
  )
}

function NotSeen({ txId, answer: { state, error } }: { txId: string; answer: HistoryAnswer }): VNode {
  return (
    <Panel title="Not seen by this page" id="tx-unknown">
      <p>
        <Id text={txId} label="transaction id" first={24} last={12} />
      </p>
      {state === 'failed' && error !== null ? (
        <ErrorBox error={error} />
      ) : state === 'read' ? (
        <Empty title="Neither the head nor its history names this transaction">
          It may be of another head, of the base ledger, or older than the history that the node keeps.
        </Empty>
      ) : (
        <Empty title="Looking for it in the history" />
      )}
    </Panel>
  )
}

function Facts({ details }: { details: TxDetails }): VNode {
  const { txId, row, state, snapshot, decoded, deposit, decommit, reason, isUnreadable } = details
  const isMove = deposit !== null || decommit !== null
  return (
    <Panel title="Verdict" id="tx-verdict" aside={state !== null && <Verdict state={state} />}>
      <dl class="properties">
        <Property name="Id">
          <Id text={txId} label="transaction id" first={24} last={12} />
        </Property>
        {isMove && (
          <Property name="Kind">
            {deposit === null ? 'A decommit: ' : 'A deposit: '}
            <a href="#/funds">its steps</a>
          </Property>
        )}
        {row !== null && <Property name="First seen">{formatDateTime(row.at)}</Property>}
        {snapshot !== null && <Property name="Snapshot">{formatCount(snapshot)}</Property>}
        {row !== null && row.latencyMs !== null && (
          <Property name="Valid to confirmed">{formatDuration(row.latencyMs)}</Property>
        )}
        {decoded !== null && <Property name="Fee">{formatAdaText(decoded.fee)} ada</Property>}
        {decoded !== null && <Property name="Valid in slots">{slotsOf(decoded)}</Property>}
        {decoded !== null && <Property name="Size">{countOf(decoded.cborHex.length / 2, 'byte')}</Property>}
      </dl>
      {isUnreadable && (
        <Notice tone="warn" icon="warn" title="The node sent bytes that are not this transaction">
          <p>They cannot be read, or belong to another id. Nothing of them is shown.</p>
        </Notice>
      )}
      {decoded === null && !isUnreadable && !isMove && (
        <p class="hint">The node has named it by its id alone, without its bytes.</p>
      )}
      {reason !== null && <Reason txId={txId} reason={reason} />}
    </Panel>
  )
}

function Verdict({ state }: { state: keyof typeof VERDICTS }): VNode {
  const [tone, verdict] = VERDICTS[state]
  return <Badge tone={tone}>{verdict}</Badge>
}

function slotsOf({ validFrom, validTo }: DecodedTransaction): string {
  if (validFrom === null && validTo === null) return 'always'
  return `${validFrom === null ? 'any' : formatCount(validFrom)} to ${validTo === null ? 'any' : `before ${formatCount(validTo)}`}`
}

function Ends({
  details: { inputs, from },
  decoded,
  lookUp,
  answer
}: {
  details: TxDetails
  decoded: DecodedTransaction
  lookUp: (() => void) | null
  answer: HistoryAnswer
}): VNode {
  const isMissing = inputs.some(({ output }) => output === null)
  return (
    <div class="columns">
      <Panel
        title={`From ${countOf(inputs.length, 'input')}`}
        id="tx-from"
        aside={
          isMissing &&
          lookUp !== null && (
            <button type="button" class="quiet" onClick={lookUp}>
              Look in the history
            </button>
          )
        }
      >
        <ul class="ends">
          {inputs.slice(0, MAX_ENDS).map((each) => (
            <Input {...each} key={`${each.input.txHash}#${each.input.index}`} />
          ))}
        </ul>
        <More count={inputs.length} />
        {answer.state === 'reading' && <p class="hint">Reading the history.</p>}
        {answer.error !== null && <ErrorBox error={answer.error} />}
      </Panel>
      <Panel title={`To ${countOf(decoded.outputs.length, 'output')}`} id="tx-to">
        <ul class="ends">
          {decoded.outputs.slice(0, MAX_ENDS).map((utxo) => (
            <Output utxo={utxo} isChange={from?.includes(utxo.output.address) === true} key={utxo.input.index} />
          ))}
        </ul>
        <More count={decoded.outputs.length} />
        {!decoded.isValid && (
          <p class="warn-text">Its scripts failed: it spends its collateral alone, and makes none of these outputs.</p>
        )}
      </Panel>
    </div>
  )
}

function More({ count }: { count: number }): VNode | null {
  return count > MAX_ENDS ? <p class="hint">The first {MAX_ENDS} are shown.</p> : null
}

function Input({ input, output, address }: ResolvedInput): VNode {
  return (
    <li>
      {address === null ? <span class="muted">owner not known</span> : <AddressLink address={address} />}
      {output === null ? <span class="muted">amount not known</span> : <AmountList amount={output.amount} />}
      <OutputLink input={input} />
    </li>
  )
}

function Output({ utxo: { input, output }, isChange }: { utxo: UTxO; isChange: boolean }): VNode {
  const { address, amount, datumHash, inlineDatum, scriptRef } = output
  return (
    <li>
      <AddressLink address={address} />
      <AmountList amount={amount} />
      <span>
        <OutputLink input={input} /> {isChange && <span class="muted">back to the sender</span>}
      </span>
      {datumHash !== undefined && (
        <span class="wide-end muted">
          Datum hash <Id text={datumHash} label="datum hash" />
        </span>
      )}
      {scriptRef !== undefined && (
        <span class="wide-end muted">Carries a script, {safeText(scriptRef.language, 40)}</span>
      )}
      {inlineDatum !== undefined && (
        <div class="wide-end">
          <Datum cborHex={inlineDatum} />
        </div>
      )}
    </li>
  )
}

function Contents({ decoded, note }: { decoded: DecodedTransaction; note: string | null }): VNode {
  const { metadata, mint, datums, redeemers, scripts, signers, requiredSigners, cborHex } = decoded
  return (
    <Panel title="Contents" id="tx-contents">
      <dl class="properties">
        {note !== null && (
          <Property name="Note">
            <bdi class="note">{safeText(note, 2_000)}</bdi>
          </Property>
        )}
        {mint.length > 0 && (
          <Property name="Minted or burned">
            <span class="amount-list">
              {mint.slice(0, MAX_ENDS).map(({ unit, quantity }) => (
                <bdi key={unit}>{formatAmount(unit, BigInt(quantity))}</bdi>
              ))}
            </span>
          </Property>
        )}
        <Property name="Signed by">
          {signers.length === 0 ? 'no key' : countOf(signers.length, 'key')}
          {requiredSigners.length > 0 && `, ${countOf(requiredSigners.length, 'key')} required`}
        </Property>
        {scripts.length + redeemers.length > 0 && (
          <Property name="Scripts">
            {countOf(scripts.length, 'script')}, {countOf(redeemers.length, 'redeemer')}
          </Property>
        )}
      </dl>
      {[...metadata].slice(0, MAX_ENDS).map(([label, value]) => (
        <Source title={`Metadata ${label}`} text={jsonText(plainMetadata(value.toJson()))} open key={String(label)} />
      ))}
      {redeemers.slice(0, MAX_ENDS).map(({ purpose, index, cborHex: redeemer }) => (
        <Datum title={`Redeemer, ${purpose} ${index}`} cborHex={redeemer} key={`${purpose} ${index}`} />
      ))}
      {datums.slice(0, MAX_ENDS).map(({ hash, cborHex: datum }) => (
        <Datum title={`Datum ${hash.slice(0, 10)}`} cborHex={datum} key={hash} />
      ))}
      <Source title={`CBOR, ${countOf(cborHex.length / 2, 'byte')}`} text={cborHex} />
    </Panel>
  )
}

/** Shows why the ledger refused the transaction: explained, and below in the ledger's own words. */
function Reason({ txId, reason }: { txId: string; reason: string }): VNode {
  const error = decodeLedgerError(txId, reason)
  const figures = Object.entries(error.figures)
  return (
    <>
      <h3>{errorText(error).summary}</h3>
      {figures.length > 0 && (
        <dl class="properties">
          {figures.map(([name, value]) => (
            <Property name={name} key={name}>
              {formatCount(value)}
            </Property>
          ))}
        </dl>
      )}
      <h3>In the node's words</h3>
      <pre tabIndex={0} aria-label="The node's words">
        {safeText(reason, 8_000)}
      </pre>
    </>
  )
}
