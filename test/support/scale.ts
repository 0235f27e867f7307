/** True in `npm run test:full`. */
export const fullRun = process.env['LAYER_SDK_FULL'] === '1'

/**
 * A count of repetitions: whole in `npm run test:full`, in `npm test` a twentieth, or the smaller share of a proof whose
 * single case is dear.
 */
export function scaled(count: number, share = 20): number {
  return fullRun ? count : Math.ceil(count / share)
}
