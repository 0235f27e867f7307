import type { VNode } from 'preact'
import { errorText, formatCount, safeText } from '../model/text.js'
import { unknownVersion } from '../model/version.js'
import { ErrorBox, Notice } from './basics.js'
import { useDashboard, useSession } from './context.js'

/** Notice of the gravest trouble with the connection or the node. */
export function Trouble(): VNode | null {
  const session = useSession()
  const dashboard = useDashboard()
  const { state, synced, nodeVersion } = session.status.value
  const { attempt, error } = session.link.value
  if (state === 'reconnecting' || state === 'failed' || state === 'disconnected')
    return error !== null ? (
      <ErrorBox error={errorText(error)}>
        {attempt > 0 && <p>Attempt {formatCount(attempt)} follows by itself.</p>}
      </ErrorBox>
    ) : (
      <Notice tone="warn" icon="warn" title="The connection was lost">
        <p>What is shown may be out of date. It reconnects by itself.</p>
      </Notice>
    )
  if (dashboard.connectError.value !== null && state !== 'connected')
    return <ErrorBox error={dashboard.connectError.value} />
  if (synced === false)
    return (
      <Notice tone="warn" icon="warn" title="The node is behind the base ledger">
        <p>
          It refuses every command until it has caught up
          {session.node.value.drift === null ? '' : `; it is ${safeText(session.node.value.drift, 40)} s behind`}.
        </p>
      </Notice>
    )
  if (session.node.value.networkLost)
    return (
      <Notice tone="warn" icon="warn" title="The node has lost its network of peers">
        <p>No snapshot is confirmed until it is back.</p>
      </Notice>
    )
  const notice = unknownVersion(nodeVersion)
  return notice === null ? null : (
    <Notice tone="warn" icon="warn" title={notice.title}>
      <p>{notice.detail}</p>
    </Notice>
  )
}
