// The transform of jest: esbuild, which takes a twentieth of the compiler's time for a file. What it makes of a file is the
// same for all projects, so that each file is transformed once.
'use strict'
const { createHash } = require('node:crypto')
const { extname } = require('node:path')
const { transformSync, version } = require('esbuild')

const OPTIONS = {
  format: 'cjs',
  target: 'es2022',
  sourcemap: true,
  sourcesContent: false,
  charset: 'utf8',
  logLevel: 'silent',
  // import() becomes require(): jest loads no ES modules in this version of Node.
  supported: { 'dynamic-import': false },
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: true } }
}
/** ts-jest moves these calls above the imports of their suite. */
const MOCKS = /^\s*jest\.(?:mock|unmock)\(/m

const hoisting = new Map()

function withHoisting(source, path, options) {
  const key = JSON.stringify(options.transformerConfig)
  if (!hoisting.has(key)) {
    const { default: tsJest } = require('ts-jest')
    hoisting.set(key, tsJest.createTransformer(options.transformerConfig))
  }
  return hoisting.get(key).process(source, path, options)
}

module.exports = {
  getCacheKey: (source, path, { transformerConfig, instrument }) =>
    createHash('sha1')
      .update(JSON.stringify([version, OPTIONS, transformerConfig, instrument, path]))
      .update(source)
      .digest('hex'),

  process(source, path, options) {
    if (MOCKS.test(source)) return withHoisting(source, path, options)
    const { code, map } = transformSync(source, {
      ...OPTIONS,
      loader: extname(path).endsWith('ts') ? 'ts' : 'js',
      sourcefile: path
    })
    return { code, map }
  }
}
