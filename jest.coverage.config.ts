import type { Config } from 'jest'
import base from './jest.config'

/** `npm run coverage`: which lines the tests run, with a floor below which it fails. */
const config: Config = {
  ...base,
  collectCoverage: true,
  coverageProvider: 'v8',
  coverageDirectory: 'coverage',
  coverageReporters: ['text-summary', 'json-summary', 'html'],
  // Lists of words and points are data; the terminal program runs as a process of its own.
  collectCoverageFrom: ['src/**/*.ts', '!src/**/index.ts', '!src/accumulator/setup/**', '!src/cli/**', '!src/types/**'],
  coverageThreshold: { global: { statements: 90, branches: 85, functions: 90, lines: 90 } }
}

export default config
