import type { SnapshotDelta, TxOutJson } from '../../src/bridge/protocol/types'
import type { Outputs, OutputsChange } from '../../src/gateway/delta'

/** S(n, A): the outputs of some addresses. */
export function outputsAt(outputs: Outputs, addresses: ReadonlySet<string>): Map<string, TxOutJson> {
  return new Map([...outputs].filter(([, { address }]) => addresses.has(address)))
}

/** The part of a change that concerns some addresses: what leads from S(from, A) to S(to, A). */
export function narrowChange({ spent, made }: OutputsChange, addresses: ReadonlySet<string>): OutputsChange {
  return {
    spent: new Map([...spent].filter(([, address]) => addresses.has(address))),
    made: outputsAt(made, addresses)
  }
}

/** Addresses whose outputs a change changes. */
export function touchedAddresses({ spent, made }: OutputsChange): Set<string> {
  const touched = new Set(spent.values())
  for (const { address } of made.values()) touched.add(address)
  return touched
}

/** Whether a change changes nothing. */
export function isUnchanged({ spent, made }: OutputsChange): boolean {
  return spent.size === 0 && made.size === 0
}

/**
 * A change as clients get it.
 *
 * @param position - `from`: number of the snapshot that it leads on from; `number`: of the one it leads to; `count`:
 * outputs there are then
 */
export function toDelta(
  { spent, made }: OutputsChange,
  position: { readonly from: number; readonly number: number; readonly count: number }
): SnapshotDelta {
  const { from, number, count } = position
  // Object.fromEntries: a key such as __proto__ becomes a member like any other.
  return { from, number, spent: [...spent.keys()], made: Object.fromEntries(made), count }
}

/** The outputs that a delta leads to; null when it does not follow from these. */
export function applyDelta(outputs: Outputs, { spent, made, count }: SnapshotDelta): Map<string, TxOutJson> | null {
  const after = new Map(outputs)
  for (const key of spent) if (!after.delete(key)) return null
  for (const [key, output] of Object.entries(made)) {
    if (outputs.has(key)) return null
    after.set(key, output)
  }
  return after.size === count ? after : null
}
