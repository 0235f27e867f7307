// npm run help: every command of package.json, in one line each.
// CommonJS, because jest loads it as it is.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const ROOT = join(__dirname, '..')

/** Group -> command -> purpose. test/docs/contributing.test.ts holds the names to package.json. */
const COMMANDS = {
  'While you work': {
    'check:changed': 'types, lint and the nearest tests of what changed; --base REF, --seconds N',
    'test:unit': 'suites without sockets, processes and pages: `npm run test:unit -- PATH --watch`',
    format: 'lays the code out (Prettier)',
    structure: 'circles, folder pairs, deep imports, long files, repeated names of src',
    words: 'wording of comments by room, beside a model; --worst lists what to rewrite first'
  },
  Tests: {
    test: 'all tests that need Node alone; long proofs at a twentieth of their counts',
    'test:full': 'the same with full counts (many minutes)',
    'test:perf': 'time limits, as ratios to a loop measured in the same run',
    'test:chaos': 'two minutes of a gateway whose edges, core and Redis are killed at random',
    'test:env': 'packs the package and runs it in Node, Bun, Deno, workerd and Chromium',
    'test:dashboard': 'the dashboard in Chromium against local heads and hostile nodes',
    'test:firefox': 'the dashboard in Firefox (firefox-esr, or FIREFOX_PATH), over WebDriver BiDi',
    'test:builders': 'Mesh, Lucid and Blaze over a head, oldest and newest version of each peer range',
    'test:apps': 'applications over the packed package: starters in Chromium, tests under vitest and jest',
    mutation: 'breaks the code that handles keys and money, 300 times; --room tx, --all',
    soak: 'faults without end against a local head node; --minutes 60 for the long form',
    coverage: 'lines that the tests run, in coverage/; fails below the floor',
    reliability: 'runs the fault matrix and writes its table into docs/reliability.md; --check compares'
  },
  'Checks of CI': {
    typecheck: 'types of sources and tests',
    lint: 'rules and layering',
    'format:check': 'layout',
    'check:dead': 'files and exports that no entry reaches',
    'check:package': 'contents of the packed package',
    'check:types': 'types as users of TypeScript 5.9, 6 and 7 see them, and every block of the docs',
    'check:reproducible': 'two builds are byte for byte the same',
    'api:check': 'API reports in etc/ are up to date',
    'docs:check': 'reference and error index are up to date',
    'check:release': 'names what stands in the way of a release'
  },
  'Generated files': {
    build: 'dist/',
    entry: 'src/index.ts, from the index files of the rooms',
    api: 'API reports in etc/',
    docs: 'API reference and error index in docs/',
    draw: 'docs/architecture.svg, from the imports',
    pictures: 'pictures of README.md and the guides, by running what they show; needs Chromium',
    size: 'bytes that a working page has loaded, against the last release; --write puts them into README.md',
    sbom: 'CycloneDX bill of materials',
    changelog: '`npm run changelog -- X.Y.Z` moves changes/ into the release'
  },
  'Site, demo, nodes': {
    demo: 'a local head node, two wallets, 200 payments',
    bench: 'compares with other libraries on the same work and writes docs/benchmarks.md',
    'docs:dev': 'serves docs/ as a site',
    'docs:pages': 'pages of the site in .cache/site',
    'docs:build': 'builds the site into site/dist',
    'docs:site': 'builds the site, checks links, search and that two builds are equal',
    compat: '`npm run compat -- --url ws://host:port` asks a real node, reading only',
    help: 'this list'
  },
  'Run by npm': {
    prepack: 'builds before the package is packed',
    prepublishOnly: 'check:release before a release'
  }
}

if (require.main === module) {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const width = Math.max(...Object.keys(scripts).map((name) => name.length))
  for (const [group, commands] of Object.entries(COMMANDS)) {
    console.log(`${group}:`)
    for (const [name, purpose] of Object.entries(commands)) console.log(`  ${name.padEnd(width)}  ${purpose}`)
  }
  console.log('\nRun one with `npm run NAME`, options after `--`.')
}

module.exports = { COMMANDS }
