import { existsSync } from 'node:fs'
import config from '../../jest.config'
import { ROOT } from '../support/markdown'

interface Project {
  displayName: string
  testMatch: string[]
  testPathIgnorePatterns?: string[]
}

describe('the projects of jest', () => {
  const [unit, integration] = config.projects as unknown as [Project, Project]

  it('name suites and folders that exist', () => {
    const paths = unit.testMatch.map((pattern) => pattern.replace('<rootDir>', ROOT).replace(/\*\*.*$/, ''))
    expect(paths.length).toBeGreaterThan(20)
    expect(paths.filter((path) => !existsSync(path))).toEqual([])
  })

  it('run each suite once: what is no unit is integration', () => {
    expect([unit.displayName, integration.displayName]).toEqual(['unit', 'integration'])
    expect(integration.testMatch).toEqual(['<rootDir>/test/**/*.test.ts'])
    const left = unit.testMatch.map((pattern) => pattern.replace(/\*\*.*$/, ''))
    expect(integration.testPathIgnorePatterns).toEqual(expect.arrayContaining(left))
    // Tests of their own commands: test:env, test:perf, test:builders.
    expect(integration.testPathIgnorePatterns!.filter((pattern) => !left.includes(pattern))).toEqual([
      '/node_modules/',
      '<rootDir>/test/env/',
      '<rootDir>/test/perf/',
      '<rootDir>/test/builders/'
    ])
  })
})
