/** Path of the dashboard, on the port of the base ledger. */
export const DASHBOARD_PATH = '/dashboard'

/** True when a request is for the dashboard's page. */
export function isDashboardPath(path = '/'): boolean {
  const [plain] = path.split('?')
  return plain === DASHBOARD_PATH || plain === `${DASHBOARD_PATH}/`
}
