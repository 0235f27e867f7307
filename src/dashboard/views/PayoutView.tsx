import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Finding, FindingLevel } from '../model/payout.js'
import { checkPayout } from '../model/payout.js'
import { safeText } from '../model/text.js'
import { Empty, Notice, Panel } from '../parts/basics.js'
import type { Tone } from '../parts/basics.js'
import { useSession } from '../parts/context.js'
import { HistoryButton } from '../parts/HistoryButton.js'
import { Icon } from '../parts/Icon.js'
import type { IconName } from '../parts/Icon.js'

const LOOK: Readonly<Record<FindingLevel, readonly [Tone, IconName, string]>> = {
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
  const worst = findings[0]?.level ?? 'ok'
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
      <ul class="findings">
        {findings.map((finding) => (
          <FindingItem finding={finding} key={finding.title} />
        ))}
      </ul>
    </>
  )
}

function FindingItem({ finding: { level, title, detail, items } }: { finding: Finding }): VNode {
  const [tone, icon, word] = LOOK[level]
  return (
    <li class={`finding ${tone}`}>
      <span class="finding-mark" title={word}>
        <Icon name={icon} size={16} />
        <span class="hidden">{word}: </span>
      </span>
      <div>
        <p class="finding-title">{title}</p>
        <p class="muted">{detail}</p>
        {items.length > 0 && (
          <details>
            <summary>Which ({items.length})</summary>
            <ul class="plain-list mono breakable">
              {items.map((item) => (
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
  const { headStatus, nodeVersion } = session.status.value
  const [findings, setFindings] = useState<readonly Finding[] | null>(null)
  const { funds, txs } = session
  useEffect(() => {
    if (outputs === null) return
    const over = new AbortController()
    const input = {
      headStatus,
      version: nodeVersion,
      utxos: outputs.utxos,
      entered: funds.complete ? funds.entered : null,
      unconfirmed: txs.unconfirmed,
      pendingDeposits: session.pendingDeposits,
      pendingDecommits: funds.decommits.filter(({ step }) => step === 'requested' || step === 'approved').length
    }
    checkPayout(input, over.signal).then(setFindings, () => undefined)
    return () => over.abort()
  }, [revision, outputs, headStatus, nodeVersion, funds, txs, session])
  return findings
}
