import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './entries.mjs'

/** Packages whose code is in dist/. */
const bundled = new Set()

/** Notes the packages of bundled modules, by the modules' paths. */
export function noteBundled(paths) {
  for (const path of paths) {
    const [, name] = /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/](?!.*node_modules)/.exec(path) ?? []
    if (name !== undefined) bundled.add(name.replaceAll('\\', '/'))
  }
}

/** Returns the licences of the noted packages, as their authors ask whoever ships a copy. */
export function bundledLicences() {
  const parts = [...bundled].sort().map((name) => {
    const folder = join(ROOT, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((each) => /^licen[cs]e(\.\w+)?$/i.test(each))
    if (file === undefined || !existsSync(join(folder, file))) throw new Error(`${name} comes without its licence.`)
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return `Files of this folder hold copies of these packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

/** Notes what rollup bundles; `emit`: writes the licences beside it. */
export const licences = ({ emit = false } = {}) => ({
  name: 'licences',
  generateBundle(_options, bundle) {
    noteBundled(Object.values(bundle).flatMap(({ modules = {} }) => Object.keys(modules)))
    if (emit) this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: bundledLicences() })
  }
})
