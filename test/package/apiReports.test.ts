import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(__dirname, '../..')
const ENTRIES = readdirSync(join(ROOT, 'etc'))
  .filter((name) => name.endsWith('.api.md'))
  .map((name) => name.replace('.api.md', ''))
const reportOf = (entry: string): string => readFileSync(join(ROOT, 'etc', `${entry}.api.md`), 'utf8')

/** Declarations of a report; those that are not exported begin with no `export`. */
const DECLARATION = /^(export )?(?:declare )?(?:abstract )?(?:class|interface|type|const|function) (\w+)/gm

function declared(entry: string, exported: boolean): string[] {
  return [...reportOf(entry).matchAll(DECLARATION)]
    .filter(([, keyword]) => (keyword !== undefined) === exported)
    .map(([, , name]) => name!)
}

describe('the API reports', () => {
  it.each(ENTRIES.filter((entry) => entry !== 'bridge'))('of %s hold no declaration that is not exported', (entry) => {
    // `export { Credential_2 as Credential }` follows a declaration whose name is one of the platform's too.
    const later = new Set([...reportOf(entry).matchAll(/^export \{ (\w+)(?: as \w+)? \}$/gm)].map(([, name]) => name))
    expect(declared(entry, false).filter((name) => !later.has(name))).toEqual([])
  })

  it('of the bridge hold none but what the tables of the protocol are made of', () => {
    const folder = join(ROOT, 'src', 'bridge', 'protocol')
    const tables = ['messageTable', 'messageRow', 'messages', 'commandTable', 'fields', 'wireRecord', 'normalize']
      .concat(['depositMessages', 'networkMessages', 'gatewayMessages', 'versions'])
      .map((file) => readFileSync(join(folder, `${file}.ts`), 'utf8'))
      .join('\n')
    const others = declared('bridge', false).filter(
      (name) => !new RegExp(`(?:const|type|interface) ${name.replace(/_\d$/, '')}\\b`).test(tables)
    )
    expect(others).toEqual([])
  })

  it('show each declaration in full once, in the entry that owns it', () => {
    const places = new Map<string, string[]>()
    for (const entry of ENTRIES)
      for (const name of new Set(declared(entry, true))) places.set(name, [...(places.get(name) ?? []), entry])
    // Two types of one name: what the ledger says of a script, and what an evaluator does.
    expect([...places].filter(([, entries]) => entries.length > 1)).toEqual([['ScriptFailure', ['index', 'scalus']]])
  })

  it('of the client has fewer than 900 lines', () => {
    expect(reportOf('client').split('\n').length).toBeLessThan(900)
  })
})
