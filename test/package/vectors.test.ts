import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

describe('the figures of test/vectors', () => {
  it('are what scripts/make-vectors.mjs makes of the independent libraries', async () => {
    const script = join(__dirname, '..', '..', 'scripts', 'make-vectors.mjs')
    // Rejects with what the script says when a file differs.
    await expect(promisify(execFile)(process.execPath, [script, '--check'])).resolves.toMatchObject({ stderr: '' })
  }, 120_000)
})
