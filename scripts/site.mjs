// Lays out the site's pages in .cache/site: those of docs/, and in place of its long lists by entry a reference with a
// page for every function, class and member, made from the same declarations.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { libraryEntries, readJson, ROOT, specifierOf } from './entries.mjs'
import { brokenLinks, linkItems } from './reference/links.mjs'
import { readReference } from './reference/model.mjs'
import { introductions } from './reference/introduction.mjs'
import { renderReference } from './reference/pages.mjs'
import { referenceSidebars } from './reference/sidebar.mjs'

const DOCS = join(ROOT, 'docs')
const SITE = join(ROOT, '.cache', 'site')

/** Whether the site shows a file of docs/ as it lies there. */
const isCopied = (path) => !/^reference(\/|\\|$)/.test(relative(DOCS, path))

/** The pages of docs/ that the reference links to. */
const pagesOfDocs = () =>
  new Map(
    readdirSync(DOCS, { recursive: true })
      .filter((path) => path.endsWith('.md') && isCopied(join(DOCS, path)))
      .map((path) => [path, readFileSync(join(DOCS, path), 'utf8')])
  )

let reference

/** Makes the folder that VitePress reads. */
export function layOutSite() {
  const files = Object.fromEntries(
    Object.keys(libraryEntries).map((name) => [name, join(ROOT, 'dist', `${name}.d.ts`)])
  )
  reference = readReference({ files, released: readJson('etc/released.json') })
  const pages = renderReference(reference, specifierOf, introductions())
  const broken = brokenLinks(pages, pagesOfDocs())
  if (broken.length > 0) throw new Error(`Links of the reference that lead nowhere:\n${broken.join('\n')}`)
  rmSync(SITE, { recursive: true, force: true })
  cpSync(DOCS, SITE, { recursive: true, filter: isCopied })
  mkdirSync(join(SITE, 'public'), { recursive: true })
  cpSync(join(DOCS, 'llms.txt'), join(SITE, 'public', 'llms.txt'))
  for (const path of pagesOfDocs().keys()) copyPage(join(DOCS, path))
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(SITE, path)), { recursive: true })
    writeFileSync(join(SITE, path), text)
  }
  writeFileSync(join(SITE, 'reference', 'sidebars.json'), JSON.stringify(referenceSidebars(reference, specifierOf)))
  return pages.size
}

/** Copies a page, also one that was changed while the site is served. */
export function copyPage(path) {
  if (!isCopied(path) || !existsSync(path)) return
  const name = relative(DOCS, path)
  if (!name.endsWith('.md')) cpSync(path, join(SITE, name))
  else writeFileSync(join(SITE, name), linkItems(readFileSync(path, 'utf8'), name.replaceAll('\\', '/'), reference))
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  console.log(`${layOutSite()} pages of the reference are laid out`)
