import { main } from '../../src/cli/main'

const MISSING = {
  [`${'ab'.repeat(32)}#0`]: {
    address: 'addr_test1vqr8h0hnhp72vcz03wc0d772wg9c95etl9rv7emuhlev47s00y4wq',
    value: { lovelace: 5_000_000 }
  }
}

/** Status of POST /commit with an output that the base ledger does not have. */
async function commitStatus(...options: string[]): Promise<number> {
  const lines: string[] = []
  let stop = (): void => undefined
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  const started = new Promise<{ httpUrl: string }>((resolve, reject) => {
    const out = (text: string): void => {
      lines.push(text)
      if (lines.length === 1) resolve(JSON.parse(text) as { httpUrl: string })
    }
    const error = (text: string): void => reject(new Error(text))
    const terminal = { version: '', out, error, stopped: () => stopped }
    void main(['devnode', '--port', '0', '--open', '--json', ...options], terminal)
  })
  const { httpUrl } = await started
  const { status } = await fetch(`${httpUrl}/commit`, { method: 'POST', body: JSON.stringify(MISSING) })
  stop()
  return status
}

it('devnode drafts deposits of missing outputs, and refuses them with --check-deposits', async () => {
  expect(await commitStatus()).toBe(200)
  expect(await commitStatus('--check-deposits')).toBe(400)
})
