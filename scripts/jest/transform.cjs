// The transform of jest: ts-jest, with a key of its cache that has no project in it, so that each file is transformed once
// for all projects. A file is transformed by itself (isolatedModules), so its text and these settings decide the result.
// CommonJS, because jest loads it as it is.
'use strict'
const { createHash } = require('node:crypto')
const { default: tsJest } = require('ts-jest')
const { version } = require('ts-jest/package.json')
const { version: compiler } = require('typescript')

module.exports = {
  createTransformer(settings) {
    const transformer = tsJest.createTransformer(settings)
    return {
      getCacheKey: (source, path, { transformerConfig, instrument }) =>
        createHash('sha1')
          .update(JSON.stringify([version, compiler, transformerConfig, instrument, path]))
          .update(source)
          .digest('hex'),
      process: (source, path, options) => transformer.process(source, path, options)
    }
  }
}
