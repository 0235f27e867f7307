/**
 * URL of the built page, dist/dashboard.html, which the build writes in here (rollup.config.mjs). Null in sources that
 * were not built: they serve no page.
 */
export const DASHBOARD_FILE: string | null = null
