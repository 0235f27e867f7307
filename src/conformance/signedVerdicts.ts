import type { LifeTrace, TracedMessage } from './trace.js'
import { asRecord } from './trace.js'

/**
 * Returns for each snapshot the rule by which all parties signed it, or the reason why their signatures do not hold.
 */
export async function signedVerdicts(
  messages: readonly TracedMessage[],
  nodeVersion: string | null
): Promise<LifeTrace['signed']> {
  const { verifySnapshot } = await import('../verify/index.js')
  let parties: readonly { readonly vkey: string }[] | null = null
  const verdicts: { step: TracedMessage['step']; verdict: string; at: TracedMessage }[] = []
  for (const at of messages) {
    const { tag, message, step } = at
    if (tag === 'HeadIsOpen' || tag === 'HeadIsInitializing') parties = partiesOf(message['parties']) ?? parties
    // A head that was open before names its parties in the configuration of its node alone.
    if (tag === 'Greetings') parties ??= partiesOfGreetings(message)
    if (tag !== 'SnapshotConfirmed' || parties === null) continue
    const verdict = await verifySnapshot({
      snapshot: message['snapshot'] as never,
      signatures: message['signatures'] as never,
      parties,
      ...(nodeVersion === null ? {} : { nodeVersion })
    })
    verdicts.push({ step, verdict: verdict.ok ? `rule ${verdict.rule}` : `refused: ${verdict.reason}`, at })
  }
  return verdicts
}

function partiesOf(value: unknown): { readonly vkey: string }[] | null {
  if (!Array.isArray(value)) return null
  const parties = value.map(asRecord).filter((party) => typeof party?.['vkey'] === 'string')
  return parties.length === value.length ? (parties as unknown as { vkey: string }[]) : null
}

function partiesOfGreetings(message: Readonly<Record<string, unknown>>): { readonly vkey: string }[] | null {
  const env = asRecord(message['env'])
  const [own, others] = [asRecord(env?.['party']), env?.['otherParties']]
  // With more than one the order is that of the head, which Greetings does not tell.
  return own !== null && Array.isArray(others) && others.length === 0 ? partiesOf([own]) : null
}
