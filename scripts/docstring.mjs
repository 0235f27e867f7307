// Docstrings as Markdown, for the reference and the error index.
import ts from 'typescript'
import { sectionsOf, withLinks } from './reference/docText.mjs'

/**
 * What follows each `@throws` or each `@see` of a docstring. The compiler takes the word or link that stands first for
 * a name and cuts the text there ("@see CIP-19" -> "-19"), so the source is read instead.
 */
const textsOf = (doc, name) =>
  sectionsOf(doc.getText())
    .filter(({ tag }) => tag === name)
    .map(({ text }) => text.replace(/\s+/g, ' '))

/** A value as code; a text that has code in it as it is. */
const defaultOf = (text) => (text.includes('`') ? text : `\`${text}\``)

/**
 * A declaration's docstring as Markdown: text, then its tags; empty when it has none. `hrefOf(name)` gives the address
 * of what a `{@link}` names.
 */
export function renderDoc(declaration, hrefOf = () => undefined) {
  const linked = (text) => withLinks(text, hrefOf)
  const plain = (comment) => linked(ts.getTextOfJSDocComment(comment) ?? '').trim()
  const holder = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  const doc = (holder.jsDoc ?? []).at(-1)
  if (doc === undefined) return ''
  const parts = [plain(doc.comment)]
  const throws = textsOf(doc, 'throws')
  const sees = textsOf(doc, 'see')
  for (const tag of doc.tags ?? []) {
    const text = plain(tag.comment)
    const name = tag.tagName.text
    if (name === 'param') parts.push(`- \`${tag.name.getText()}\` ${text.replace(/^- /, '')}`)
    else if (name === 'throws') parts.push(`Throws ${linked(throws.shift() ?? '')}`)
    else if (name === 'default') parts.push(`Default: ${defaultOf(text.replace(/\s+/g, ' '))}`)
    else if (name === 'see') parts.push(`See ${linked(sees.shift() ?? '')}`)
    else if (name === 'returns') parts.push(`Returns ${text}`)
    else if (name === 'example') parts.push(text)
  }
  return parts.filter((part) => part !== '').join('\n\n')
}

/**
 * A declaration's own text, without modifiers and private members; docstrings stay in type aliases, where nothing else
 * shows them.
 */
export function signatureOf(declaration) {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  if (ts.isTypeAliasDeclaration(node)) return node.getText().replace(/^(export )?(declare )?/, '')
  const printer = ts.createPrinter({ removeComments: true })
  return printer
    .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
    .replace(/^(export )?(declare )?/, '')
    .replace(/^ +(#private|private .*);\n/gm, '')
}
