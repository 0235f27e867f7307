import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

const CHUNK_BYTES = 1_048_576
/** Name that stands for the standard input. */
export const STANDARD_INPUT = '-'

/** Reads a file, or the standard input, in parts. Data that gzip compressed is decompressed. */
export async function* readBytes(path: string): AsyncGenerator<Uint8Array> {
  const stream = path === STANDARD_INPUT ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES })
  const parts = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  let start = new Uint8Array(0)
  let isOver = false
  try {
    while (start.length < 2 && !isOver) {
      const { value, done } = await parts.next()
      isOver = done === true
      if (!isOver) start = start.length === 0 ? value! : Buffer.concat([start, value!])
    }
    const all = restOf(start, isOver ? null : parts)
    if (start[0] !== 0x1f || start[1] !== 0x8b) return yield* all
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
    // The error reaches the reader of the last stream.
    pipeline(Readable.from(all), gunzip, () => undefined)
    yield* gunzip as AsyncIterable<Uint8Array>
  } finally {
    stream.destroy()
  }
}

async function* restOf(start: Uint8Array, parts: AsyncIterator<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start
  for (let part = await parts?.next(); part !== undefined && part.done !== true; part = await parts!.next())
    yield part.value
}
