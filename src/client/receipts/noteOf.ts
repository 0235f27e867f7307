import type { Metadatum } from '../../codec/metadatum.js'

/** Label of transaction messages (CIP-20). */
export const NOTE_LABEL = 674n

/**
 * Returns the lines of a transaction message (CIP-20), joined by line breaks; null where the metadata has none, or in a
 * different form.
 */
export function noteOf(metadata: ReadonlyMap<bigint, Metadatum>): string | null {
  const value = metadata.get(NOTE_LABEL)?.toObject()
  const message = value instanceof Map ? value.get('msg') : (value as { msg?: unknown } | null | undefined)?.msg
  if (typeof message === 'string') return message
  return Array.isArray(message) && message.every((line) => typeof line === 'string') ? message.join('\n') : null
}
