// The site over the Markdown of docs/ and the reference, as scripts/site.mjs lays them out. The pages themselves are
// plain: they read the same in the repository and in the package.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { search } from './search.mjs'
import { slugify } from './slugify.mjs'
import { sidebar } from './sidebar.mjs'

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url))
const PAGES = fileURLToPath(new URL('../../.cache/site', import.meta.url))
const VUE = fileURLToPath(new URL('../node_modules/vue/dist/vue.runtime.esm-bundler.js', import.meta.url))
const referenceSidebars = JSON.parse(
  readFileSync(new URL('../../.cache/site/reference/sidebars.json', import.meta.url), 'utf8')
)
const { version, license } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Pages lie outside this folder, and the package itself has no Vue: they get the one that is installed here. */
const vueOfTheSite = {
  name: 'vue-of-the-site',
  enforce: 'pre',
  resolveId(source, importer, options) {
    if (!/^vue($|\/)/.test(source)) return
    if (options.ssr) return { id: source, external: true }
    if (importer?.startsWith(PAGES)) return VUE
  }
}

/** `vitepress dev` shows a page of docs/ as soon as it is saved. */
const changesOfDocs = {
  name: 'changes-of-docs',
  configureServer({ watcher }) {
    watcher.add(DOCS)
    const copy = async (path) => path.startsWith(DOCS) && (await import('../../scripts/site.mjs')).copyPage(path)
    watcher.on('change', copy).on('add', copy)
  }
}

/**
 * VitePress asks Vite to bundle what it imports, by names below the pages' folder, which has no packages: Vite finds
 * them from VitePress itself.
 */
const dependenciesOfVitePress = {
  name: 'dependencies-of-vitepress',
  configResolved({ optimizeDeps }) {
    optimizeDeps.include = optimizeDeps.include?.filter((name) => !name.startsWith('vitepress > '))
  }
}

/** On a phone most tables fit with less room between their columns; wider ones scroll by themselves. */
const NARROW_TABLES =
  '@media (max-width: 640px) { .vp-doc table th, .vp-doc table td { padding: 6px 7px; font-size: 13px } }'

const highlighted = new Map()

/**
 * Colours each piece of code once: the pages of a class's members show the same example, and the search reads every
 * page again.
 */
function highlightOnce(md) {
  const { highlight } = md.options
  md.options.highlight = (code, language, attributes) => {
    const key = JSON.stringify([code, language, attributes])
    if (!highlighted.has(key)) highlighted.set(key, highlight(code, language, attributes))
    return highlighted.get(key)
  }
}

/**
 * Colours every line to its end: by itself it stops after half a second, and a build on a busy machine differs from the
 * next one.
 */
function withoutTimeLimit(shiki) {
  const { codeToHtml } = shiki
  shiki.codeToHtml = (code, options) => codeToHtml(code, { ...options, tokenizeTimeLimit: 0 })
}

/** Whether a link of a page leads out of docs/. */
const outside = (env, href) => /^\.\.?\//.test(href) && join(dirname(env.relativePath ?? ''), href).startsWith('..')

export default defineConfig({
  title: 'layer-sdk',
  description: 'Wallets, providers, a transaction builder and a client for Cardano and its layer-two heads.',
  lang: 'en',
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    ['style', {}, NARROW_TABLES]
  ],
  srcDir: '../.cache/site',
  outDir: './dist',
  cacheDir: '../.cache/vitepress',
  // Host it below a path: DOCS_BASE=/layer-sdk/ npm run docs:build
  base: process.env.DOCS_BASE ?? '/',
  lastUpdated: false,
  // The search index follows the order in which pages are read: one at a time, or two builds differ.
  buildConcurrency: 1,
  // The names of all pages, and the sidebars, are loaded once and not written into every page.
  metaChunk: true,
  // The search index is one chunk, loaded with the first search.
  vite: { plugins: [vueOfTheSite, changesOfDocs, dependenciesOfVitePress], build: { chunkSizeWarningLimit: 4000 } },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    shikiSetup: withoutTimeLimit,
    anchor: { slugify },
    toc: { slugify },
    config(md) {
      highlightOnce(md)
      // The home page shows its title and first paragraph as its banner.
      md.core.ruler.push('home-title', ({ tokens, env }) => {
        if (env.relativePath === 'index.md')
          tokens.splice(
            0,
            tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h2')
          )
      })
      // Files outside docs/, such as CONTRIBUTING.md, exist in the repository and in the package, but not on the site:
      // their names stay as text.
      md.core.ruler.push('links-outside', ({ tokens, env }) => {
        for (const { children } of tokens) {
          let inside = false
          for (const token of children ?? []) {
            if (token.type === 'link_open' && outside(env, token.attrGet('href') ?? '')) inside = true
            if (!inside) continue
            if (token.type === 'link_close') inside = false
            if (token.type.startsWith('link_'))
              Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '', attrs: null })
          }
        }
      })
    }
  },
  // The home page is plain Markdown in docs/; what only the site shows stands here.
  transformPageData(page) {
    if (page.relativePath === 'index.md') Object.assign(page.frontmatter, home)
  },
  themeConfig: {
    outline: [2, 3],
    search,
    nav: [
      { text: 'Start', link: '/getting-started' },
      { text: 'Concepts', link: '/concepts/heads' },
      { text: 'Guides', link: '/guides/bridge', activeMatch: '^/guides/' },
      { text: 'Troubleshooting', link: '/guides/troubleshooting' },
      { text: 'Reference', link: '/reference/index', activeMatch: '^/reference/' },
      { text: 'Errors', link: '/errors' }
    ],
    sidebar: { ...referenceSidebars, '/': sidebar(PAGES) },
    footer: { message: `Version ${version}. Licence: ${license}.` }
  }
})

const home = {
  layout: 'home',
  hero: {
    name: 'layer-sdk',
    text: 'Payments in a Cardano head',
    tagline:
      'Wallets, providers, a transaction builder and a head client in pure TypeScript, for every JavaScript runtime.',
    actions: [
      { theme: 'brand', text: 'Get started', link: '/getting-started' },
      { theme: 'alt', text: 'What a head is', link: '/concepts/heads' },
      { theme: 'alt', text: 'Something is wrong', link: '/guides/troubleshooting' }
    ]
  },
  features: [
    {
      title: 'Final when all have signed',
      details:
        'A payment in a head is final once every party has signed the snapshot that holds it. No block is waited for.',
      link: '/concepts/finality'
    },
    {
      title: 'Nothing lost in silence',
      details: 'Every outcome is confirmed, refused or unknown; a drop of the connection never turns one into another.',
      link: '/reliability'
    },
    {
      title: 'Try it without a network',
      details: 'A local head node with its own base ledger, faucet and clock starts in one command.',
      link: '/guides/devnode'
    }
  ]
}
