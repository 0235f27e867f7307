import { formatAda, hexToString } from '../../utils/index.js'

/** Characters that a text may hide or turn itself with: controls, zero-width and bidirectional marks. */
const DECEPTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
const POLICY_CHARACTERS = 56

/**
 * Returns a text of the wire in a form that may be shown: at most `max` characters, with marks that could hide or turn
 * a part of it as escapes. It is written into text nodes only, so that markup in it is text too.
 */
export function safeText(value: unknown, max = 2_000): string {
  const text = typeof value === 'string' ? value : String(value)
  const cut = text.length > max ? `${text.slice(0, max)}... (${text.length} characters)` : text
  return cut.replace(DECEPTIVE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Shortens a long id by leaving out its middle. */
export function shorten(text: string, first = 10, last = 6): string {
  const safe = safeText(text, 400)
  return safe.length <= first + last + 3 ? safe : `${safe.slice(0, first)}\u2026${safe.slice(-last)}`
}

/** Formats a whole number with its thousands set apart. */
export function formatCount(count: number | bigint): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Returns a number with its noun: `1 output`, `2 outputs`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Formats lovelace as ada, with thousands set apart. */
export function formatAdaText(lovelace: bigint): string {
  const [whole = '', fraction] = formatAda(lovelace).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction === undefined ? '' : `.${fraction}`}`
}

/** Returns the name of an asset, as text where that is readable, else in hex, and the start of its policy. */
export function assetLabel(unit: string): string {
  if (unit === 'lovelace') return 'ada'
  const name = unit.slice(POLICY_CHARACTERS)
  return `${readableName(name)} (${shorten(unit.slice(0, POLICY_CHARACTERS), 6, 4)})`
}

function readableName(hex: string): string {
  if (hex === '') return 'unnamed'
  try {
    const text = hexToString(hex)
    return text.trim() === '' ? `0x${shorten(hex)}` : safeText(text, 64)
  } catch {
    return `0x${shorten(hex)}`
  }
}

/** Formats an amount of any unit, with the unit's name. */
export function formatAmount(unit: string, quantity: bigint): string {
  return unit === 'lovelace' ? `${formatAdaText(quantity)} ada` : `${formatCount(quantity)} ${assetLabel(unit)}`
}

/** Returns a value as indented JSON; integers beyond 2^53 as text, so that none is rounded. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part), 2)
}

/**
 * Returns metadata in its detailed schema as plain values, for people: bytes as `0x...`, a map as an object where its
 * keys are different texts, else as a list of pairs.
 */
export function plainMetadata(value: unknown): unknown {
  const { int, string, bytes, list, map } = value as {
    readonly int?: unknown
    readonly string?: string
    readonly bytes?: string
    readonly list?: readonly unknown[]
    readonly map?: readonly { readonly k: unknown; readonly v: unknown }[]
  }
  if (list !== undefined) return list.map(plainMetadata)
  if (map === undefined) return bytes === undefined ? (string ?? int) : `0x${bytes}`
  const pairs = map.map(({ k, v }) => [plainMetadata(k), plainMetadata(v)] as const)
  const keys = map.map(({ k }) => (k as { readonly string?: string }).string)
  const isObject = new Set(keys).size === keys.length && !keys.includes(undefined)
  return isObject ? Object.fromEntries(pairs as [string, unknown][]) : pairs
}

/** Formats a span of time in its two largest units. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return 'unknown'
  if (Math.abs(ms) < 1_000) return `${Math.round(ms)} ms`
  const seconds = Math.round(Math.abs(ms) / 1_000)
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's']
  ] as const
  const first = units.findIndex(([size]) => seconds >= size)
  const text = units
    .slice(first, first + 2)
    .map(([size], i) => Math.floor((i === 0 ? seconds : seconds % units[first]![0]) / size))
    .map((count, i) => (count === 0 && i > 0 ? '' : `${count} ${units[first + i]![1]}`))
    .filter((part) => part !== '')
    .join(' ')
  return ms < 0 ? `-${text}` : text
}

/** Formats the local time of day. */
export function formatTime(ms: number): string {
  return new Date(ms).toLocaleTimeString(undefined, {
    hour12: false,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit'
  })
}

/** Formats the local date and time of day. */
export function formatDateTime(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium', hour12: false })
}

/** An error for people: its first sentence, and the lines below it. */
export interface ErrorText {
  readonly summary: string
  readonly details: readonly string[]
}

/** Returns the text of an error; errors of the package list the expected value and the received one. */
export function errorText(error: unknown): ErrorText {
  const message = error instanceof Error ? error.message : String(error)
  const [summary = '', ...lines] = message.split('\n')
  const details = lines
    .filter((line) => line !== '' && !/^See https?:\/\//.test(line))
    .map((line) => safeText(line.replace(/^- /, ''), 600))
  return { summary: safeText(summary, 600), details }
}
