import type { Config } from 'jest'
import base from './jest.config'

/** `npm run test:perf`: claims about time, as ratios to a calibration loop of the same run. One file at a time. */
const config: Config = {
  ...base,
  roots: ['<rootDir>/test/perf'],
  testPathIgnorePatterns: ['/node_modules/'],
  setupFilesAfterEnv: ['<rootDir>/test/perf/support/retry.ts'],
  maxWorkers: 1,
  testTimeout: 120_000
}

export default config
