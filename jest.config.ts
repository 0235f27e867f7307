import type { Config } from 'jest'

const transform: Config['transform'] = {
  '^.+\\.[mc]?[tj]s$': [
    'ts-jest',
    {
      tsconfig: {
        target: 'ES2022',
        module: 'CommonJS',
        moduleResolution: 'Node10',
        ignoreDeprecations: '6.0',
        esModuleInterop: true,
        isolatedModules: true,
        allowJs: true,
        types: ['node', 'jest']
      },
      diagnostics: false
    }
  ]
}

/**
 * The inner loop: suites that wait for no socket, process or page, and are quick (`npm test -- --selectProjects unit`). A path below test/, of a folder or a file.
 */
const UNIT = [
  'accumulator/outputData.test.ts',
  'accumulator/polynomial.test.ts',
  'bridge/delivery/Emitter.test.ts',
  'bridge/head/',
  'bridge/protocol/',
  'bridge/seqFilter.test.ts',
  'bridge/submissions/TxTracker.test.ts',
  'bridge/submissions/dedupe.test.ts',
  'bridge/submissions/reconcile.test.ts',
  'codec/',
  'crypto/',
  'devnode/depositDraft.test.ts',
  'devnode/headMachine.test.ts',
  'devnode/ledger.test.ts',
  'devnode/ledgerRules.test.ts',
  'devnode/messages.test.ts',
  'devnode/options.test.ts',
  'devnode/orderedOutputs.test.ts',
  'errors/',
  'hash/',
  'net/',
  'package/changelog.test.ts',
  'package/layering.test.ts',
  'package/rooms.test.ts',
  'providers/options.test.ts',
  'providers/scripts.test.ts',
  'tx/',
  'utils/',
  'verify/parties.test.ts',
  'wallet/AppWallet.test.ts',
  'wallet/cip30.test.ts',
  'wallet/falseWitnesses.test.ts',
  'wallet/forged.test.ts',
  'wallet/options.test.ts',
  'wallet/splice.test.ts',
  'wallet/vectors.test.ts'
]

/** What every suite is run with. */
export const project = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  // These folders install packages of their own.
  modulePathIgnorePatterns: ['<rootDir>/test/(env|types|builders)/.*node_modules/', '<rootDir>/dist'],
  // noble and scure ship ES modules only, so they are transformed with our own sources.
  transformIgnorePatterns: ['/node_modules/(?!(@noble|@scure|socket.io-client)/)'],
  transform,
  moduleNameMapper: {
    // Its CommonJS build lacks the transports that import() of the package gives.
    '^socket\\.io-client$': '<rootDir>/node_modules/socket.io-client/build/esm/index.js',
    '^layer-sdk$': '<rootDir>/src/index.ts',
    '^layer-sdk/(.*)$': ['<rootDir>/src/$1/index.ts', '<rootDir>/src/adapters/$1.ts'],
    '^(\\.{1,2}/.*)\\.js$': '$1'
  }
} satisfies Config

const ELSEWHERE = ['/node_modules/', '<rootDir>/test/env/', '<rootDir>/test/perf/', '<rootDir>/test/builders/']

const config: Config = {
  maxWorkers: '100%',
  testTimeout: 30_000,
  projects: [
    { ...project, displayName: 'unit', testMatch: UNIT.map((path) => `<rootDir>/test/${path}${path.endsWith('/') ? '**/*.test.ts' : ''}`) },
    {
      ...project,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [...ELSEWHERE, ...UNIT.map((path) => `<rootDir>/test/${path}`)]
    }
  ]
}

export default config
