import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Theme } from '../model/Dashboard.js'
import { safeText } from '../model/text.js'
import { Badge } from './basics.js'
import type { Tone } from './basics.js'
import { useDashboard, useSession } from './context.js'
import { Icon } from './Icon.js'
import { UnlockDialog } from './UnlockDialog.js'

const LINK: Readonly<Record<string, readonly [Tone, string]>> = {
  connected: ['ok', 'Connected'],
  connecting: ['info', 'Connecting'],
  reconnecting: ['warn', 'Reconnecting'],
  failed: ['bad', 'Failed'],
  disconnected: ['bad', 'Disconnected'],
  idle: ['plain', 'Idle']
}
/** Names of the states for people. */
export const HEAD_NAMES: Readonly<Record<string, string>> = {
  Idle: 'No head',
  Initializing: 'Initializing',
  Open: 'Open',
  Closed: 'Closed',
  FanoutPossible: 'Ready to fan out',
  FanningOut: 'Fanning out',
  Final: 'Final'
}
const HEAD_TONES: Readonly<Record<string, Tone>> = {
  Open: 'ok',
  Closed: 'warn',
  FanoutPossible: 'info',
  FanningOut: 'info',
  Initializing: 'info'
}
const THEMES: readonly Theme[] = ['auto', 'light', 'dark']
const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const

export function HeadBadge({ status }: { status: string | null }): VNode {
  return (
    <Badge tone={HEAD_TONES[status ?? ''] ?? 'plain'}>
      {status === null ? 'Unknown' : (HEAD_NAMES[status] ?? safeText(status, 40))}
    </Badge>
  )
}

export function Header(): VNode {
  const dashboard = useDashboard()
  const session = useSession()
  const { state, headStatus } = session.status.value
  const [tone, text] = LINK[state] ?? ['plain', state]
  return (
    <header class="top">
      <Brand />
      <div class="top-state">
        <HeadBadge status={headStatus} />
        <Badge tone={tone}>{text}</Badge>
        <span class="top-target">
          {dashboard.watchedLocal === null ? safeText(hostOf(session.target.url), 80) : 'Local head'}
        </span>
      </div>
      <div class="top-actions">
        <LockButton />
        <ThemeButton />
        <button type="button" class="quiet" onClick={() => void dashboard.disconnect()}>
          Disconnect
        </button>
      </div>
    </header>
  )
}

export function Brand(): VNode {
  return (
    <p class="brand">
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" class="brand-back" />
        <path d="M7 12.5l9-4.5 9 4.5-9 4.5-9-4.5zM7 19.5l9 4.5 9-4.5" class="brand-mark" />
      </svg>
      <span>
        layer-sdk <span class="brand-sub">dashboard</span>
      </span>
    </p>
  )
}

export function ThemeButton(): VNode {
  const { theme } = useDashboard()
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!
  return (
    <button
      type="button"
      class="quiet square"
      aria-label={`Colours: ${theme.value}. Change to ${next}`}
      onClick={() => (theme.value = next)}
    >
      <Icon name={THEME_ICONS[theme.value]} />
    </button>
  )
}

function LockButton(): VNode {
  const { unlocked } = useDashboard()
  const [asking, setAsking] = useState(false)
  if (unlocked.value)
    return (
      <button type="button" class="quiet unlocked" onClick={() => (unlocked.value = false)}>
        <Icon name="unlocked" />
        <span>Lock commands</span>
      </button>
    )
  return (
    <>
      <button type="button" class="quiet" onClick={() => setAsking(true)}>
        <Icon name="locked" />
        <span>Read-only</span>
      </button>
      {asking && <UnlockDialog onClose={() => setAsking(false)} />}
    </>
  )
}

function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return 'node'
  }
}
