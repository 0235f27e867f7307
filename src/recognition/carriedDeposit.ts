import { elementOf, readOutputData } from '../accumulator/inner.js'
import { bytesToHex } from '../codec/hex.js'
import type { Hex, UTxO } from '../types/utxo.js'
import { readDepositDatum } from './depositDatum.js'
import type { Bundle, OutputsByRef } from './readBundle.js'

/**
 * Returns the deposit that a verified snapshot includes, null when there is none. From 2.4 on the snapshot names it.
 * Before, it is the deposit of the head with the same outputs, which are signed; of several it is the one with the same
 * references, which are not signed.
 */
export function carriedDeposit(
  deposits: readonly UTxO[],
  headId: Hex,
  { depositTxId, toCommit }: Pick<Bundle, 'depositTxId' | 'toCommit'>
): Hex | null {
  const refs = Object.keys(toCommit)
  if (depositTxId !== null || refs.length === 0) return depositTxId
  const outputsKey = keyOf(Object.values(toCommit))
  const alike = deposits.flatMap(({ input, output }) => {
    const datum = input.index === 0 ? readDepositDatum(output) : null
    const isAlike = datum?.headId === headId && keyOf(datum.deposited.map((each) => each.output)) === outputsKey
    return isAlike ? [{ txHash: input.txHash, refs: datum.deposited.map((each) => refOf(each.input)) }] : []
  })
  const same = alike.find((each) => [...each.refs].sort().join() === [...refs].sort().join())
  return (same ?? alike[0])?.txHash ?? null
}

/** Returns a key that is the same for the same outputs in any order. */
function keyOf(outputs: readonly (UTxO['output'] | OutputsByRef[string])[]): string {
  return outputs
    .map((output) => bytesToHex(elementOf(readOutputData(output))))
    .sort()
    .join()
}

function refOf({ txHash, index }: UTxO['input']): string {
  return `${txHash}#${index}`
}
