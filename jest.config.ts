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

const config: Config = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/env/', '<rootDir>/test/perf/', '<rootDir>/test/builders/'],
  // These folders install packages of their own.
  modulePathIgnorePatterns: ['<rootDir>/test/(env|types|builders)/.*node_modules/', '<rootDir>/dist'],
  maxWorkers: '100%',
  // noble and scure ship ES modules only, so they are transformed with our own sources.
  transformIgnorePatterns: ['/node_modules/(?!(@noble|@scure|socket.io-client)/)'],
  transform,
  moduleNameMapper: {
    // Its CommonJS build lacks the transports that import() of the package gives.
    '^socket\\.io-client$': '<rootDir>/node_modules/socket.io-client/build/esm/index.js',
    '^layer-sdk$': '<rootDir>/src/index.ts',
    '^layer-sdk/(.*)$': ['<rootDir>/src/$1/index.ts', '<rootDir>/src/adapters/$1.ts'],
    '^(\\.{1,2}/.*)\\.js$': '$1'
  },
  testTimeout: 30_000
}

export default config
