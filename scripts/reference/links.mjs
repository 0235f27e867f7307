// Where things are, seen from a page.
import { posix } from 'node:path'
import { slugify } from '../../site/.vitepress/slugify.mjs'

/** Address of a page, item or member from the page at `path`; both below docs/. */
export function hrefOf(path, target) {
  const file = target.path === path ? '' : posix.relative(posix.dirname(path), target.path)
  return `${file}${target.anchor === undefined ? '' : `#${target.anchor}`}`
}

/**
 * What a page links with: names of docstrings, and symbols of types. What has no page, or is the page itself, has no
 * address.
 */
export function linksFrom(reference, path, entry) {
  const addressOf = (target) => (target === undefined ? undefined : hrefOf(path, target) || undefined)
  return {
    /** Address of the name in a `{@link}`. */
    ofName: (name) => addressOf(reference.byName(name.replace(/\(\)$/, ''), entry)),
    /** { name, href } of what a type names; undefined for what is not ours. */
    ofSymbol: (symbol) => {
      const target = reference.itemOf(symbol)
      return target === undefined ? undefined : { name: target.name, href: addressOf(target) }
    }
  }
}

/**
 * A page of docs/ whose links into the long lists by entry, such as `reference/tx.md#buildpayment`, lead to the pages
 * that stand in their place; without a reference they stay.
 */
export function linkItems(text, path, reference) {
  return text.replace(/\]\((?:\.\.\/)*reference\/([\w-]+)\.md#([\w-]+)\)/g, (link, entry, anchor) => {
    const item = reference?.exported.get(entry)?.find(({ name }) => name.toLowerCase() === anchor)
    return item === undefined ? link : `](${hrefOf(path, item)})`
  })
}

const withoutCode = (text) => text.replace(/^```[\s\S]*?^```/gm, '')

/**
 * The links of generated pages that lead nowhere. `pages` is path -> Markdown, `others` further pages that there are.
 */
export function brokenLinks(pages, others = new Map()) {
  const all = new Map([...others, ...pages])
  const anchors = new Map()
  const anchorsOf = (path) => {
    if (!anchors.has(path))
      anchors.set(path, new Set([...all.get(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slugify(heading))))
    return anchors.get(path)
  }
  const broken = []
  for (const [page, text] of pages) {
    for (const [, href] of withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?|mailto):/.test(href)) continue
      const [file, anchor] = href.split('#')
      const target = file === '' ? page : posix.join(posix.dirname(page), file)
      if (!all.has(target) || (anchor !== undefined && !anchorsOf(target).has(anchor))) broken.push(`${page}: ${href}`)
    }
  }
  return broken
}
