import { DevNodeFileError } from '../../errors/devnode.js'
import { RuntimeUnsupportedError } from '../../errors/input.js'

type Fs = typeof import('node:fs')

/** Not imported: bundlers for browsers follow the lazy import of this file, and know no `node:` module. */
function builtin<Module>(name: string): Module {
  const found = (globalThis as { process?: Partial<NodeJS.Process> }).process?.getBuiltinModule?.(name)
  if (found === undefined) throw new RuntimeUnsupportedError('files', 'new DevNode(), dumpState() and loadState()')
  return found as Module
}
const fileSystem = (): Fs => builtin<Fs>('node:fs')

/** Bytes before each record: its `crc32 length ` in hex; a line feed follows the record. */
const HEAD_BYTES = 18
const LINE_FEED = 0x0a

/** Content of a log when it was opened. */
export interface LogContent {
  readonly records: readonly unknown[]
  /** Number of bytes at the end of a record that had not been written completely. */
  readonly tornBytes: number
}

/**
 * Rejects an existing path that is no file: a device, or a pipe, is read without end.
 *
 * @throws {@link DevNodeFileError}
 */
export function assertFile(path: string): void {
  let found: ReturnType<Fs['statSync']>
  try {
    found = fileSystem().statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw fileError(path, 'cannot be read', error)
  }
  if (found === undefined || found.isFile()) return
  const kind = found.isDirectory()
    ? 'a directory'
    : found.isFIFO()
      ? 'a pipe'
      : found.isSocket()
        ? 'a socket'
        : 'a device'
  throw new DevNodeFileError(path, 'is no regular file', {
    expected: 'a file, or a path where there is none yet',
    got: kind
  })
}

/**
 * Reads the records of a log; null where there is no file. The last record may be incomplete, after a kill or a power
 * cut, and is then left out.
 *
 * @throws {@link DevNodeFileError} on any other damage, with its offset.
 */
export function readLog(path: string): LogContent | null {
  const fs = fileSystem()
  let bytes: Buffer
  try {
    bytes = fs.readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw fileError(path, 'cannot be read', error)
  }
  const records: unknown[] = []
  let offset = 0
  while (offset < bytes.length) {
    const record = readRecord(bytes, offset)
    if (record === 'torn' && records.length > 0) break
    if (record === 'torn' || record === 'damaged') {
      throw new DevNodeFileError(path, 'is damaged', {
        expected: 'a record of a state file, with its checksum',
        got: `something else at byte ${offset}`
      })
    }
    records.push(record.value)
    offset = record.end
  }
  return { records, tornBytes: bytes.length - offset }
}

type ReadRecord = { readonly value: unknown; readonly end: number } | 'torn' | 'damaged'

function readRecord(bytes: Buffer, offset: number): ReadRecord {
  const head = bytes.toString('latin1', offset, offset + HEAD_BYTES)
  const match = /^([0-9a-f]{8}) ([0-9a-f]{8}) $/.exec(head)
  // Less than a record's head may be torn off; any other invalid head is damage.
  const unfinished = (): ReadRecord => (isUnfinished(bytes, offset) ? 'torn' : 'damaged')
  if (match === null) return bytes.length - offset < HEAD_BYTES || isTail(bytes, offset) ? unfinished() : 'damaged'
  const start = offset + HEAD_BYTES
  const end = start + Number.parseInt(match[2]!, 16)
  if (end + 1 > bytes.length) return unfinished()
  const text = bytes.subarray(start, end)
  if (bytes[end] !== LINE_FEED || crc32(text) !== Number.parseInt(match[1]!, 16))
    return end + 1 === bytes.length ? unfinished() : 'damaged'
  try {
    return { value: JSON.parse(text.toString('utf8')) as unknown, end: end + 1 }
  } catch {
    return 'damaged'
  }
}

/** True when the last record is incomplete: JSON on one line holds neither a line feed nor a zero byte. */
function isUnfinished(bytes: Buffer, offset: number): boolean {
  return !bytes.subarray(offset).includes(LINE_FEED) || bytes.subarray(offset).includes(0)
}

/** True when only zeros follow: a file that had grown before its content was written. */
function isTail(bytes: Buffer, offset: number): boolean {
  return bytes.subarray(offset).every((byte) => byte === 0)
}

function crc32(bytes: Uint8Array): number {
  return builtin<typeof import('node:zlib')>('node:zlib').crc32(bytes)
}

