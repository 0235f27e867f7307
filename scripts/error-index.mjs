// Writes src/cli/explain/errorIndex.ts, which `layer-sdk explain` prints, from the error classes and the remedies; with
// --check, fails when it is stale. `npm run docs` does the same and renders docs/errors.md from the same entries.
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { renderDoc } from './docstring.mjs'
import { ROOT } from './entries.mjs'

export const ERROR_INDEX = 'src/cli/explain/errorIndex.ts'

const parse = (path) => ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.ES2022, true)
const oneLine = (text) => text.replace(/\s+/g, ' ').trim()

/** Class name -> its codes, in the order of `LayerErrors`. */
function codesByClass() {
  const table = parse('src/errors/codes.ts').statements.find(
    (each) => ts.isInterfaceDeclaration(each) && each.name.text === 'LayerErrors'
  )
  const found = new Map()
  for (const { name, type } of table.members)
    found.set(type.getText(), [...(found.get(type.getText()) ?? []), name.getText()])
  return found
}

/** Code -> remedy. */
function readRemedies() {
  const statement = parse('src/cli/explain/remedies.ts').statements.find(ts.isVariableStatement)
  const { properties } = statement.declarationList.declarations[0].initializer
  return new Map(properties.map(({ name, initializer }) => [name.getText(), initializer.text]))
}

/** Public members of a class that its docstring does not cover: no name, no code, nothing private. */
const fieldsOf = (declaration) =>
  declaration.members.filter(
    (each) =>
      ts.isPropertyDeclaration(each) &&
      !ts.isPrivateIdentifier(each.name) &&
      !['name', 'code'].includes(each.name.getText())
  )

/** Every error class: `{ name, codes, meaning, fields, remedies }`; `hrefOf` as in `renderDoc`. */
export function readErrors(hrefOf) {
  const remedies = readRemedies()
  const byClass = codesByClass()
  const errors = []
  for (const file of readdirSync(join(ROOT, 'src', 'errors'))) {
    for (const declaration of parse(`src/errors/${file}`).statements.filter(ts.isClassDeclaration)) {
      const name = declaration.name.text
      const codes = byClass.get(name)
      if (codes === undefined) continue
      const meaning = oneLine(renderDoc(declaration, hrefOf).split('\n\n')[0])
      const fields = fieldsOf(declaration).map((each) => [each.name.getText(), oneLine(renderDoc(each, hrefOf))])
      errors.push({ name, codes, meaning, fields, remedies: codes.map((code) => remedies.get(code)) })
    }
  }
  return errors.sort((a, b) => (a.codes[0] < b.codes[0] ? -1 : 1))
}

/** The page docs/errors.md. */
export function renderErrorPage(hrefOf) {
  const lines = [
    '# Errors',
    '',
    'Made by `npm run docs` from the error classes. Compare `error.code`, or use `isLayerError(error, code)`, which narrows to the class; messages may be reworded. `npx layer-sdk explain CODE` prints a section in the terminal.',
    ''
  ]
  // A heading per code: the last line of each error's message leads to it.
  for (const { codes, name, meaning, fields, remedies } of readErrors(hrefOf)) {
    lines.push(...codes.flatMap((code) => [`## ${code}`, '']), `\`${name}\`: ${meaning}`, '')
    if (fields.length > 0) lines.push(...fields.map(([field, text]) => `- \`${field}\` ${text}`.trim()), '')
    codes.forEach((code, at) => {
      lines.push(codes.length === 1 ? `To do: ${remedies[at]}` : `To do for \`${code}\`: ${remedies[at]}`, '')
    })
  }
  return `${lines.join('\n').trimEnd()}\n`
}

/** The module that the command loads. */
export function renderErrorIndex() {
  const entries = readErrors().flatMap(({ codes, name, meaning, fields }) =>
    codes.map((code) => [code, { name, meaning, fields: Object.fromEntries(fields) }])
  )
  const rows = entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, entry]) => `  ${code}: ${JSON.stringify(entry)}`)
  return [
    '// Made by scripts/error-index.mjs from the error classes: `npm run docs` writes it anew.',
    '// prettier-ignore',
    'export const ERROR_INDEX = {',
    rows.join(',\n'),
    '} as const',
    ''
  ].join('\n')
}

/** Writes the module where it is stale; true when it was. */
export function updateErrorIndex(check) {
  const target = join(ROOT, ERROR_INDEX)
  const text = renderErrorIndex()
  if (existsSync(target) && readFileSync(target, 'utf8') === text) return false
  if (check) console.error(`${ERROR_INDEX} is stale: run \`node scripts/error-index.mjs\` and commit it.`)
  else writeFileSync(target, text)
  return true
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check')
  const stale = updateErrorIndex(check)
  if (stale && check) process.exitCode = 1
  else console.log(`${ERROR_INDEX} ${stale ? 'written' : 'is up to date'}`)
}
