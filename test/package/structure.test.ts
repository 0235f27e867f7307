import {
  circles,
  crowded,
  deepImports,
  folderPairs,
  longFiles,
  readTree,
  repeatedNames
} from '../../scripts/structure.cjs'

describe('the structure of src', () => {
  const tree = readTree()

  it('has two circles of files, types counted: errors with their codes, and the protocol tables with their types', () => {
    const folders = circles(tree).map((group) => [
      ...new Set(group.map((file: string) => file.split('/').slice(0, -1).join('/')))
    ])
    expect(folders).toEqual(expect.arrayContaining([['errors']]))
    expect(folders.filter(([folder]) => folder !== 'errors' && folder !== 'bridge/protocol')).toEqual([])
    expect(folders.length).toBeLessThanOrEqual(2)
  })

  it('has no two folders that import each other', () => {
    expect(folderPairs(tree)).toEqual([])
  })

  it('enters a room by its doors alone: index.ts, or inner.ts for other rooms', () => {
    expect(deepImports(tree)).toEqual([])
  })

  it('has files of at most 300 lines, a codec or crypto file 400', () => {
    expect(longFiles(tree)).toEqual([])
  })

  it('has contexts of at most ten members and classes of at most three boolean fields', () => {
    expect(crowded(tree)).toEqual([])
  })

  it('declares at most 15 exported names in more than one file', () => {
    expect(repeatedNames(tree).length).toBeLessThanOrEqual(15)
  })
})

describe('the counts of a structure', () => {
  /** A tree of made-up files: path -> imported paths and text. */
  const treeOf = (
    files: Record<string, { imports?: string[]; text?: string; lines?: number }>
  ): ReturnType<typeof readTree> => {
    const ts = jest.requireActual<typeof import('typescript')>('typescript')
    return new Map(
      Object.entries(files).map(([path, { imports = [], text = '', lines = 1 }]) => [
        path,
        { imports, lazy: [], lines, source: ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true) }
      ])
    )
  }

  it('find circles, pairs of folders and imports past the doors', () => {
    const tree = treeOf({
      'client/a/one.ts': { imports: ['client/b/two.ts'] },
      'client/b/two.ts': { imports: ['client/a/one.ts', 'bridge/LayerBridge.ts', 'codec/hex.ts'] },
      'bridge/LayerBridge.ts': {},
      'bridge/inner.ts': {},
      'codec/hex.ts': {}
    })
    expect(circles(tree)).toEqual([['client/a/one.ts', 'client/b/two.ts']])
    expect(folderPairs(tree)).toEqual(['client/a <-> client/b'])
    expect(deepImports(tree)).toEqual(['client/b/two.ts -> bridge/LayerBridge.ts'])
  })

  it('find long files, repeated names, crowded classes and contexts', () => {
    const fields = ['a', 'b', 'c', 'd'].map((name) => `#${name} = false`).join('\n')
    const members = Array.from({ length: 11 }, (_, index) => `m${index}: string`).join('\n')
    const tree = treeOf({
      'codec/long.ts': { lines: 400 },
      'client/long.ts': { lines: 301, text: 'export const same = 1' },
      'client/State.ts': { text: `export class State {\n${fields}\n}\nexport function same() {}` },
      'client/Context.ts': { text: `interface WideContext {\n${members}\n}` }
    })
    expect(longFiles(tree)).toEqual(['client/long.ts: 301'])
    expect(repeatedNames(tree)).toEqual(['same: client/long.ts, client/State.ts'])
    expect(crowded(tree)).toEqual([
      'client/State.ts: class State has 4 boolean fields',
      'client/Context.ts: WideContext has 11 members'
    ])
  })
})
