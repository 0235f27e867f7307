import type { Finding } from '../../doctor/inner.js'
import { diagnose } from '../../doctor/inner.js'
import type { FactsInput } from './headFacts.js'
import { headFacts } from './headFacts.js'

/** Returns the findings of the payout check: the page asks whether the head can be closed now. @throws the signal's reason */
export async function payoutFindings(input: FactsInput, signal?: AbortSignal): Promise<readonly Finding[]> {
  const { findings } = await diagnose(headFacts(input), { before: 'close', ...(signal && { signal }) })
  return findings
}
