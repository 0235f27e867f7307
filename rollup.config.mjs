import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { transform } from 'esbuild'
import dts from 'rollup-plugin-dts'
import esbuild from 'rollup-plugin-esbuild'
import { buildDashboard } from './scripts/dashboard.mjs'
import { cliEntries, libraryEntries, ROOT } from './scripts/entries.mjs'
import { licences } from './scripts/licences.mjs'

const { dependencies, peerDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const packages = [...Object.keys(dependencies), ...Object.keys(peerDependencies)]
const isPackage = (id, names) => names.some((name) => id === name || id.startsWith(`${name}/`))

// These ship ES modules only: a CommonJS build that required them would need require(esm).
const ESM_ONLY = packages.filter((name) => name.startsWith('@noble/') || name.startsWith('@scure/'))

const externalExcept = (bundled) => (id) =>
  id.startsWith('node:') || (isPackage(id, packages) && !isPackage(id, bundled))

const transpile = () => esbuild({ target: 'es2022', tsconfig: false, minify: false })

/** What `using` needs, where it is needed: nobody has to name it in a tsconfig of their own. */
const disposableTypes = {
  name: 'disposable-types',
  renderChunk: (code) =>
    /\[Symbol\.(asyncD|d)ispose\]/.test(code) ? `/// <reference lib="esnext.disposable" />\n${code}` : null
}

/**
 * Declarations stand once, as those of CommonJS, from which ES modules may import too: those of each ES module pass
 * them on. An entry that names types of other packages has them twice: these packages may have other types for import.
 */
const moduleTypes = {
  name: 'module-types',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const isCopied = chunk.imports.some((name) => bundle[name] === undefined)
      if (isCopied && !chunk.isEntry) throw new Error(`${chunk.fileName} is shared, and names types of other packages.`)
      if (!chunk.isEntry) continue
      const source = isCopied ? chunk.code : `export * from './${chunk.name}.cjs';\n`
      this.emitFile({ type: 'asset', fileName: `${chunk.name}.d.ts`, source })
    }
  }
}

/**
 * Leaves comments and white space out of the CommonJS files: the ES modules are the copy to read. Names stay, and lines
 * have at most 120 columns where a statement allows it, so that a stack still says where it was.
 */
const compact = {
  name: 'compact',
  // Not in renderChunk: there the names of other chunks are placeholders yet.
  async generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk')
    const options = { minifyWhitespace: true, lineLimit: 120, legalComments: 'inline' }
    for (const chunk of chunks) chunk.code = (await transform(chunk.code, options)).code
  }
}

const onwarn = (warning) => {
  // Annotations that rollup cannot place, in packages that we bundle, cost nothing.
  if (warning.code === 'INVALID_ANNOTATION' && warning.id?.includes('node_modules')) return
  // Protected members may name internal types: the declarations' shared chunk carries them.
  if (warning.message.includes('references private shared type exports')) return
  throw new Error(warning.message)
}

/** Bundlers of React apps look for it at the top of a module; rollup drops what stands in the sources. */
const clientDirective = {
  name: 'client-directive',
  renderChunk: (code, { name, isEntry }) =>
    isEntry && name === 'react' ? { code: `'use client'; ${code}`, map: null } : null
}

/** Entries of which pages use a part, where this makes the page smaller. */
const PARTLY_USED = ['index', 'client', 'tx']

/**
 * A bundler that splits code (esbuild) loads with an entry each module that the entry passes on and that an import()
 * needs too, whether the page uses it or not. So these entries take such chunks from a module that names them anew:
 * where the page uses none of its names it is dropped, with all behind it.
 */
const passedOn = {
  name: 'passed-on',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk')
    const loadedLater = new Set()
    const visit = (name) => {
      if (loadedLater.has(name) || bundle[name] === undefined) return
      loadedLater.add(name)
      bundle[name].imports.forEach(visit)
    }
    chunks.filter(({ isDynamicEntry }) => isDynamicEntry).forEach(({ fileName }) => visit(fileName))
    for (const chunk of chunks.filter(({ isEntry, name }) => isEntry && PARTLY_USED.includes(name))) {
      for (const target of chunk.imports.filter((name) => loadedLater.has(name))) {
        const fileName = target.replace('chunks/', 'chunks/names-')
        if (bundle[fileName] === undefined)
          this.emitFile({ type: 'asset', fileName, source: renamed(target, bundle[target].exports) })
        chunk.code = chunk.code.replaceAll(`'./${target}'`, `'./${fileName}'`)
      }
    }
  }
}

