import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

describe('the picture of the rooms', () => {
  it('is what the imports of src come to', async () => {
    const script = join(__dirname, '..', '..', 'scripts', 'draw-rooms.mjs')
    // Rejects with what the script says when docs/architecture.svg is stale.
    await expect(promisify(execFile)(process.execPath, [script, '--check'])).resolves.toMatchObject({ stderr: '' })
  })
})
