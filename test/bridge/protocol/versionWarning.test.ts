import { versionWarning } from '../../../src/bridge/protocol/versions'

describe('the warning about a node version', () => {
  it.each(['2.3.0', '2.3.0-ef833d8a', '2.4.0'])(
    'names the advisory for %s, which its operators are told to leave',
    (version) => {
      expect(versionWarning(version)).toMatch(/GHSA-cg83-6w6r-6hx3.*2\.4\.1/)
    }
  )

  it.each(['2.5.0', '2.10.1-abc', '3.0.0'])('names %s as newer than what the package was held to', (version) => {
    expect(versionWarning(version)).toMatch(/newer than .*2\.4/)
  })

  it.each(['2.4.1-099f5dd', '2.4.1-UNKNOWN', '2.3.1', '1.3.0', '0.20.0', 'unknown', null, undefined, '2.3.0-devnode'])(
    'is none for %s',
    (version) => {
      expect(versionWarning(version)).toBeNull()
    }
  )
})
