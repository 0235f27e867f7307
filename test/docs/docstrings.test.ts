import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../support/markdown'
import { PublicSurface } from '../support/publicSurface'

const surface = new PublicSurface()
const members = surface.members()
const undocumented = (all: typeof members) =>
  all.filter(({ text }) => text === '').map(({ at, name }) => `${at} ${name}`)

describe('the docstrings', () => {
  const all = surface
    .exports()
    .filter(({ entry }) => entry !== 'index')
    .map(({ entry, name, symbol }) => ({
      name: `${entry}: ${name}`,
      text: ts.displayPartsToString(symbol.getDocumentationComment(surface.checker)),
      // Errors, constants and types stand apart from what can be called.
      callable:
        (symbol.declarations ?? []).some((each) => ts.isFunctionDeclaration(each) || ts.isClassDeclaration(each)) &&
        !name.endsWith('Error'),
      hasExample: symbol.getJsDocTags(surface.checker).some((tag) => tag.name === 'example')
    }))

  it('say of every export what it is', () => {
    expect(all.length).toBeGreaterThan(200)
    expect(all.filter(({ text }) => text === '').map(({ name }) => name)).toEqual([])
  })

  it('show an example of every function and class', () => {
    expect(all.filter(({ callable, hasExample }) => callable && !hasExample).map(({ name }) => name)).toEqual([])
  })

  it('say of every public field, option and method what it is', () => {
    expect(members.length).toBeGreaterThan(600)
    expect(undocumented(members)).toEqual([])
  })
})

describe('the docstrings of the bridge', () => {
  const methods = members.filter(({ at, method }) => at.startsWith('src/bridge/') && method)
  // They neither throw nor reject.
  const SAFE =
    /^((?:LayerBridge|CachedHead|HeadQueries)\.(connected|getSnapshot|isUnspent|isArriving|trackedTx|subscribe|disconnect)|BridgeEvents\.off|BridgeLogger\.\w+|Connector(Listener|Channel)\.on\w+|ConnectorChannel\.ping)$/

  it('say of every public method what it throws', () => {
    expect(methods.length).toBeGreaterThan(40)
    expect(
      methods
        .filter(({ name, tags }) => !SAFE.test(name) && !tags.includes('throws'))
        .map(({ at, name }) => `${at} ${name}`)
    ).toEqual([])
  })

  it('claim of no asynchronous method but disconnect that it never rejects', () => {
    expect(methods.filter(({ async, name }) => async && SAFE.test(name)).map(({ name }) => name)).toEqual([
      'LayerBridge.disconnect'
    ])
  })
})

describe('the docstrings of what throws', () => {
  // Encoding what has been built cannot fail; the reader of CBOR is reached only through a static method for the
  // package's own use; the local head answers a malformed message to its client; a review of uncertain transactions
  // catches what the node's answers throw.
  const SAFE =
    /^((Metadatum|PlutusData|Costmdls)\.(toCbor|toBytes|toJson|hash)|CborReader\.\w+|Metadatum\.read|DevNode\.(open|receive)|OwnTxs\.review|HeadConnection\.inFlight|ChainCliWallet\.getAddressBech32)$/
  it('say so, of every function and method whose code throws a typed error', () => {
    const functions = surface.functions()
    const methods = members.filter(({ method }) => method)
    expect(functions.filter(({ throws }) => throws).length).toBeGreaterThan(60)
    const silent = [...functions, ...methods].filter(
      ({ name, throws, tags }) => throws && !SAFE.test(name) && !tags.includes('throws')
    )
    expect(silent.map(({ at, name }) => `${at} ${name}`)).toEqual([])
  })
})

