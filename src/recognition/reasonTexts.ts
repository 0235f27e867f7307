import type { RecognitionReason } from './types.js'

/**
 * A sentence for each reason, as text for people. None accuses the endpoint of a lie, because a newer node looks like a
 * wrong one.
 */
export const REASON_TEXTS: Readonly<Record<RecognitionReason, string>> = {
  unreachable: 'No endpoint of the head answers.',
  refused: 'The endpoint of the head refuses to show its snapshot.',
  malformed: 'The answer of the endpoint cannot be read.',
  'too-large': 'The answer of the endpoint is too large.',
  'other-head': 'The endpoint shows a snapshot of another head.',
  signature: 'The parties of the head did not sign this snapshot.',
  parties: 'The keys of the head are not the expected ones.',
  accumulator: 'The outputs are not those that the parties signed.',
  stale: 'The snapshot is older than the last step of the head on the base ledger.',
  rollback: 'The snapshot is older than one that was verified before.',
  'source-behind': 'The base ledger is behind the snapshot: the next look may agree.',
  unbacked: 'The head holds less on the base ledger than its snapshot says.',
  'newer-version': 'The head is of a version newer than this wallet knows: update the wallet.',
  initial: 'The endpoint shows an empty head, and the base ledger knows more.',
  anchor: 'Not exactly one output on the base ledger holds the token of the head.',
  token: 'The head is of an earlier generation, which this wallet does not know.',
  datum: 'The output on the base ledger has no datum of a head.',
  unproven: 'The wallet has a Byron address, whose outputs no proof covers.'
}
