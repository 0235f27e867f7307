import { LayerSdkError } from './base.js'

/**
 * A journal cannot be read or written, e.g. because the disk is full, the file read-only or a connection lost. No
 * transaction was sent: make it writable, and call again with the same id.
 */
export class JournalAccessError extends LayerSdkError<'JOURNAL_ACCESS'> {
  override readonly name = 'JournalAccessError'
  /** Path, URL without credentials, or name of the journal. */
  readonly journal: string
  /** The system's code, e.g. `ENOSPC`; null where there is none. */
  readonly systemCode: string | null
  constructor(journal: string, doing: string, cause: unknown) {
    const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown }
    const systemCode = typeof code === 'string' ? code : null
    super('JOURNAL_ACCESS', `The journal ${journal} cannot be ${doing}; no transaction was sent.`, {
      expected: 'a journal that can be read and written',
      got: systemCode ?? (typeof message === 'string' ? message.slice(0, 120) : String(cause)),
      cause
    })
    this.journal = journal
    this.systemCode = systemCode
  }
}

/**
 * An entry of a journal is damaged, and it is not the last line, which a kill may leave incomplete. The journal was
 * left as it is: compare the entry with your bookings.
 */
export class JournalBrokenError extends LayerSdkError<'JOURNAL_BROKEN'> {
  override readonly name = 'JournalBrokenError'
  /** Path or name of the journal. */
  readonly journal: string
  /** Number of the damaged line, from 1; in a journal without lines, the position of the entry. */
  readonly line: number
  constructor(journal: string, line: number, { expected, got }: { readonly expected: string; readonly got: string }) {
    super('JOURNAL_BROKEN', `The journal ${journal} is damaged at line ${line}; it was left as it is.`, {
      expected,
      got
    })
    this.journal = journal
    this.line = line
  }
}

/**
 * Another process, tab or journal object is using the journal. Two users at a time could pay the same id twice: stop
 * the other one, or give each its own journal and wallet.
 */
export class JournalLockedError extends LayerSdkError<'JOURNAL_LOCKED'> {
  override readonly name = 'JournalLockedError'
  /** Path, URL without credentials, or name of the journal. */
  readonly journal: string
  /** Description of the holder, e.g. `process 4711 on host shop-1`. */
  readonly holder: string
  constructor(journal: string, holder: string) {
    super('JOURNAL_LOCKED', `The journal ${journal} is in use; no transaction was sent.`, {
      expected: 'one process or tab at a time',
      got: holder
    })
    this.journal = journal
    this.holder = holder
  }
}

/** The journal belongs to a different wallet, network or head. Open it with those that wrote it, or use another one. */
export class JournalMismatchError extends LayerSdkError<'JOURNAL_MISMATCH'> {
  override readonly name = 'JournalMismatchError'
  /** The part that differs. */
  readonly part: 'wallet' | 'network' | 'head'
  /** Id of an entry that belongs to a different wallet, network or head. */
  readonly id: string
  constructor(part: 'wallet' | 'network' | 'head', id: string, expected: string, got: string) {
    super('JOURNAL_MISMATCH', `The journal belongs to another ${part}; no transaction was sent.`, {
      expected: `${part} ${expected}`,
      got: `${part} ${got}, of the entry ${JSON.stringify(id)}`
    })
    this.part = part
    this.id = id
  }
}

/** A journal has an entry of a newer layer-sdk. The journal was left as it is; update layer-sdk. */
export class JournalVersionError extends LayerSdkError<'JOURNAL_VERSION'> {
  override readonly name = 'JournalVersionError'
  /** Version of the entry. */
  readonly version: number
  /** Id of the entry. */
  readonly id: string
  constructor(id: string, version: number, knownVersion: number) {
    super('JOURNAL_VERSION', 'The journal has an entry of a newer layer-sdk; no transaction was sent.', {
      expected: `version ${knownVersion} or older`,
      got: `version ${version}, of the entry ${JSON.stringify(id)}`
    })
    this.version = version
    this.id = id
  }
}

/** The id was used before, with other arguments. No transaction was sent: give each order an id of its own. */
export class IdReusedError extends LayerSdkError<'CLIENT_ID_REUSED'> {
  override readonly name = 'IdReusedError'
  /** The id that was used again. */
  readonly id: string
  constructor(id: string, action: string, before: string) {
    super(
      'CLIENT_ID_REUSED',
      `The id ${JSON.stringify(id)} stands for something else already; no transaction was sent.`,
      {
        expected: `the arguments of the ${before} that had it first`,
        got: action === before ? `a ${action} with other arguments` : `a ${action}`
      }
    )
    this.id = id
  }
}

/**
 * The head was not closed, because deposits of this client are not in it yet: after a close they could only be
 * recovered. Wait for them, or pass `force: true`.
 */
export class OpenDepositError extends LayerSdkError<'CLIENT_OPEN_DEPOSIT'> {
  override readonly name = 'OpenDepositError'
  /** Ids of the deposits: hex, 64 characters each. */
  readonly depositTxIds: readonly string[]
  constructor(depositTxIds: readonly string[]) {
    super(
      'CLIENT_OPEN_DEPOSIT',
      'A deposit of this client is on its way into the head: closing would leave it outside.',
      {
        expected: 'no open deposit, or force: true',
        details: depositTxIds.map((txId) => `Deposit ${txId}`)
      }
    )
    this.depositTxIds = depositTxIds
  }
}
