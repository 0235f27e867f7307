import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'

const membersOf = (name: string): readonly ts.TypeElement[] => {
  const file = resolve(`src/client/api/${name}.ts`)
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true)
  return source.statements.find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === name
  )!.members
}
const declared = [
  ...membersOf('HeadClient'),
  ...membersOf('HeadLife'),
  ...membersOf('HeadReceipts'),
  ...membersOf('HeadOffers')
]
const methods = declared
  .filter(ts.isMethodSignature)
  // [Symbol.asyncDispose] is called by `await using` alone.
  .filter(({ name }) => ts.isIdentifier(name))
  .map((method) => ({
    name: method.name.getText(),
    text: ts.getJSDocCommentsAndTags(method).map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')[0] ?? '',
    throws: ts.getJSDocTags(method).filter(({ tagName }) => tagName.text === 'throws'),
    examples: ts.getJSDocTags(method).filter(({ tagName }) => tagName.text === 'example')
  }))

/** Methods that neither throw nor reject. */
const SAFE = ['disconnect', 'status']

it('finds the methods that people hover', () => {
  expect(methods.length).toBeGreaterThan(20)
})

it.each(methods.map((method) => [method.name, method] as const))(
  'HeadClient.%s has a sentence, its errors and an example',
  (name, { text, throws, examples }) => {
    expect(text).toMatch(/^[A-Z][^]{20,}\./)
    expect(examples.map(({ comment }) => ts.getTextOfJSDocComment(comment))).toEqual([
      expect.stringContaining(`head.${name}(`)
    ])
    expect(throws.length > 0).toBe(!SAFE.includes(name))
  }
)
