import { ProtocolError } from '../../errors/bridge.js'
import { parseJson } from '../../codec/json.js'
import type { Fields, Schema } from './fields.js'
import { checkFields, renameFields, schemaOf } from './fields.js'
import type { LayerPayload } from './messages.js'
import type { MessageRow } from './messageRow.js'
import { messageRow } from './messageTable.js'
import type { WireRecord } from './wireRecord.js'
import { isRecord, getOwn, protocolError } from './wireRecord.js'

const COMMON: Schema = /* @__PURE__ */ schemaOf({
  timestamp: { type: 'string', presence: 'optional', check: 'ifPresent' },
  seq: { type: 'wholeNumber', presence: 'optional', check: 'ifPresent' }
})

/** Schemas of the messages that have come so far, by tag. */
const SCHEMAS: Map<string, Schema> = /* @__PURE__ */ new Map()

function schemaOfMessage(tag: string, { headId, fields }: MessageRow): Schema {
  const cached = SCHEMAS.get(tag)
  if (cached !== undefined) return cached
  const ofHead: Fields =
    headId === undefined || headId === 'unchecked' ? {} : { headId: { type: 'string', check: headId } }
  const schema = schemaOf({ ...ofHead, ...fields })
  SCHEMAS.set(tag, schema)
  return schema
}

/** Returns the tag of a message; the two kinds that come without one are recognised by their fields. */
function tagOf(record: WireRecord): string {
  const tag = getOwn(record, 'tag')
  if (typeof tag === 'string') return tag
  if (tag === undefined && typeof getOwn(record, 'reason') === 'string' && typeof getOwn(record, 'input') === 'string')
    return 'InvalidInput'
  // Nodes of version 0.21.0 only.
  if (tag === undefined && isRecord(getOwn(record, 'me')) && getOwn(record, 'headStatus') !== undefined)
    return 'Greetings'
  return protocolError('A message', 'an object with a tag', tag)
}

/**
 * Converts a message that is already parsed, as a gateway delivers it, into its public form. Changes the given object
 * and returns it.
 *
 * @throws {@link ProtocolError} when it is not a message, or a field that is used has another type.
 */
export function decodeMessage(message: unknown, receivedAt: number): LayerPayload {
  if (!isRecord(message)) return protocolError('A message', 'an object', message)
  const tag = tagOf(message)
  message['tag'] = tag
  checkFields(message, COMMON, `The message ${tag.slice(0, 40)}`)
  message['timestamp'] ??= new Date(receivedAt).toISOString()
  const row = messageRow(tag)
  if (row !== undefined) {
    const schema = schemaOfMessage(tag, row)
    renameFields(message, schema)
    row.normalize?.(message)
    checkFields(message, schema, `The message ${tag}`)
  }
  return message as unknown as LayerPayload
}

/**
 * Decodes the text of a message, of any version of the node, into its public form. Integers beyond 2^53 - 1 become
 * bigints; unknown tags and fields are kept as they are.
 *
 * @param receivedAt - time of arrival, ms since the Unix epoch: the timestamp of messages that have none.
 * @throws {@link ProtocolError} when it is not JSON, not a message, or a field that is used has another type.
 */
export function decodePayload(text: string, receivedAt: number): LayerPayload {
  let message: unknown
  try {
    message = parseJson(text, 'A message')
  } catch (cause) {
    throw new ProtocolError('A message', { expected: 'JSON', got: 'something else', cause })
  }
  return decodeMessage(message, receivedAt)
}
