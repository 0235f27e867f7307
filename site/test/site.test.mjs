// The built site, as a reader gets it: `npm run docs:site` builds it first.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'

const SITE = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(SITE, 'dist')
const DOCS = join(SITE, '..', 'docs')

const filesOf = (folder) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
const pages = filesOf(DIST).filter((name) => name.endsWith('.html'))
const html = new Map(pages.map((name) => [name, readFileSync(join(DIST, name), 'utf8')]))
const idsOf = new Map([...html].map(([name, text]) => [name, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]))

/** The search index, as a browser loads it. */
async function searchIndex() {
  const chunks = join(DIST, 'assets', 'chunks')
  const name = readdirSync(chunks).find((each) => each.startsWith('@localSearchIndexroot'))
  assert.ok(name, 'no search index was built')
  const { default: json } = await import(pathToFileURL(join(chunks, name)))
  // Fields and weights of the site's search box.
  return MiniSearch.loadJSON(json, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } }
  })
}

const found = (index, query) =>
  index
    .search(query)
    .slice(0, 5)
    .map(({ id }) => id)

test('every page of docs/ is on the site', () => {
  const expected = filesOf(DOCS)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replace(/\.md$/, '.html'))
  assert.deepEqual(
    expected.filter((name) => !html.has(name)),
    []
  )
  assert.ok(expected.length > 20)
})

test('the sidebar of every page names every page', () => {
  const wanted = pages.filter((name) => name !== '404.html' && name !== 'index.html').map((name) => `/${name}`)
  const text = html.get('getting-started.html')
  assert.deepEqual(
    wanted.filter((link) => !text.includes(`href="${link}"`)),
    []
  )
})

test('every link and anchor of the site leads somewhere on it', () => {
  const broken = []
  for (const [name, text] of html) {
    for (const [, href] of text.replace(/<pre[\s\S]*?<\/pre>/g, '').matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      if (/^(https?|mailto):/.test(href)) continue
      const [path, anchor] = decodeURI(href).split('#')
      let target = path === '' ? name : path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(name), path)
      if (target === '' || target.endsWith('/')) target += 'index.html'
      if (!html.has(target)) broken.push(`${name}: ${href}`)
      else if (anchor && !idsOf.get(target).has(anchor)) broken.push(`${name}: ${href} has no such anchor`)
    }
  }
  assert.deepEqual(broken, [])
})

test('every error code has the anchor that its message names', () => {
  const codes = [...readFileSync(join(SITE, '..', 'src', 'errors', 'codes.ts'), 'utf8').matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, code]) => code)
  assert.ok(codes.length > 40)
  assert.deepEqual(
    codes.filter((code) => !idsOf.get('errors.html').has(code.toLowerCase())),
    []
  )
})

for (const [query, page] of [
  ['insufficient funds', '/guides/troubleshooting.html'],
  ['chaining', '/guides/troubleshooting.html'],
  ['min ada', '/concepts/fees.html'],
  ['history', '/guides/troubleshooting.html']
]) {
  test(`the search finds ${page} for "${query}" among its first five answers`, async () => {
    const answers = found(await searchIndex(), query)
    assert.ok(
      answers.some((id) => id.split('#')[0] === page),
      `it found ${answers.join(', ')}`
    )
  })
}

test('the search finds nothing for a word that no page has', async () => {
  assert.deepEqual(found(await searchIndex(), 'qzxvwkjqzx'), [])
})

test('the site loads nothing from another host', () => {
  const loads = /<(?:script|link|img|iframe)[^>]*?(?:src|href)="(?:https?:)?\/\/[^"]*"/
  assert.deepEqual(
    [...html].filter(([, text]) => loads.test(text)).map(([name]) => name),
    []
  )
  for (const name of filesOf(DIST).filter((each) => each.endsWith('.css') || each.endsWith('.svg'))) {
    assert.doesNotMatch(readFileSync(join(DIST, name), 'utf8'), /url\(["']?(https?:)?\/\/|@import|<image|xlink:href="http/, name)
  }
})

test('every drawing has a text for those who cannot see it', () => {
  const pictures = [...html].flatMap(([name, text]) => [...text.matchAll(/<img [^>]*>/g)].map(([tag]) => [name, tag]))
  assert.ok(pictures.length >= 5)
  assert.deepEqual(
    pictures.filter(([, tag]) => !/ alt="[^"]{10,}"/.test(tag)),
    []
  )
})

test('a second build gives the same bytes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-site-'))
  const hashes = (root) =>
    filesOf(root).map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(root, name)))
          .digest('hex')} ${name}`
    )
  try {
    execFileSync(process.execPath, [join(SITE, 'node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build', '--outDir', folder], {
      cwd: SITE,
      stdio: 'ignore'
    })
    assert.deepEqual(hashes(folder), hashes(DIST))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
