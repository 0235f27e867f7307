import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Finding } from '../../doctor/inner.js'
import { payoutFindings } from '../model/payoutFindings.js'
import { Empty, Panel } from '../parts/basics.js'
import { useSession } from '../parts/context.js'
import { HistoryButton } from '../parts/HistoryButton.js'
import { Findings } from './Findings.js'

/** Time after which the check runs again, ms, because a pause or a deadline ends without any message. */
const REPEAT_MS = 10_000

/** Findings of the payout check of this head. */
export function PayoutView(): VNode {
  const findings = useFindings()
  const session = useSession()
  return (
    <>
      <h1 class="view-title">Payout check</h1>
      <Panel title="Can this head be closed and paid out?" aside={<HistoryButton />}>
        {session.outputs.value === null ? (
          <Empty title="There is no head to check">The check needs the outputs of a head.</Empty>
        ) : (
          <Findings findings={findings} />
        )}
        <p class="hint">
          The check reads the confirmed outputs and the messages that this page has seen. It does not replace the base
          ledger's own verdict.
        </p>
      </Panel>
    </>
  )
}

function useFindings(): readonly Finding[] | null {
  const session = useSession()
  const { revision } = session
  const outputs = session.outputs.value
  const status = session.status.value
  const node = session.node.value
  const [findings, setFindings] = useState<readonly Finding[] | null>(null)
  const [repetition, setRepetition] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setRepetition((last) => last + 1), REPEAT_MS)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (outputs === null) return
    const over = new AbortController()
    const { funds, txs, client } = session
    const input = {
      at: Date.now() + session.clockOffsetMs.value,
      status,
      node,
      utxos: outputs.utxos,
      isArriving: (ref: string) => client.bridge.isArriving(ref),
      funds,
      unconfirmed: txs.unconfirmed
    }
    payoutFindings(input, over.signal).then(setFindings, () => undefined)
    return () => over.abort()
  }, [revision, outputs, status, node, session, repetition])
  return findings
}
