import type { VNode } from 'preact'
import type { RecognitionMoment, RecognitionTone } from '../../recognition/index.js'
import { describeRecognition } from '../../recognition/index.js'
import type { WatchState } from '../model/HeadWatch.js'
import { formatDateTime, formatDuration, safeText } from '../model/text.js'
import type { Tone } from './basics.js'
import { Badge, Id, Property } from './basics.js'
import { useDashboard } from './context.js'
import { AmountList } from './links.js'

const TONES: Readonly<Record<RecognitionTone, Tone>> = { ok: 'ok', info: 'info', warn: 'warn', plain: 'plain' }

/** A head with the money of the addresses in it, apart from that on the base ledger. */
export function HeadCard({ headId, state }: { headId: string; state: WatchState | undefined }): VNode {
  const { found = null, error = null, at = 0 } = state ?? {}
  const heading = `head-${headId}`
  const card = found === null ? null : describeRecognition(found)
  return (
    <li class="card">
      <article aria-labelledby={heading}>
        <div class="card-head">
          <h3 id={heading} class="card-title">
            {card?.title ?? (error === null ? 'Reading the base ledger' : 'Not known')}
          </h3>
          {card !== null && <Badge tone={TONES[card.tone]}>{found!.state}</Badge>}
        </div>
        <p class="muted">
          Head <Id text={headId} label="head id" />
        </p>
        {error !== null && (
          <p class="bad-text">
            {card === null ? '' : 'This is the last answer. '}
            {error.summary}
          </p>
        )}
        {card !== null && <CardBody card={card} found={found!} at={at} />}
      </article>
    </li>
  )
}

function CardBody({
  card,
  found,
  at
}: {
  card: ReturnType<typeof describeRecognition>
  found: NonNullable<WatchState['found']>
  at: number
}): VNode {
  const dashboard = useDashboard()
  // The chain source's time, running on by this machine's clock.
  const nowMs = found.asOf.timeMs + dashboard.now.value - at
  const { flags, detail, sums, asOf, closing, deposits, folded } = card
  return (
    <>
      {flags.map((flag) => (
        <p key={flag} class="warn-text">
          {flag}
        </p>
      ))}
      {detail !== null && <p class="muted breakable">{safeText(detail, 400)}</p>}
      {found.reason === 'accumulator' && dashboard.watchedLocal !== null && (
        <p class="hint">
          This local head works out no accumulators unless it is started with <code>--accumulator real</code>.
        </p>
      )}
      {sums.length > 0 && (
        <dl class="properties">
          {sums.map(({ label, amount }) => (
            <Property key={label} name={label}>
              {amount.length === 0 ? 'nothing' : <AmountList amount={amount} />}
            </Property>
          ))}
        </dl>
      )}
      {asOf !== null && <p class="hint">{asOf}</p>}
      {closing !== null && (
        <p>
          <Moment next={closing} nowMs={nowMs} />
        </p>
      )}
      {deposits.length > 0 && (
        <ul class="plain-list">
          {deposits.map(({ depositTxId, label, amount, next, isRecoverable }) => (
            <li key={depositTxId}>
              {label}: <AmountList amount={amount} />
              <Id text={depositTxId} label="deposit" />
              {next !== null && (
                <span class="stat-note">
                  {' '}
                  <Moment next={next} nowMs={nowMs} />
                </span>
              )}
              {isRecoverable && (
                <span class="stat-note">
                  {' '}
                  Its owner can recover it: <a href="#/funds">Deposits &amp; decommits</a>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {folded !== null && <p class="hint">{folded}</p>}
    </>
  )
}

function Moment({ next: { label, atMs }, nowMs }: { next: RecognitionMoment; nowMs: number }): VNode {
  const left = Math.max(0, Math.ceil((atMs - nowMs) / 1_000) * 1_000)
  return (
    <>
      {label}: <time dateTime={new Date(atMs).toISOString()}>{formatDateTime(atMs)}</time> (in {formatDuration(left)})
    </>
  )
}
