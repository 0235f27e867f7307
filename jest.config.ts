import { availableParallelism } from 'node:os'
import type { Config } from 'jest'

const transform: Config['transform'] = {
  '^.+\\.[mc]?[tj]s$': [
    '<rootDir>/scripts/jest/transform.cjs',
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
 * The inner loop: suites that wait for no socket, process or page, and are quick (`npm run test:unit`).
 * Beginnings of paths below test/, as regular expressions. Together they take some 60 s of a processor.
 */
export const UNIT = [
  'accumulator/(outputData|polynomial)',
  'bridge/delivery/Emitter',
  'bridge/head/(?!textDiff)',
  'bridge/protocol/(?!golden|recipes)',
  'bridge/seqFilter',
  'bridge/txs/(TxTracker|dedupe|reconcile)',
  'codec/',
  'crypto/',
  'devnode/(deposits/depositDraft|head/headMachine|rules/(ledger|orderedOutputs)|settings/options|wire/json/messages)',
  'errors/',
  'hash/',
  'net/',
  'package/(changelog|layering|projects|rooms)',
  'providers/(options|scripts)',
  'tx/',
  'utils/',
  'verify/parties',
  'wallet/(?!fuzz|secrets)'
].map((path) => `/test/${path}.*\\.test\\.ts$`)

/**
 * The language's own objects, handed to every module as parameters: in the context that a suite runs in, each look at a
 * global goes through a proxy and takes some eighty times as long as one at a local name. Those that tests replace
 * (Date, timers, crypto, fetch) stay globals, and BigInt and URL too: modules of other packages declare those names for
 * themselves.
 */
const LANGUAGE = [
  'Array',
  'ArrayBuffer',
  'Boolean',
  'DataView',
  'Error',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Promise',
  'Proxy',
  'RangeError',
  'Reflect',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'TypeError',
  'Uint32Array',
  'Uint8Array',
  'WeakMap',
  'WeakSet',
  'parseInt'
] as const

/** What every suite is run with. */
export const project = {
  cacheDirectory: '<rootDir>/.cache/jest',
  runtime: '<rootDir>/scripts/jest/Runtime.cjs',
  testEnvironment: 'node',
  sandboxInjectedGlobals: [...LANGUAGE],
  // Sources too, so that --watch and --findRelatedTests know what imports them.
  roots: ['<rootDir>/src', '<rootDir>/test'],
  // These folders install packages of their own.
  modulePathIgnorePatterns: ['<rootDir>/test/(env|types|builders|apps|dashboard)/.*node_modules/', '<rootDir>/dist'],
  // noble, scure and jose ship ES modules only, so they are transformed with our own sources.
  transformIgnorePatterns: ['/node_modules/(?!(@noble|@scure|socket.io-client|jose)/)'],
  transform,
  moduleNameMapper: {
    // Its CommonJS build lacks the transports that import() of the package gives.
    '^socket\\.io-client$': '<rootDir>/node_modules/socket.io-client/build/esm/index.js',
    '^layer-sdk$': '<rootDir>/src/index.ts',
    '^layer-sdk/(.*)$': ['<rootDir>/src/$1/index.ts', '<rootDir>/src/adapters/$1.ts'],
    '^(\\.{1,2}/.*)\\.js$': '$1'
  }
} satisfies Config

const ELSEWHERE = [
  '/node_modules/',
  '<rootDir>/test/env/',
  '<rootDir>/test/perf/',
  '<rootDir>/test/builders/',
  '<rootDir>/test/apps/'
]

const config: Config = {
  // Many suites wait for sockets and timers: three workers keep two processors busy.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  testTimeout: 30_000,
  projects: [
    { ...project, displayName: 'unit', testRegex: UNIT },
    {
      ...project,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [...ELSEWHERE, ...UNIT]
    }
  ]
}

export default config
