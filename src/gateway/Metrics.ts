/** Counters of one process. */
export class Metrics {
  messages = 0
  bytes = 0
  drops = 0
  resyncs = 0
  refusals = 0
  unreadable = 0
  readonly verdicts: Record<'confirmed' | 'refused' | 'unknown', number> = { confirmed: 0, refused: 0, unknown: 0 }
}
