import type { Config } from 'jest'
import { project } from './jest.config'

/** `npm run test:perf`: claims about time, as ratios to a calibration loop of the same run. One file at a time. */
const config: Config = {
  ...project,
  // The limits are in units of a loop that looks at globals as every suite once did.
  sandboxInjectedGlobals: [],
  roots: ['<rootDir>/test/perf'],
  testMatch: ['**/*.test.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/perf/support/retry.ts'],
  maxWorkers: 1,
  testTimeout: 120_000
}

export default config
