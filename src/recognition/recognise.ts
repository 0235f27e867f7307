import type { AnchoredHead, RecognitionOutcome } from './answer.js'
import { answer, lastVerifiedOf } from './answer.js'
import { SetMemo } from './bindSet.js'
import { readHeadDatum } from './headDatum.js'
import type { CheckedMaterial, RecognitionMaterial } from './material.js'
import { checkMaterial } from './material.js'
import { recogniseClosing } from './recogniseClosing.js'
import { recogniseOpen } from './recogniseOpen.js'
import type { Recognition, RecognitionReason } from './types.js'

/**
 * Recognises the state of a head, and a wallet's money in it, from material that was fetched before. It sends no
 * requests. A failed check does not throw: the answer states it as a reason.
 *
 * @throws {@link InvalidArgumentError} {@link InvalidAddressError} on material of another form.
 * @example
 * ```ts
 * import { recognise } from 'layer-sdk/recognition'
 * const found = await recognise({
 *   headId: 'd276058a22ad180bc94bfc89d85d6c02c5e5a110dd5ddcd759f213b1',
 *   addresses: [],
 *   headOutputs: [],
 *   answers: [],
 *   asOf: { slot: 132502300, timeMs: 1788185500000 }
 * })
 * console.log(found.state) // NO_HEAD
 * ```
 */
export async function recognise(material: RecognitionMaterial): Promise<Recognition> {
  return (await recogniseWithRecord(material)).recognition
}

/** Does the same as {@link recognise}, and also returns the record for a store. */
export async function recogniseWithRecord(material: RecognitionMaterial): Promise<RecognitionOutcome> {
  const checked = checkMaterial(material)
  const [first, ...others] = checked.headOutputs
  if (first === undefined) return { recognition: answer(checked, { state: 'NO_HEAD' }), record: null }
  if (others.length > 0)
    return failed(checked, 'anchor', `${checked.headOutputs.length} outputs hold the head's token.`)
  const read = readHeadDatum(first.output, checked.headId)
  if (!read.ok) return failed(checked, read.reason, read.detail)
  const head: AnchoredHead = { ...read, ref: `${first.input.txHash}#${first.input.index}` }
  const { parties, wallet } = checked
  if (parties !== undefined && parties.join() !== read.datum.parties.join())
    return failed(checked, 'parties', 'The keys of the datum are not the pinned ones.', head)
  const { datum } = read
  const { recognition, record } =
    datum.state === 'open'
      ? await recogniseOpen(remembering(checked, checked.answers.length > 1), head, datum)
      : await recogniseClosing(remembering(checked, true), head, datum)
  // Outputs at Byron addresses are in no proof: of such a wallet the sums would be incomplete.
  if (wallet.hasByron && recognition.state === 'VERIFIED_IN_HEAD')
    return failed(checked, 'unproven', 'Outputs at Byron addresses are covered by no proof.', head)
  return { recognition, record }
}

/**
 * Returns the material with a cache of commitments for this call, since several answers, and both checks of one, may
 * have the same set.
 */
function remembering(material: CheckedMaterial, pays: boolean): CheckedMaterial {
  return material.memo === undefined && pays ? { ...material, memo: new SetMemo() } : material
}

const UNRECOGNISED: readonly RecognitionReason[] = ['token', 'datum']

function failed(
  material: CheckedMaterial,
  reason: RecognitionReason,
  detail: string,
  head?: AnchoredHead
): RecognitionOutcome {
  const state = UNRECOGNISED.includes(reason) || (reason === 'newer-version' && head === undefined)
  const recognition = answer(material, {
    state: state ? 'UNRECOGNISED' : 'UNVERIFIABLE',
    reason,
    detail,
    lastVerified: reason === 'unproven' ? null : lastVerifiedOf(material),
    ...(head === undefined ? {} : { head })
  })
  return { recognition, record: null }
}
