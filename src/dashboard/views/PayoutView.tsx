import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Finding, FindingSeverity } from '../../doctor/inner.js'
import { diagnose } from '../../doctor/inner.js'
import { headFacts } from '../model/headFacts.js'
import { safeText } from '../model/text.js'
import { Empty, Notice, Panel } from '../parts/basics.js'
import type { Tone } from '../parts/basics.js'
import { useSession } from '../parts/context.js'
import { HistoryButton } from '../parts/HistoryButton.js'
import { Icon } from '../parts/Icon.js'
import type { IconName } from '../parts/Icon.js'

/** A pause or a deadline passes without any message: the check runs again after this time. */
const REPEAT_MS = 10_000

const LOOK: Readonly<Record<FindingSeverity, readonly [Tone, IconName, string]>> = {
  block: ['bad', 'cross', 'Blocks the payout'],
  warn: ['warn', 'warn', 'Look at this first'],
  unknown: ['info', 'unknown', 'Not known'],
  ok: ['ok', 'check', 'Fine']
}

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

function Findings({ findings }: { findings: readonly Finding[] | null }): VNode {
  if (findings === null) return <p class="muted">Checking.</p>
  const worst = findings[0]?.severity ?? 'ok'
  const unknown = findings.filter(({ severity }) => severity === 'unknown')
  return (
    <>
      {worst === 'ok' && (
        <Notice tone="ok" icon="check" title="Nothing is in the way of closing this head and paying it out" />
      )}
      {worst === 'unknown' && (
        <Notice tone="info" icon="unknown" title="Nothing known is in the way; not everything is known" />
      )}
      {worst === 'warn' && (
        <Notice tone="warn" icon="warn" title="It can be paid out; look at the warnings before you close" />
      )}
      {worst === 'block' && (
        <Notice tone="bad" icon="cross" title="Closed as it is, this head cannot be paid out completely" />
      )}
      <FindingList findings={findings.filter(({ severity }) => severity !== 'unknown')} />
      {unknown.length > 0 && (
        <details class="unknown-findings">
          <summary>Checks that need more than this page reads ({unknown.length})</summary>
          <FindingList findings={unknown} />
        </details>
      )}
    </>
  )
}

function FindingList({ findings }: { findings: readonly Finding[] }): VNode {
  return (
    <ul class="findings">
      {findings.map((finding) => (
        <FindingItem finding={finding} key={`${finding.code} ${finding.what}`} />
      ))}
    </ul>
  )
}

function FindingItem({ finding: { severity, code, what, remedy, refs, omitted } }: { finding: Finding }): VNode {
  const [tone, icon, word] = LOOK[severity]
  return (
    <li class={`finding ${tone}`}>
      <span class="finding-mark" title={word}>
        <Icon name={icon} size={16} />
        <span class="hidden">{word}: </span>
      </span>
      <div>
        <p class="finding-title">{safeText(what, 300)}</p>
        <p class="muted">
          <code>{code}</code> {remedy}
        </p>
        {severity !== 'ok' && refs.length > 0 && (
          <details>
            <summary>Which ({refs.length + omitted})</summary>
            <ul class="plain-list mono breakable">
              {refs.map((item) => (
                <li key={item}>
                  <bdi>{safeText(item, 300)}</bdi>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
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
    const facts = headFacts({
      at: Date.now() + session.clockOffsetMs.value,
      status,
      node,
      utxos: outputs.utxos,
      isArriving: (ref) => client.bridge.isArriving(ref),
      funds,
      unconfirmed: txs.unconfirmed
    })
    // The page asks whether the head can be closed now.
    diagnose(facts, { before: 'close', signal: over.signal }).then(
      (diagnosis) => setFindings(diagnosis.findings),
      () => undefined
    )
    return () => over.abort()
  }, [revision, outputs, status, node, session, repetition])
  return findings
}
