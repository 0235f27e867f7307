// The built site, as a reader gets it: `npm run docs:site` builds it first.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { searchOptions } from '../.vitepress/search.mjs'

const SITE = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(SITE, 'dist')
const DOCS = join(SITE, '..', 'docs')

/**
 * Builds the site once more, while the other tests read the first build; `built` resolves with null, or why it failed.
 */
function buildAgain() {
  const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-site-'))
  const vitepress = join(SITE, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
  const built = new Promise((resolve) =>
    execFile(process.execPath, [vitepress, 'build', '--outDir', folder], { cwd: SITE, maxBuffer: 2 ** 26 }, resolve)
  )
  return { folder, built }
}
const second = buildAgain()

const filesOf = (folder) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
const pages = filesOf(DIST).filter((name) => name.endsWith('.html'))
const html = new Map(pages.map((name) => [name, readFileSync(join(DIST, name), 'utf8')]))
const idsOf = new Map(
  [...html].map(([name, text]) => [name, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))])
)

/** The search index, as a browser loads it. */
async function searchIndex() {
  const chunks = join(DIST, 'assets', 'chunks')
  const name = readdirSync(chunks).find((each) => each.startsWith('@localSearchIndexroot'))
  assert.ok(name, 'no search index was built')
  const { default: json } = await import(pathToFileURL(join(chunks, name)))
  return MiniSearch.loadJSON(json, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions
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

/** Folder of an entry's pages in the reference: reference/bridge of reference/bridge/LayerBridge/connect.html. */
const roomOf = (name) => /^reference\/[^/]+(?=\/)/.exec(name)?.[0]
const referencePages = pages.filter((name) => roomOf(name) !== undefined)

/** The page whose sidebar names a page: that of its class, of its entry, or of the guides. */
function ownerOf(name) {
  const [, room, item, member] = name.split('/')
  if (roomOf(name) === undefined) return 'getting-started.html'
  return member === undefined
    ? `reference/${room.replace('layer-sdk', 'index')}.html`
    : `reference/${room}/${item}.html`
}

test('the sidebar names every page, that of an entry every page of the entry, that of a class its members', () => {
  const wanted = pages.filter((name) => name !== '404.html' && name !== 'index.html')
  assert.deepEqual(
    wanted.filter((name) => !html.get(ownerOf(name)).includes(`href="/${name}"`)),
    []
  )
})

/** Links of a page that lead nowhere. */
function brokenLinks(name, text) {
  const broken = []
  for (const [, href] of text.replace(/<pre[\s\S]*?<\/pre>/g, '').matchAll(/<a [^>]*?href="([^"]+)"/g)) {
    if (/^(https?|mailto):/.test(href)) continue
    const [path, anchor] = decodeURI(href).split('#')
    let target = path === '' ? name : path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(name), path)
    if (target === '' || target.endsWith('/')) target = posix.join(target, 'index.html')
    if (!html.has(target)) broken.push(`${name}: ${href}`)
    else if (anchor && !idsOf.get(target).has(anchor)) broken.push(`${name}: ${href} has no such anchor`)
  }
  return broken
}

test('every link and anchor of the site leads somewhere on it', () => {
  assert.deepEqual(
    [...html].flatMap(([name, text]) => brokenLinks(name, text)),
    []
  )
  assert.deepEqual(brokenLinks('errors.html', '<a href="./"></a>'), [], 'the home page')
  const page =
    '<a href="../errors.html#no_such_code"></a><a class="x" href="/nowhere.html"></a><a href="../errors.html#input_hex"></a>'
  assert.deepEqual(brokenLinks('reference/bridge.html', page), [
    'reference/bridge.html: ../errors.html#no_such_code has no such anchor',
    'reference/bridge.html: /nowhere.html'
  ])
})

test('every function, class and member has a page that says how to import it and since when it is there', () => {
  const items = referencePages.filter((name) => !name.endsWith('/types.html'))
  assert.ok(items.length > 300)
  assert.deepEqual(
    items.filter(
      (name) =>
        !idsOf.get(name).has('import') || !/ (since \d+\.\d+\.\d+|not in a release yet)<\/p>/.test(html.get(name))
    ),
    []
  )
  // Each of them is a file and a second of somebody's build: the reference stays a few hundred pages.
  assert.ok(items.length < 800, `${items.length} pages`)
})

test('every function and class has an example, and what throws leads to its errors', () => {
  const functions = referencePages.filter(
    (name) =>
      name.split('/').length === 3 && !name.endsWith('Error.html') && / · (function|class) · /.test(html.get(name))
  )
  assert.ok(functions.length > 120)
  assert.deepEqual(
    functions.filter((name) => !idsOf.get(name).has('example')),
    []
  )
  assert.ok(
    referencePages.filter((name) => html.get(name).includes('/errors.html#') && idsOf.get(name).has('errors')).length >
      150
  )
  const connect = html.get('reference/bridge/CachedHead/getAddressUTxOs.html')
  assert.match(connect, /id="options-limit"|id="optionslimit"/)
})

test('every error code has the anchor that its message names', () => {
  const codes = [
    ...readFileSync(join(SITE, '..', 'src', 'errors', 'codes.ts'), 'utf8').matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)
  ].map(([, code]) => code)
  assert.ok(codes.length > 40)
  assert.deepEqual(
    codes.filter((code) => !idsOf.get('errors.html').has(code.toLowerCase())),
    []
  )
})

for (const [query, page] of [
  ['getAddressUTxOs', '/reference/bridge/CachedHead/getAddressUTxOs.html'],
  ['payMany', '/reference/client/payMany.html'],
  ['insufficient funds', '/guides/troubleshooting.html'],
  ['chaining', '/guides/troubleshooting.html'],
  ['min ada', '/concepts/fees.html'],
  ['history', '/guides/troubleshooting.html'],
  ['L1', '/concepts/ledgers.html'],
  ['Blockfrost', '/guides/providers.html'],
  ['Ogmios', '/guides/providers.html'],
  ['refund', '/guides/payments.html'],
  ['refund', '/concepts/deposits.html'],
  ['receive', '/guides/payments.html']
]) {
  test(`the search finds ${page} for "${query}" among its first five answers`, async () => {
    const answers = found(await searchIndex(), query)
    assert.ok(
      answers.some((id) => id.split('#')[0] === page),
      `it found ${answers.join(', ')}`
    )
  })
}

for (const name of ['pay', 'deposit', 'withdraw', 'closeHead']) {
  test(`the search for "${name}" shows the function of that name first`, async () => {
    assert.equal(found(await searchIndex(), name)[0].split('#')[0], `/reference/client/${name}.html`)
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
    assert.doesNotMatch(
      readFileSync(join(DIST, name), 'utf8'),
      /url\(["']?(https?:)?\/\/|@import|<image|xlink:href="http/,
      name
    )
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

test('a second build gives the same bytes', async () => {
  const hashes = (root) =>
    filesOf(root).map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(root, name)))
          .digest('hex')} ${name}`
    )
  try {
    assert.equal(await second.built, null)
    assert.deepEqual(hashes(second.folder), hashes(DIST))
  } finally {
    rmSync(second.folder, { recursive: true, force: true })
  }
})
