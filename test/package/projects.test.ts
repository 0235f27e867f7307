import config, { UNIT } from '../../jest.config'
import unitConfig from '../../jest.unit.config'
import { filesBelow, ROOT } from '../support/markdown'

interface Project {
  displayName: string
  testRegex?: string[]
  testMatch?: string[]
  testPathIgnorePatterns?: string[]
}

describe('the projects of jest', () => {
  const [unit, integration] = config.projects as unknown as [Project, Project]
  const suites = filesBelow('test', '.test.ts').map((path) => `${ROOT}/${path}`)

  it('have suites for every pattern of the inner loop', () => {
    expect(suites.length).toBeGreaterThan(150)
    expect(UNIT.filter((pattern) => !suites.some((path) => new RegExp(pattern).test(path)))).toEqual([])
  })

  it('have a command for the inner loop alone, whose arguments are paths', () => {
    expect(unitConfig.testRegex).toEqual(UNIT)
    expect(unitConfig.projects).toBeUndefined()
  })

  it('know the sources, so that a change finds the suites that it reaches', () => {
    for (const project of config.projects as unknown as { roots: string[] }[]) {
      expect(project.roots).toEqual(['<rootDir>/src', '<rootDir>/test'])
    }
  })

  it('run each suite once: what is no unit is integration', () => {
    expect([unit.displayName, integration.displayName]).toEqual(['unit', 'integration'])
    expect(unit.testRegex).toEqual(UNIT)
    expect(integration.testMatch).toEqual(['<rootDir>/test/**/*.test.ts'])
    // The others are tests of their own commands: test:env, test:perf, test:builders, test:apps.
    const elsewhere = ['env', 'perf', 'builders', 'apps'].map((folder) => `<rootDir>/test/${folder}/`)
    expect(integration.testPathIgnorePatterns).toEqual(['/node_modules/', ...elsewhere, ...UNIT])
  })
})
