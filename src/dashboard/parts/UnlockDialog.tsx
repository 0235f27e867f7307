import type { VNode } from 'preact'
import { useDashboard } from './context.js'
import { Notice } from './basics.js'
import { Dialog } from './Dialog.js'

/** Asks before commands can be sent. */
export function UnlockDialog({ onClose }: { onClose: () => void }): VNode {
  const dashboard = useDashboard()
  const unlock = (): void => {
    dashboard.unlocked.value = true
    onClose()
  }
  return (
    <Dialog title="Unlock commands?" onClose={onClose}>
      <p>
        This page only watches. Unlocked, it can open and close the head, and with a wallet move money. Each command
        asks once more before it is sent.
      </p>
      {dashboard.isFramed && (
        <Notice tone="bad" icon="warn" title="This page stands inside another page">
          <p>That page could lead your clicks. Open the dashboard in a tab of its own to unlock commands.</p>
        </Notice>
      )}
      <div class="dialog-actions">
        <button type="button" class="quiet" onClick={onClose}>
          Stay read-only
        </button>
        <button type="button" class="primary" disabled={dashboard.isFramed} onClick={unlock}>
          Unlock commands
        </button>
      </div>
    </Dialog>
  )
}
