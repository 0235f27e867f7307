import type { VNode } from 'preact'
import type { Finding, FindingSeverity } from '../../doctor/inner.js'
import { safeText } from '../model/text.js'
import { Notice } from '../parts/basics.js'
import type { Tone } from '../parts/basics.js'
import { Icon } from '../parts/Icon.js'
import type { IconName } from '../parts/Icon.js'

const LOOK: Readonly<Record<FindingSeverity, readonly [Tone, IconName, string]>> = {
  block: ['bad', 'cross', 'Blocks the payout'],
  warn: ['warn', 'warn', 'Look at this first'],
  unknown: ['info', 'unknown', 'Not known'],
  ok: ['ok', 'check', 'Fine']
}

/** Findings with a notice about the worst; those that the page cannot judge are folded. */
export function Findings({ findings }: { findings: readonly Finding[] | null }): VNode {
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
