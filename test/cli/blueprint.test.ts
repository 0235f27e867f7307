import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../src/cli/main'
import { BLUEPRINT } from '../tx/blueprintFile'

const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-blueprint-'))
const file = (name: string, text?: string): string => {
  const path = join(folder, name)
  if (text !== undefined) writeFileSync(path, text)
  return path
}
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...args: string[]): Promise<{ code: number; out: string; errors: string }> {
  const [out, errors]: [string[], string[]] = [[], []]
  const code = await main(args, {
    version: '1.2.3',
    out: (text) => out.push(text),
    error: (text) => errors.push(text),
    stopped: () => Promise.resolve()
  })
  return { code, out: out.join('\n'), errors: errors.join('\n') }
}

describe('layer-sdk blueprint', () => {
  const blueprint = file('plutus.json', JSON.stringify(BLUEPRINT))

  it('refuses wrong usage, files that are none, and to write over the file of another', async () => {
    expect(await run('blueprint')).toMatchObject({ code: 2, errors: expect.stringContaining('needs one FILE') })
    expect(await run('blueprint', 'a', 'b')).toMatchObject({ code: 2 })
    expect(await run('blueprint', file('missing.json'))).toMatchObject({
      code: 1,
      errors: expect.stringContaining('cannot be read (ENOENT)')
    })
    for (const text of ['{', '[]', JSON.stringify({ ...BLUEPRINT, validators: 5 })])
      expect(await run('blueprint', file('wrong.json', text))).toMatchObject({
        code: 1,
        errors: expect.stringContaining('is not a blueprint')
      })
    const mine = file('mine.ts', 'export const mine = 1\n')
    expect(await run('blueprint', blueprint, '--out', mine)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('stays as it is')
    })
    expect(readFileSync(mine, 'utf8')).toBe('export const mine = 1\n')
    expect(await run('blueprint', blueprint, '--out', join(folder, 'none', 'types.ts'))).toMatchObject({ code: 1 })
  })

  it('prints the types, or writes them and prints the hashes; a file of its own again', async () => {
    const printed = await run('blueprint', blueprint)
    expect(printed).toMatchObject({
      code: 0,
      out: expect.stringContaining("'escrow.escrow.spend'".replaceAll("'", '"'))
    })
    const types = file('types.ts')
    for (let i = 0; i < 2; i++) {
      const written = await run('blueprint', blueprint, '--out', types)
      expect(written).toMatchObject({ code: 0, out: expect.stringContaining(BLUEPRINT.validators[0]!.hash!) })
      expect(written.out).toContain('needs name, limits')
      expect(readFileSync(types, 'utf8').trimEnd()).toBe(printed.out)
    }
    const { out } = await run('blueprint', blueprint, '--out', types, '--json')
    expect(JSON.parse(out)).toMatchObject({ file: types, contracts: [{ title: 'escrow.escrow.spend' }, {}] })
  })
})