function encodeRecord(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value), 'utf8')
  const head = `${crc32(text).toString(16).padStart(8, '0')} ${text.length.toString(16).padStart(8, '0')} `
  return Buffer.concat([Buffer.from(head, 'latin1'), text, Buffer.from('\n')])
}

function fileError(path: string, problem: string, error: unknown): DevNodeFileError {
  const { code = String(error) } = error as NodeJS.ErrnoException
  return new DevNodeFileError(path, `${problem} (${code})`, { got: code, cause: error })
}

/** A log that is being written: records are appended, or all are replaced atomically. */
export class StateLog {
  readonly #path: string
  readonly #fs = fileSystem()
  #file: number | null = null
  #size = 0
  /** Bytes of earlier records that could not be written yet. */
  #rest: Buffer | null = null

  constructor(path: string) {
    this.#path = path
  }

  get size(): number {
    return this.#size
  }

  /** Replaces the whole log: the former log stays until the new one is on disk. @throws {@link DevNodeFileError} */
  replace(records: readonly unknown[]): void {
    const fs = this.#fs
    const temporary = `${this.#path}.new`
    let file: number | null = null
    try {
      file = fs.openSync(temporary, 'w', 0o600)
      let size = 0
      for (const record of records) size += writeWhole(fs, file, encodeRecord(record), size)
      fs.fsyncSync(file)
      fs.renameSync(temporary, this.#path)
      if (this.#file !== null) fs.closeSync(this.#file)
      this.#file = file
      this.#size = size
      this.#rest = null
    } catch (error) {
      if (file !== null) fs.closeSync(file)
      fs.rmSync(temporary, { force: true })
      throw fileError(this.#path, 'cannot be written', error)
    }
  }

  /**
   * Appends a record, and earlier ones that could not be written. The file stays whole when it fails. @throws
   * {@link DevNodeFileError}
   */
  append(record: unknown): void {
    const bytes = record === null ? Buffer.alloc(0) : encodeRecord(record)
    this.#rest = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes])
    try {
      writeWhole(this.#fs, this.#file!, this.#rest, this.#size)
    } catch (error) {
      this.#fs.ftruncateSync(this.#file!, this.#size)
      throw fileError(this.#path, 'cannot be written', error)
    }
    this.#size += this.#rest.length
    this.#rest = null
  }

  /** Resolves when all appended records are on disk. @throws {@link DevNodeFileError} (as a rejection) */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#fs.fdatasync(this.#file!, (error) =>
        error === null ? resolve() : reject(fileError(this.#path, 'cannot be written', error))
      )
    })
  }

  /** Does the same as {@link sync}, synchronously. */
  syncNow(): void {
    this.#fs.fdatasyncSync(this.#file!)
  }

  close(): void {
    if (this.#file !== null) this.#fs.closeSync(this.#file)
    this.#file = null
  }
}

function writeWhole(fs: Fs, file: number, bytes: Buffer, position: number): number {
  for (let written = 0; written < bytes.length;)
    written += fs.writeSync(file, bytes, written, bytes.length - written, position + written)
  return bytes.length
}

/** Locks of the state files that nodes of this process use. */
const lockedFiles = new Set<string>()

/**
 * Acquires the lock of a state file, which keeps a second process out; the returned function releases it. The lock of a
 * process that has died is replaced.
 *
 * @throws {@link DevNodeFileError}
 */
export function lockFile(path: string): () => void {
  const fs = fileSystem()
  const lock = `${path}.lock`
  const { pid } = process
  for (let attempt = 0; ; attempt++) {
    try {
      fs.writeFileSync(lock, String(pid), { flag: 'wx', mode: 0o600 })
      lockedFiles.add(lock)
      return () => {
        lockedFiles.delete(lock)
        fs.rmSync(lock, { force: true })
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(path, 'cannot be locked', error)
      const owner = Number(readText(fs, lock))
      if (attempt > 0 || isAlive(owner, pid, lock)) {
        throw new DevNodeFileError(path, 'is kept by another process', {
          expected: 'one local head node on a state file',
          got: `process ${owner}`
        })
      }
      fs.rmSync(lock, { force: true })
    }
  }
}

function readText(fs: Fs, path: string): string {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function isAlive(owner: number, pid: number, lock: string): boolean {
  if (owner === pid) return lockedFiles.has(lock)
  if (!Number.isInteger(owner) || owner <= 0) return false
  try {
    process.kill(owner, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
