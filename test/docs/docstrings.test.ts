import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../support/markdown'
import { PublicSurface } from '../support/publicSurface'

const surface = new PublicSurface()
const members = surface.members()
const undocumented = (all: typeof members) => all.filter(({ text }) => text === '').map(({ at, name }) => `${at} ${name}`)

describe('the docstrings', () => {
  const all = surface.exports().filter(({ entry }) => entry !== 'index').map(({ entry, name, symbol }) => ({
    name: `${entry}: ${name}`,
    text: ts.displayPartsToString(symbol.getDocumentationComment(surface.checker)),
    // Errors, constants and types stand apart from what can be called.
    callable: (symbol.declarations ?? []).some((each) => ts.isFunctionDeclaration(each) || ts.isClassDeclaration(each)) && !name.endsWith('Error'),
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
  const SAFE = /^(LayerBridge\.(connected|getSnapshot|isUnspent|subscribe|disconnect)|BridgeEvents\.off|BridgeLogger\.\w+|Connector(Listener|Channel)\.on\w+|ConnectorChannel\.ping)$/

  it('say of every public method what it throws', () => {
    expect(methods.length).toBeGreaterThan(40)
    expect(methods.filter(({ name, tags }) => !SAFE.test(name) && !tags.includes('throws')).map(({ at, name }) => `${at} ${name}`)).toEqual([])
  })

  it('claim of no asynchronous method but disconnect that it never rejects', () => {
    expect(methods.filter(({ async, name }) => async && SAFE.test(name)).map(({ name }) => name)).toEqual(['LayerBridge.disconnect'])
  })
})

describe('the check of docstrings', () => {
  /** Members of an entry whose source is `text`. */
  function of(text: string): typeof members {
    return new PublicSurface(['bridge'], new Map([[join(ROOT, 'src', 'bridge', 'index.ts'), text]])).members()
  }

  it('finds a field, an option, a method and an accessor without a docstring', () => {
    expect(undocumented(of(`
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
    `))).toEqual([
      'src/bridge/index.ts:3 Options.limit', 'src/bridge/index.ts:10 Thing.field', 'src/bridge/index.ts:11 Thing.size',
      'src/bridge/index.ts:12 Thing.act', 'src/bridge/index.ts:13 Thing.act(options).signal'
    ])
  })

  it('follows base types and results that are not exported themselves', () => {
    expect(undocumented(of(`
      interface Base { id: string }
      interface Result { value: number }
      /** A shape. */
      export interface Shape extends Base {
        /** Gives the result. */
        run(): Promise<Result>
      }
    `))).toEqual(['src/bridge/index.ts:2 Base.id', 'src/bridge/index.ts:3 Result.value'])
  })

  it('takes a shape on one line as documented only where the docstring before it names the field', () => {
    expect(undocumented(of(`
      /** Either. */
      export type Either =
        /** One, after \`delayMs\` ms. */
        | { tag: 'one'; delayMs: number }
        /** Other. */
        | { tag: 'other'; reason: string }
    `))).toEqual(['src/bridge/index.ts:7 Either.reason'])
  })

  it('reads which methods are asynchronous and which say what they throw', () => {
    expect(of(`
      /** A class. */
      export class Thing {
        /** Rejects. */
        async one(): Promise<void> { await undefined }
        /** Throws. @throws {@link RangeError} */
        two(): void { throw new RangeError() }
      }
    `).map(({ name, async, tags }) => [name, async, tags])).toEqual([['Thing.one', true, []], ['Thing.two', false, ['throws', 'link']]])
  })
})