describe('the docstrings of numbers', () => {
  // What a number counts or measures, in its name or its docstring.
  const UNIT =
    /\b(ms|milliseconds?|seconds?|minutes?|bytes?|kB|MB|lovelace|ada|slots?|epochs?|times?|attempts?|levels?|digits?|characters?|port|index|number|count|position|offset|version|fraction|ratio|percent|status|code|integer|from 0|0 to|1 to|how many|at most|id)\b/i
  const NAMED =
    /(Ms|Bytes|Index|Slot|Number|Count|Attempts|Size|Port|Version|Status|Position|Offset|Depth|Id|Length)$|^(port|index|slot|epoch|position|offset|depth|attempt|status|seq|size|count|number|version)$/

  it('state the unit of every field and option that is one', () => {
    const numbers = members.filter(({ number }) => number)
    expect(numbers.length).toBeGreaterThan(60)
    const nameOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1)
    expect(
      numbers
        .filter(({ name, text }) => !NAMED.test(nameOf(name)) && !UNIT.test(text))
        .map(({ at, name, text }) => `${at} ${name}: ${text}`)
    ).toEqual([])
  })

  it('state the unit of every parameter that is one', () => {
    const parameters = surface
      .functions()
      .flatMap((each) => each.numbers.map(({ name, text }) => ({ at: `${each.at} ${each.name}(${name})`, name, text })))
    expect(parameters.length).toBeGreaterThan(8)
    expect(parameters.filter(({ name, text }) => !NAMED.test(name) && !UNIT.test(text)).map(({ at }) => at)).toEqual([])
  })
})

describe('the check of docstrings', () => {
  /** Members of an entry whose source is `text`. */
  function of(text: string): typeof members {
    return new PublicSurface(['bridge'], new Map([[join(ROOT, 'src', 'bridge', 'index.ts'), text]])).members()
  }

  it('finds a field, an option, a method and an accessor without a docstring', () => {
    expect(
      undocumented(
        of(`
      /** A shape. */
      export interface Options { limit: number }
      /** A class. */
      export class Thing {
        /** Said. */
        said = 1
        #hidden = 2
        private old = 3
        field = this.#hidden + this.old
        get size(): number { return 1 }
        act(options?: {
          signal?: AbortSignal
        }): void { void options }
      }
    `)
      )
    ).toEqual([
      'src/bridge/index.ts:3 Options.limit',
      'src/bridge/index.ts:10 Thing.field',
      'src/bridge/index.ts:11 Thing.size',
      'src/bridge/index.ts:12 Thing.act',
      'src/bridge/index.ts:13 Thing.act(options).signal'
    ])
  })

  it('follows base types and results that are not exported themselves', () => {
    expect(
      undocumented(
        of(`
      interface Base { id: string }
      interface Result { value: number }
      /** A shape. */
      export interface Shape extends Base {
        /** Gives the result. */
        run(): Promise<Result>
      }
    `)
      )
    ).toEqual(['src/bridge/index.ts:2 Base.id', 'src/bridge/index.ts:3 Result.value'])
  })

  it('takes a shape on one line as documented only where the docstring before it names the field', () => {
    expect(
      undocumented(
        of(`
      /** Either. */
      export type Either =
        /** One, after \`delayMs\` ms. */
        | { tag: 'one'; delayMs: number }
        /** Other. */
        | { tag: 'other'; reason: string }
    `)
      )
    ).toEqual(['src/bridge/index.ts:7 Either.reason'])
  })

  it('reads which methods are asynchronous and which say what they throw', () => {
    expect(
      of(`
      /** A class. */
      export class Thing {
        /** Rejects. */
        async one(): Promise<void> { await undefined }
        /** Throws. @throws {@link RangeError} */
        two(): void { throw new RangeError() }
      }
    `).map(({ name, async, tags }) => [name, async, tags])
    ).toEqual([
      ['Thing.one', true, []],
      ['Thing.two', false, ['throws', 'link']]
    ])
  })

  it('sees what throws in a function that is called, and not behind a catch', () => {
    const text = `
      class OddError extends Error {}
      function assertEven(count: number): void { if (count % 2 === 1) throw new OddError() }
      /** Throws. */
      export function pairs(count: number, delay: number): number { assertEven(count); return delay }
      /** Does not. */
      export function perhaps(count: number): boolean { try { assertEven(count); return true } catch { return false } }
    `
    const functions = new PublicSurface(
      ['bridge'],
      new Map([[join(ROOT, 'src', 'bridge', 'index.ts'), text]])
    ).functions()
    expect(functions.map(({ name, throws, numbers }) => [name, throws, numbers.map((each) => each.name)])).toEqual([
      ['pairs', true, ['count', 'delay']],
      ['perhaps', false, ['count']]
    ])
  })
})
