import { RuntimeUnsupportedError } from '../errors/input.js'

/** An open file. */
export type FileHandle = Awaited<ReturnType<ReturnType<typeof fileSystem>['open']>>

const host = (): Partial<NodeJS.Process> | undefined => (globalThis as { process?: Partial<NodeJS.Process> }).process

/**
 * Returns a module of Node. It is not imported, because bundlers for browsers, which drop unused code, know no `node:`
 * module.
 */
function builtin<Module>(name: string, instead: string): Module {
  const found = host()?.getBuiltinModule?.(name)
  if (found === undefined) throw new RuntimeUnsupportedError('files', instead)
  return found as Module
}

const INSTEAD = 'Node, Bun or Deno; indexedDbJournal() in browsers'

/** Returns the file system module. @throws {@link RuntimeUnsupportedError} in runtimes without files */
export const fileSystem = (): typeof import('node:fs/promises') =>
  builtin<typeof import('node:fs/promises')>('node:fs/promises', INSTEAD)

/** Returns the module for paths. @throws {@link RuntimeUnsupportedError} */
export const paths = (): typeof import('node:path') => builtin<typeof import('node:path')>('node:path', INSTEAD)

/** A process that holds a lock. */
export interface Holder {
  /** Differs for each lock that was ever acquired. */
  readonly token: string
  readonly pid: number
  readonly host: string
  /**
   * Start of the process and of its machine, which distinguish it from a later process with the same number; null: not
   * known.
   */
  readonly start: string | null
}

/** Returns this process as the holder of a new lock. */
export async function thisProcess(): Promise<Holder> {
  const pid = ownPid()
  return { token: randomToken(), pid, host: hostName(), start: await startOf(pid) }
}

/** Describes a holder in an error. */
export function describeHolder({ pid, host: on }: Holder): string {
  if (on !== hostName()) return `process ${pid} on host ${on}`
  return pid === host()!.pid
    ? `this process, by another journal object (process ${pid})`
    : `process ${pid} of this host`
}

/** Reads a holder from the text of a lock; null where the text is not one. */
export function parseHolder(text: string): Holder | null {
  try {
    const { token, pid, host, start } = JSON.parse(text) as Partial<Holder>
    return typeof token === 'string' && typeof pid === 'number' && typeof host === 'string'
      ? { token, pid, host, start: typeof start === 'string' ? start : null }
      : null
  } catch {
    return null
  }
}

/** True when the holder is this process. */
export async function isThisProcess(holder: Holder): Promise<boolean> {
  return holder.pid === ownPid() && holder.host === hostName() && !(await hasEnded(holder))
}

/** True when the holder's process has certainly ended; false for a process on another host, which cannot be checked. */
export async function hasEnded({ pid, host: on, start }: Holder): Promise<boolean> {
  if (on !== hostName()) return false
  try {
    // Signal 0: only looks for the process.
    host()?.kill?.(pid, 0)
  } catch (error) {
    // EPERM: it is there, and another user's.
    return (error as { code?: unknown }).code === 'ESRCH'
  }
  const now = await startOf(pid)
  return start !== null && now !== null && start !== now
}

const ownPid = (): number => host()?.pid ?? 0

const hostName = (): string => builtin<typeof import('node:os')>('node:os', INSTEAD).hostname()

const randomToken = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Returns the start of a process: the boot id of its machine, and the ticks since that boot; null where the system does
 * not say.
 */
async function startOf(pid: number): Promise<string | null> {
  try {
    const { readFile } = fileSystem()
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    ])
    // proc(5): field 22; the name in field 2 may hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended, and waits for its parent.
    return fields[0] === 'Z' ? 'ended' : `${boot.trim()} ${fields[19]}`
  } catch {
    return null
  }
}
