/** A record of a stream in the log. */
export interface LoggedRecord {
  /**
   * Position in the stream: a decimal number, or two with a dash (`1700000000000-0`), which are compared as numbers.
   * Each record has a greater id than those before it.
   */
  readonly id: string
  /** Content of the record: JSON text. */
  readonly record: string
}

/** Retention of a stream: which records are kept, the oldest being dropped first. The newest record always stays. */
export interface LogRetention {
  /** Number of newest records that are kept whatever their age, unless `bytes` is exceeded. */
  readonly records: number
  /** Age up to which further records are kept, ms since they were appended. @default 0 */
  readonly ms?: number
  /**
   * Total size of the records in the stream, bytes: above it records are dropped even if `records` or `ms` would keep
   * them.
   * @default 268435456 (256 MiB)
   */
  readonly bytes?: number
}

/** Options of {@link GatewayLog.append}. */
export interface AppendOptions {
  /**
   * Lease under which the writer acts: `lease` is its name, `number` its fence (the number that it was given out with).
   * The append is refused with `GATEWAY_FENCED` when the lease has since been given out under a greater number.
   */
  readonly fence?: { readonly lease: string; readonly number: number }
  /**
   * Key that makes the append idempotent: a second append with the same key to the same stream within 10 minutes
   * appends no record. Each stream remembers up to 100,000 keys; beyond that the oldest is forgotten first.
   */
  readonly once?: string
  /**
   * Retention that this append applies to the stream; it is not remembered for later appends. Absent: all records are
   * kept, up to 256 MiB.
   */
  readonly keep?: LogRetention
}

/** A lease that this process holds: an exclusive right for a limited time. */
export interface GatewayLease {
  /** Fencing number: greater than that of each earlier lease of the same name. */
  readonly fence: number
  /**
   * Prolongs the lease: it then lasts `ttlMs` of {@link GatewayLog.lease} from now. Resolves with false when the lease
   * has been lost.
   */
  renew(): Promise<boolean>
  /** Releases the lease; without effect on a lease that has been lost. */
  release(): Promise<void>
}

/** Result of {@link GatewayLog.read}: some records of a stream, and the bounds of the whole stream. */
export interface LogPart {
  /** Records that were read, in the order of their ids. */
  readonly records: readonly LoggedRecord[]
  /** Id of the oldest record that the stream still has; null when it has none. */
  readonly oldest: string | null
  /** Id of the newest record of the stream; null when it never had one. */
  readonly newest: string | null
  /**
   * Random text that was made with the log. If it differs from that of an earlier read, the log was emptied or
   * replaced, and ids from before the change are void.
   */
  readonly epoch: string
}

/**
 * Log through which cores and edges exchange records: streams of records, and leases with fencing numbers.
 * {@link memoryLog} and {@link redisLog} are implementations; you may implement it for a store of your own. Every
 * method rejects with `GATEWAY_LOG` while the log cannot be reached; no call is queued meanwhile.
 */
export interface GatewayLog {
  /**
   * Loads the packages that the log needs, before the gateway listens; the connection is made later. Absent: none are
   * needed.
   */
  open?(): Promise<void>
  /**
   * Appends a record to a stream. `first` is false when the key `once` was used before: then no record was appended,
   * and `id` is that of the earlier record. Without `once` it is true.
   */
  append(
    stream: string,
    record: string,
    options?: AppendOptions
  ): Promise<{ readonly id: string; readonly first: boolean }>
  /** Reads the records after an id (null: from the oldest on), at most `limit`. */
  read(stream: string, after: string | null, limit: number): Promise<LogPart>
  /**
   * Calls `onRecord` with each record after an id (null: from the oldest on), in order and once; records that are
   * appended later follow as they come. Resolves when the signal aborts. Rejects when the log cannot be reached, misses
   * records or is closed: the caller then continues after the last record that it received.
   */
  tail(
    stream: string,
    after: string | null,
    onRecord: (logged: LoggedRecord) => void,
    signal: AbortSignal
  ): Promise<void>
  /**
   * Acquires a lease for `ttlMs` milliseconds; resolves with null while another process holds it. The first fence of a
   * name is 1.
   */
  lease(name: string, ttlMs: number): Promise<GatewayLease | null>
  /** Ends the connections and the tails, which reject, as do later calls. */
  close(): Promise<void>
}
