// Types as they stand in the declarations, with a link at every name that has a page.
import ts from 'typescript'

/** Characters that Markdown, HTML or a table would take for their own. */
const SPECIAL = /[&<>|{}*_`[\]\\~]/g
export const escapeText = (text) => text.replace(SPECIAL, (character) => `&#${character.charCodeAt(0)};`)

/** Names of a type with what is shown in their place, in the order of the text. */
function replacementsIn(node, checker, linkOf) {
  const found = []
  const visit = (child) => {
    if (ts.isIdentifier(child)) {
      const symbol = checker.getSymbolAtLocation(child)
      const target = symbol === undefined ? undefined : linkOf(symbol)
      // Bundled declarations number equal names: Credential$1.
      const name = escapeText(target?.name ?? child.text.replace(/\$\d+$/, ''))
      found.push({
        from: child.getStart(),
        to: child.getEnd(),
        html: target?.href === undefined ? name : `[${name}](${target.href})`
      })
      return
    }
    ts.forEachChild(child, visit)
  }
  visit(node)
  return found.sort((a, b) => a.from - b.from)
}

/**
 * A type as inline Markdown; `linkOf(symbol)` gives { name, href } for what has a page. Of a method what stands behind
 * its name, `from`.
 */
export function typeMarkdown(node, checker, linkOf, from = node.getStart()) {
  const source = node.getSourceFile().text
  let at = from
  let text = ''
  const end = node.getEnd() - (source[node.getEnd() - 1] === ';' ? 1 : 0)
  const plain = (to) =>
    escapeText(
      source
        .slice(at, to)
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/\s+/g, ' ')
        .replace(/; ?\}/g, ' }')
    )
  for (const { from: start, to, html } of replacementsIn(node, checker, linkOf)) {
    if (start < at) continue
    text += plain(start) + html
    at = to
  }
  return codeOf((text + plain(end)).trim().replace(/^&#124; /, ''))
}

/** Links to everything of ours that a declaration names, besides itself. */
export function typeLinks(node, checker, linkOf) {
  const own = linkOf(node.symbol)?.name
  const links = []
  const visit = (child) => {
    const symbol = ts.isIdentifier(child) ? checker.getSymbolAtLocation(child) : undefined
    const target = symbol === undefined ? undefined : linkOf(symbol)
    if (target?.href !== undefined && target.name !== own) links.push(`[\`${target.name}\`](${target.href})`)
    ts.forEachChild(child, visit)
  }
  visit(node)
  return links
}

/** Inline code whose Markdown is read: links work in it, Vue's braces do not. */
export const codeOf = (markdown) => `<code v-pre>${markdown}</code>`
