/** Where the dashboard is served, on the port of the base ledger. */
export const DASHBOARD_PATH = '/dashboard'

/** Whether a request is for the dashboard's page. */
export function isDashboardPath(path = '/'): boolean {
  const [plain] = path.split('?')
  return plain === DASHBOARD_PATH || plain === `${DASHBOARD_PATH}/`
}
