import fc from 'fast-check'
import { bytesToHex } from '../../src/codec/hex'
import type { NativeScript } from '../../src/codec/nativeScript'
import { PlutusData } from '../../src/codec/plutusData'

const keyHash = fc.uint8Array({ minLength: 28, maxLength: 28 }).map(bytesToHex)

/** Integers of ordinary and of edge sizes. */
export const anyInteger: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }),
  fc.bigInt({ min: -30n, max: 30n }),
  fc.bigInt({ min: -(2n ** 900n), max: 2n ** 900n }),
  fc.constantFrom(2n ** 64n, 2n ** 64n - 1n, -(2n ** 64n), -(2n ** 64n) - 1n, 2n ** 512n, -(2n ** 512n))
)

/** PlutusData as a tree of plain values, so that two libraries can build the same. */
export type Tree =
  | { int: bigint }
  | { bytes: Uint8Array }
  | { list: Tree[] }
  | { map: [Tree, Tree][] }
  | { constr: bigint; fields: Tree[] }

export const plutusTree = (integer: fc.Arbitrary<bigint> = anyInteger): fc.Arbitrary<Tree> =>
  fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ int: integer }),
      fc.record({
        bytes: fc.oneof(fc.uint8Array({ maxLength: 12 }), fc.uint8Array({ minLength: 60, maxLength: 200 }))
      }),
      fc.record({ list: fc.array(tie('tree'), { maxLength: 4 }) }),
      fc.record({ map: fc.array(fc.tuple(tie('tree'), tie('tree')), { maxLength: 3 }) }),
      fc.record({
        constr: fc.oneof(fc.bigInt({ min: 0n, max: 130n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
        fields: fc.array(tie('tree'), { maxLength: 4 })
      })
    )
  })).tree

/** The tree as our PlutusData. */
export function build(tree: Tree): PlutusData {
  if ('int' in tree) return PlutusData.int(tree.int)
  if ('bytes' in tree) return PlutusData.bytes(tree.bytes)
  if ('list' in tree) return PlutusData.list(tree.list.map(build))
  if ('map' in tree) return PlutusData.map(tree.map.map(([key, value]) => [build(key), build(value)]))
  return PlutusData.constr(tree.constr, tree.fields.map(build))
}

export const nativeScripts = (
  slot: fc.Arbitrary<bigint> = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
): fc.Arbitrary<NativeScript> =>
  fc.letrec<{ script: NativeScript }>((tie) => ({
    script: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ type: fc.constant('sig' as const), keyHash }),
      fc.record({ type: fc.constantFrom('after' as const, 'before' as const), slot }),
      fc.record({
        type: fc.constantFrom('all' as const, 'any' as const),
        scripts: fc.array(tie('script'), { maxLength: 4 })
      }),
      fc.record({
        type: fc.constant('atLeast' as const),
        required: fc.integer({ min: 0, max: 9 }),
        scripts: fc.array(tie('script'), { maxLength: 4 })
      })
    )
  })).script

/** Text of at most 64 bytes of UTF-8. */
export const shortText: fc.Arbitrary<string> = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((text) => new TextEncoder().encode(text).length <= 64)

/** Values that metadata can hold, with Maps for maps of any keys. */
export type MetadataTree = bigint | string | Uint8Array | MetadataTree[] | Map<MetadataTree, MetadataTree>

export const metadataTree: fc.Arbitrary<MetadataTree> = fc.letrec<{ tree: MetadataTree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n - 1n }),
    shortText,
    fc.uint8Array({ maxLength: 64 }),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.array(fc.tuple(tie('tree'), tie('tree')), { maxLength: 3 }).map((entries) => new Map(entries))
  )
})).tree
