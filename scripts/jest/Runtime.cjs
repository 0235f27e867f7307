// The runtime of jest, which keeps between the suites of a worker what depends on a file alone: where an import leads, a
// module's transformed text and its compiled script. Every suite still evaluates every module anew, in a context of its
// own; it finds the text and the byte code ready. A suite that imports the client loads in a fifth of the time.
//
// The members that it replaces are not public: jest stands at one version in package.json, and the constructor throws
// when one of them is gone.
// CommonJS, because jest loads it as it is.
'use strict'
const { statSync } = require('node:fs')
const { Script } = require('node:vm')
const { default: JestRuntime } = require('jest-runtime')

/** Resolver -> what it found; jest makes a new resolver when files come and go. */
const resolutions = new WeakMap()
/** Configuration of the transform -> path -> version of the file, and its text. */
const transforms = new Map()
/** Path -> text and script of it. */
const scripts = new Map()
/** The runtime of the suite that runs: a script that is kept asks it for import(). */
let current

function within(map, key, make) {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

function versionOf(path) {
  const { mtimeMs, size } = statSync(path)
  return `${mtimeMs} ${size}`
}

/** Members of jest's own runtime that this one replaces. */
const REPLACED = {
  _resolution: ['cjsCache', 'esmCache', 'manualMockCache', 'clear', 'getCjsMockModule'],
  transformCache: ['transform', 'transforms', 'sourceMaps'],
  executor: ['compile', 'injectedModuleParameters', 'dynamicImport']
}

module.exports = class Runtime extends JestRuntime {
  constructor(...args) {
    super(...args)
    for (const [part, members] of Object.entries(REPLACED))
      for (const member of members)
        if (this[part]?.[member] === undefined)
          throw new Error(`jest-runtime has no ${part}.${member}: see ${__filename}`)
    const [config, environment, resolver, , , coverage, testPath] = args
    // Coverage belongs to the suite whose run compiled a script.
    if (coverage.collectCoverage) return
    current = this
    this.#keepResolutions(resolver, String(environment.exportConditions?.() ?? ''))
    this.#keepTransforms(JSON.stringify([config.rootDir, config.transform]))
    this.#keepScripts(testPath)
  }

  #keepResolutions(resolver, conditions) {
    const resolution = this._resolution
    const { modules, mocks } = within(
      within(resolutions, resolver, () => new Map()),
      conditions,
      () => ({ modules: new Map(), mocks: new Map() })
    )
    resolution.cjsCache = modules
    resolution.clear = () => {
      resolution.esmCache.clear()
      resolution.manualMockCache.clear()
    }
    const find = resolution.getCjsMockModule.bind(resolution)
    resolution.getCjsMockModule = (from, name) => within(mocks, `${from}\0${name}`, () => find(from, name))
  }

  #keepTransforms(key) {
    const known = within(transforms, key, () => new Map())
    const cache = this.transformCache
    const transform = cache.transform.bind(cache)
    cache.transform = (path, options) => {
      // jest's own modules are taken as they are.
      if (options?.isInternalModule) return transform(path, options)
      const version = versionOf(path)
      if (known.get(path)?.version !== version) {
        transform(path, options)
        known.set(path, { version, result: cache.transforms.get(path) })
      }
      const { result } = known.get(path)
      cache.transforms.set(path, result)
      if (result.sourceMapPath) cache.sourceMaps.set(path, result.sourceMapPath)
      return result.code
    }
  }

  #keepScripts(testPath) {
    const { executor } = this
    const compile = executor.compile.bind(executor)
    const head = `(function (${executor.injectedModuleParameters.join(', ')}) {`
    executor.compile = (code, path) => {
      const context = this._environment.getVmContext()
      // Nothing imports a suite a second time.
      if (context === null || path === testPath) return compile(code, path)
      if (scripts.get(path)?.code !== code) {
        const script = scriptOf(head, code, path)
        // It does not compile: jest says where.
        if (script === null) return compile(code, path)
        scripts.set(path, { code, script })
      }
      return scripts.get(path).script.runInContext(context)
    }
  }
}

function scriptOf(head, code, filename) {
  try {
    return new Script(`${head}${code}\n})`, {
      filename,
      columnOffset: -head.length,
      importModuleDynamically: (specifier, _script, attributes) =>
        current.executor.dynamicImport(specifier, filename, current._environment.getVmContext(), attributes)
    })
  } catch {
    return null
  }
}

module.exports.default = module.exports
