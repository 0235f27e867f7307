import type { Finding } from '../../doctor/inner.js'
import { diagnose } from '../../doctor/inner.js'
import type { FactsInput } from './headFacts.js'
import { headFacts } from './headFacts.js'

/** Runs the payout check for a head that is to be closed now, and returns its findings. @throws the signal's reason */
export async function payoutFindings(input: FactsInput, signal?: AbortSignal): Promise<readonly Finding[]> {
  const { findings } = await diagnose(headFacts(input), { before: 'close', ...(signal && { signal }) })
  return findings
}
