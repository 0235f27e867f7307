import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { versionEvidence, versionWarning } from '../../../src/bridge/protocol/versions'

describe('the warning about a node version', () => {
  it.each(['2.3.0', '2.3.0-ef833d8a', '2.4.0'])(
    'names the advisory for %s, which its operators are told to leave',
    (version) => {
      expect(versionWarning(version)).toMatch(/GHSA-cg83-6w6r-6hx3.*2\.4\.1/)
    }
  )

  it.each(['2.5.0', '2.10.1-abc', '3.0.0'])('names %s as newer than what the package was checked with', (version) => {
    expect(versionWarning(version)).toMatch(/newer than .*2\.4/)
  })

  it.each(['2.4.1-099f5dd', '2.4.1-UNKNOWN', '2.3.1', '1.3.0', '0.20.0', 'unknown', null, undefined, '2.3.0-devnode'])(
    'is none for %s',
    (version) => {
      expect(versionWarning(version)).toBeNull()
    }
  )
})

describe('the evidence for a node version', () => {
  it.each([
    ['2.4.1-099f5dd', /recordings of real nodes of 2\.4\.1 \(2026-09-07\)/],
    ['2.3.0', /recordings of real nodes of 2\.3\.0 \(2026-08-31\)/],
    ['2.0.0', /source of the node .*2026-08-21/],
    ['0.22.4', /source of the node .*2026-08-21/],
    ['2.3.0-devnode', /^the local head of this package$/],
    ['9.9.9', /^not checked$/],
    [null, /unknown/],
    ['nonsense', /unknown/]
  ])('of %s is named with its date', (version, evidence) => {
    expect(versionEvidence(version)).toMatch(evidence)
  })

  it('names the dates that the README names', () => {
    const readme = readFileSync(join(__dirname, '../../../README.md'), 'utf8')
    for (const version of ['2.3.0', '2.4.1'])
      for (const date of versionEvidence(version).match(/\d{4}-\d\d-\d\d/g) ?? []) expect(readme).toContain(date)
  })
})