function renamed(target, names) {
  const imported = names.map((name) => `${name} as ${name}$`)
  const exported = names.map((name) => `${name} = ${name}$`)
  return `import { ${imported.join(', ')} } from './${basename(target)}';\nexport const ${exported.join(', ')};\n`
}

/**
 * What many entries load, in few files: Node takes longer for one more file than for ten kilobytes more of one. What
 * pages load at different moments stays apart, and `bytes`, which one light function needs, from all else.
 */
const SHARED = {
  bytes: ['errors/{base,links,input}', 'codec/{bytes,hex,typedErrors}'],
  core: [
    'errors/{documents,adaText}',
    'codec/{utf8,isHex,integer,nearestName,options,record,path,json,bech32,base58,crc32,address}',
    'codec/cbor/{major,reader,writer,sequence,optional}',
    'hash/{blake2b,blake2bCompress}',
    'constants'
  ],
  ledger: [
    'codec/{value,plutusPrimitives,plutusData,transaction,transactionBody,bodyEntries,repeatedEntries}',
    'codec/{txOutput,depositDatum,witnessSet}'
  ],
  scripts: ['codec/{nativeScript,costModels,metadatum,auxiliaryData}'],
  building: ['tx/{parameters,assertions,inputs,encodeTransaction}'],
  reading: [
    'errors/offers',
    'tx/{signersOf,decodeTransaction,decodeWitnesses}',
    'tx/offers/{offerParties,offerText,readOffer}'
  ],
  failures: ['errors/{operation,bridge,verification,renamed,oldNames}'],
  net: ['net/{timers,loopback,nextTask,cappedBody,retryAfter,retry,abort,redact}']
}
/** Source files by path, each with the name of its shared file. */
const SHARED_FILES = new Map(
  Object.entries(SHARED).flatMap(([name, paths]) => paths.flatMap(sourceFiles).map((path) => [path, name]))
)

/** The files of `folder/{a,b}`. @throws Error when one does not exist: it was moved, or has another name. */
function sourceFiles(path) {
  const [, folder, names] = /^(.*?)\{(.*)\}$/.exec(path) ?? [undefined, '', path]
  const files = names.split(',').map((name) => `${ROOT}/src/${folder}${name}.ts`)
  const missing = files.find((file) => !existsSync(file))
  if (missing !== undefined) throw new Error(`SHARED in rollup.config.mjs names ${missing}, which does not exist.`)
  return files
}

/** Each file of utility functions stays a file: who uses one does not load what the others import. */
const chunkOf = (id) =>
  id.startsWith(`${ROOT}/src/utils/`) && !id.endsWith('/index.ts')
    ? `utils-${basename(id, '.ts')}`
    : (SHARED_FILES.get(id) ?? null)

let page
/** Puts the dashboard beside the entries, and its address into the server that sends it. */
const dashboard = () => {
  let reference
  return {
    name: 'dashboard',
    async buildStart() {
      reference = this.emitFile({
        type: 'asset',
        fileName: 'dashboard.html',
        source: await (page ??= buildDashboard())
      })
    },
    transform: (_code, id) =>
      id.endsWith('/src/devnode/serve/api/dashboardFile.ts')
        ? { code: `export const DASHBOARD_FILE = import.meta.ROLLUP_FILE_URL_${reference}`, map: { mappings: '' } }
        : null
  }
}

const chunked = (extension) => ({
  dir: process.env.DIST ?? 'dist',
  entryFileNames: `[name].${extension}`,
  chunkFileNames: `chunks/[name]-[hash].${extension}`,
  hoistTransitiveImports: false
})

const chunking = { manualChunks: chunkOf, onlyExplicitManualChunks: true }

const configs = [
  {
    input: { ...libraryEntries, ...cliEntries },
    external: externalExcept([]),
    plugins: [nodeResolve(), dashboard(), transpile(), clientDirective, passedOn, licences()],
    onwarn,
    output: { ...chunked('js'), ...chunking, format: 'es' }
  },
  {
    input: libraryEntries,
    external: externalExcept(ESM_ONLY),
    plugins: [nodeResolve(), dashboard(), transpile(), clientDirective, compact, licences({ emit: true })],
    onwarn,
    output: { ...chunked('cjs'), ...chunking, format: 'cjs', interop: 'auto', exports: 'named', esModule: true }
  },
  {
    input: libraryEntries,
    external: externalExcept([]),
    plugins: [
      dts({ tsconfig: `${ROOT}/tsconfig.json`, compilerOptions: { stripInternal: true } }),
      disposableTypes,
      moduleTypes
    ],
    onwarn,
    output: { ...chunked('d.cts'), format: 'es' }
  }
]

export default configs
