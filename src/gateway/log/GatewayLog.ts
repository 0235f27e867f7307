/** A record as the log holds it. */
export interface LoggedRecord {
  /** Grows from record to record of a stream; otherwise opaque. */
  readonly id: string
  /** JSON text. */
  readonly record: string
}

/** Bounds on the records of a stream; the oldest are dropped first. */
export interface LogRetention {
  /** Number of records kept whatever their age. */
  readonly records: number
  /** Time that a record is kept beyond that number, ms. @default 0 */
  readonly ms?: number
  /** Bound on the stream's texts, bytes; it wins over the others. @default 268435456 (256 MiB) */
  readonly bytes?: number
}

/** Options of an append. */
export interface AppendOptions {
  /**
   * Fence `number` of the `lease` under which the writer acts: the append is refused with `GATEWAY_FENCED` when a newer
   * one was given out.
   */
  readonly fence?: { readonly lease: string; readonly number: number }
  /** Appends once in a stream for this key, which is remembered for 10 minutes (100,000 keys at most). */
  readonly once?: string
  /** Bounds on the stream from now on. Absent: all records, up to 256 MiB. */
  readonly keep?: LogRetention
}

/** A lease that is held. */
export interface GatewayLease {
  /** A number greater than that of each lease of the same name before. */
  readonly fence: number
  /** Prolongs it by its time; false when it has been lost. */
  renew(): Promise<boolean>
  /** Releases it; without effect on a lease that was lost already. */
  release(): Promise<void>
}

/** A part of a stream. */
export interface LogPart {
  /** In the order of their ids. */
  readonly records: readonly LoggedRecord[]
  /** Id of the oldest record that the stream still has; null when it has none. */
  readonly oldest: string | null
  /** Id of the newest record of the stream; null when it never had one. */
  readonly newest: string | null
  /** Random text made with the log: another one means that its ids are not those of before. */
  readonly epoch: string
}

/**
 * Log that core and edges share: streams of records, and leases with fencing. Every method rejects with `GATEWAY_LOG`
 * while the log cannot be reached; no call is queued meanwhile.
 */
export interface GatewayLog {
  /**
   * Loads the packages that it needs, before the gateway listens; the connection is made later. Absent: it needs none.
   */
  open?(): Promise<void>
  /**
   * Appends a record. `first: false`: the key of `once` is known, `id` is that of the record that was appended for it,
   * and no record was appended.
   */
  append(
    stream: string,
    record: string,
    options?: AppendOptions
  ): Promise<{ readonly id: string; readonly first: boolean }>
  /** Records after an id (null: from the oldest on), at most `limit`. */
  read(stream: string, after: string | null, limit: number): Promise<LogPart>
  /**
   * Calls `onRecord` with each record after an id, in order and once, later ones included. Resolves when the signal
   * aborts; rejects when the log is lost, and the caller continues after the last record that it received.
   */
  tail(
    stream: string,
    after: string | null,
    onRecord: (logged: LoggedRecord) => void,
    signal: AbortSignal
  ): Promise<void>
  /** Acquires a lease; resolves with null while another process holds it. The first fence of a name is 1. */
  lease(name: string, ttlMs: number): Promise<GatewayLease | null>
  /** Ends connections and tails; later calls reject. */
  close(): Promise<void>
}
