import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROUTES } from '../../src/gateway/http/routes'
import { ROOT } from '../support/markdown'

const protocol = readFileSync(join(ROOT, 'docs/protocol.md'), 'utf8')
const documented = new Map(
  [...protocol.matchAll(/^\| `(GET|POST) \/hydra\/([\w/-]+)[^`]*` \| (\w+) \|/gm)].map(([, method, name, scope]) => [
    name!,
    { method, scope }
  ])
)

it('the page of the protocol names every route of the gateway, with its method and its scope, and no other', () => {
  const served = [...ROUTES].map(([name, { method, scope }]) => [name, { method, scope }])
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(served))
})

it('and the bounds of a page of the history', () => {
  const source = readFileSync(join(ROOT, 'src/gateway/http/history.ts'), 'utf8')
  const [, read, records, kib] =
    /MAX_READ = ([\d_]+)\nconst PAGE_RECORDS = (\d+)\nconst PAGE_BYTES = (\d+) \* 1024/.exec(source)!
  const text = `A page ends after ${records} entries, ${kib} KiB or ${Number(read!.replace('_', '')).toLocaleString('en')} records`
  expect(protocol).toContain(text)
})

it('the guide of the gateway shows the history and the proofs', () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/gateway.md'), 'utf8')
  for (const name of ['history', 'proof', 'submit-tx']) expect(guide).toContain(`/hydra/${name}`)
})
