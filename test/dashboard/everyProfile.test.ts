import { spawnSync } from 'node:child_process'
import { PROFILES } from '../../src/devnode/settings/profiles'
import { ROOT } from '../support/markdown'
import { fullRun } from '../support/scale'
import profiles from './profiles.json'

it('the dashboard is clicked through on every profile that deposits amounts, and on one of them in CI', () => {
  expect([...profiles.all, '0.22'].sort()).toEqual(Object.keys(PROFILES).sort())
  expect(profiles.all).toContain(profiles.ci)
})

if (fullRun) {
  it('a head opens, pays, closes and fans out in the dashboard on each of these, in Chromium, and in Firefox where it is installed', () => {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'test:dashboard'], {
      cwd: ROOT,
      encoding: 'utf8'
    })
    expect({ status, failures: status === 0 ? '' : `${stdout}\n${stderr}` }).toEqual({ status: 0, failures: '' })
  }, 1_800_000)
}
