import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS } from '../../src/bridge/protocol/commandTable'
import { MESSAGES } from '../../src/bridge/protocol/messageTable'

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
  it.each(ENTRIES)('of %s hold no declaration that is not exported', (entry) => {
    // `export { Credential_2 as Credential }` follows a declaration whose name is one of the platform's too.
    const later = new Set([...reportOf(entry).matchAll(/^export \{ (\w+)(?: as \w+)? \}$/gm)].map(([, name]) => name))
    expect(declared(entry, false).filter((name) => !later.has(name))).toEqual([])
  })

  it('of the bridge write out the messages and inputs, whose source are the tables of the protocol', () => {
    const report = reportOf('bridge')
    const union = (name: string): string => new RegExp(`export type ${name} = ([^]*?)\\n};`).exec(report)![1]!
    const tags = (name: string): string[] =>
      [...union(name).matchAll(/^ {4}tag: ["'](\w+)["'];/gm)].map(([, tag]) => tag!)
    expect(tags('LayerPayload').sort()).toEqual(Object.keys(MESSAGES).sort())
    expect(tags('LayerInput').sort()).toEqual(Object.keys(COMMANDS).sort())
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
