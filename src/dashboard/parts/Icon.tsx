import type { VNode } from 'preact'

const PATHS = {
  overview: 'M3 12h5l2-6 4 12 2-6h5',
  outputs: 'M4 7l8-4 8 4-8 4-8-4zm0 5l8 4 8-4M4 17l8 4 8-4',
  transactions: 'M4 8h13l-3-3M20 16H7l3 3',
  funds: 'M12 3v12m0 0l-4-4m4 4l4-4M4 19h16',
  payout: 'M12 3l8 3v6c0 4.5-3.2 7.6-8 9-4.8-1.4-8-4.5-8-9V6l8-3zm-3.5 9l2.5 2.5 4.5-5',
  recognition: 'M4 12V5h7M20 12v7h-7M9 12l2.2 2.2L15.5 10',
  commands: 'M5 6l5 5-5 5M12 18h7',
  messages: 'M4 5h16v11H9l-5 4V5z',
  local: 'M5 4h14v7H5V4zm0 9h14v7H5v-7zM8.5 7.5h.01M8.5 16.5h.01',
  search: 'M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.5L20 20',
  locked: 'M6 11h12v9H6v-9zm2.5 0V8a3.5 3.5 0 017 0v3',
  unlocked: 'M6 11h12v9H6v-9zm2.5 0V8a3.5 3.5 0 016.8-1.2',
  sun: 'M12 8a4 4 0 100 8 4 4 0 000-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 119.5 4a6.8 6.8 0 0010.5 10.5z',
  auto: 'M12 3a9 9 0 100 18 9 9 0 000-18zm0 0v18',
  copy: 'M9 9h10v11H9V9zM15 9V4H5v11h4',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12M18 6L6 18',
  warn: 'M12 4l9 16H3l9-16zm0 6v4.5M12 17.3v.2',
  unknown: 'M9 9.2a3 3 0 115 2.3c-1.2 1-2 1.4-2 2.8M12 17.6v.2M12 3a9 9 0 100 18 9 9 0 000-18z'
} as const

/** Name of an icon. */
export type IconName = keyof typeof PATHS

/** A drawing beside words of the same meaning: hidden from screen readers. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }): VNode {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
