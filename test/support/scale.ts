/** True in `npm run test:full`. */
export const fullRun = process.env['LAYER_SDK_FULL'] === '1'

/** A count of repetitions: whole in `npm run test:full`, a twentieth in `npm test`. */
export function scaled(count: number): number {
  return fullRun ? count : Math.ceil(count / 20)
}
