import { CborReader } from '../../../codec/cbor/reader.js'
import { CborWriter } from '../../../codec/cbor/writer.js'
import { parseJson, stringifyJson } from '../../../codec/json.js'
import { isLayerError } from '../../../errors/base.js'
import { isObject } from '../../json/isObject.js'
import { ParseFailure } from '../../json/ParseFailure.js'
import { clientInput, clientMessage, greetings, invalidInput, serverOutput } from './api.js'
import type { Shape } from './shapes.js'
import { natural, recordShape } from './shapes.js'
import { utcTimeValue } from './values.js'

const timedServerOutput = recordShape('TimedServerOutput', [
  ['seq', natural],
  ['time', utcTimeValue],
  ['output', serverOutput]
])

/**
 * Returns a message of the node as CBOR, made of its JSON, for a client with `encoding=cbor`. @see
 * hydra-node/src/Hydra/API/WSServer.hs:262
 */
export function messageToCbor(text: string): Uint8Array {
  const message = parseJson(text) as Readonly<Record<string, unknown>>
  const { tag, seq, timestamp, snapshot } = message
  if (tag === undefined) return toCbor(invalidInput, message)
  if (tag === 'Greetings') return toCbor(greetings, message)
  if (seq === undefined) return toCbor(clientMessage, message)
  // With `snapshot-utxo=no` the outputs are empty here, and absent in JSON.
  const output = isObject(snapshot) ? { ...message, snapshot: { utxo: {}, ...snapshot } } : message
  return toCbor(timedServerOutput, { seq, time: timestamp, output })
}

/** Returns a client's input as JSON. @throws {@link ParseFailure} */
export function inputFromCbor(bytes: Uint8Array): string {
  return fromCbor(clientInput, bytes)
}

/** Returns a value of a shape as CBOR. @throws {@link ParseFailure} when its JSON is of another shape. */
export function toCbor(shape: Pick<Shape, 'write'>, value: unknown): Uint8Array {
  const writer = new CborWriter()
  shape.write(writer, value)
  return writer.toBytes()
}

/** Returns the CBOR of a shape as JSON; no bytes may follow. @throws {@link ParseFailure} */
export function fromCbor(shape: Shape, bytes: Uint8Array): string {
  try {
    const reader = new CborReader(bytes)
    const value = shape.read(reader)
    reader.finish()
    return stringifyJson(value)
  } catch (error) {
    if (error instanceof ParseFailure) throw error
    if (!isLayerError(error)) throw error
    throw new ParseFailure(`DecoderErrorDeserialiseFailure ${JSON.stringify(error.message.split('\n').join(' '))}`)
  }
}
