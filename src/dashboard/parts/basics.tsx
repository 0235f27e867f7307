import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { ErrorText } from '../model/text.js'
import { safeText, shorten } from '../model/text.js'
import { Icon } from './Icon.js'
import type { IconName } from './Icon.js'

/** A colour with a meaning; the words beside it say the same. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'plain'

const COPIED_MS = 1_500

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }): VNode {
  return <span class={`badge ${tone}`}>{children}</span>
}

/** A titled part of a view. */
export function Panel({
  title,
  aside,
  children,
  id
}: {
  title: string
  aside?: ComponentChildren
  children: ComponentChildren
  id?: string
}): VNode {
  const heading = id ?? `panel-${title.toLowerCase().replace(/\W+/g, '-')}`
  return (
    <section class="panel" aria-labelledby={heading}>
      <header class="panel-head">
        <h2 id={heading}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

/** A figure with its name. */
export function Stat({
  label,
  value,
  note
}: {
  label: string
  value: ComponentChildren
  note?: ComponentChildren
}): VNode {
  return (
    <div class="stat">
      <dt>{label}</dt>
      <dd>
        <span class="stat-value">{value}</span>
        {note !== undefined && <span class="stat-note">{note}</span>}
      </dd>
    </div>
  )
}

/** A row of a list of properties. */
export function Property({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <div class="property">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** An id in a line, with its middle left out, and a button that copies the whole. */
export function Id({
  text,
  label,
  first = 10,
  last = 6
}: {
  text: string
  label: string
  first?: number
  last?: number
}): VNode {
  return (
    <span class="id">
      <code title={safeText(text, 400)}>{shorten(text, first, last)}</code>
      <CopyButton text={text} label={label} />
    </span>
  )
}

export function CopyButton({ text, label }: { text: string; label: string }): VNode | null {
  const [copied, setCopied] = useState(false)
  // Not there on pages without a secure origin.
  if (navigator.clipboard === undefined) return null
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), COPIED_MS)
    } catch {
      // The browser refused; the text stands in the title.
    }
  }
  return (
    <button
      type="button"
      class="ghost tiny"
      aria-label={copied ? `${label} copied` : `Copy ${label}`}
      onClick={() => void copy()}
    >
      <Icon name={copied ? 'check' : 'copy'} size={14} />
    </button>
  )
}

export function ErrorBox({ error, children }: { error: ErrorText; children?: ComponentChildren }): VNode {
  return (
    <div class="notice bad" role="alert">
      <Icon name="warn" />
      <div>
        <p class="notice-title">{error.summary}</p>
        {error.details.length > 0 && (
          <ul>
            {error.details.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        {children}
      </div>
    </div>
  )
}

export function Notice({
  tone,
  icon,
  title,
  children
}: {
  tone: Tone
  icon: IconName
  title: string
  children?: ComponentChildren
}): VNode {
  return (
    <div class={`notice ${tone}`}>
      <Icon name={icon} />
      <div>
        <p class="notice-title">{title}</p>
        {children}
      </div>
    </div>
  )
}

/** Placeholder of an empty list. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): VNode {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
  )
}
