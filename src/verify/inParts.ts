import type { Accelerator } from '../accumulator/inner.js'
import { loadCurve } from '../accumulator/inner.js'

/**
 * Returns an accelerator that computes commitments in parts and calls `pause` between them, so that the thread can do
 * other work; a commitment needs twice the time. It sums over the setup's own points, the same that accelerators
 * receive.
 */
export function inParts(pause: () => Promise<void>): Accelerator {
  return {
    async msm(_points, scalars) {
      const { commitInParts } = await loadCurve()
      return (await commitInParts(scalars, pause)).toBytes(true)
    }
  }
}
