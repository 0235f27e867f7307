import { outputSet } from '../../../src/bridge/head/outputSet'
import { UtxoIndex } from '../../../src/bridge/head/UtxoIndex'
import { checkBounds } from '../../../src/bridge/head/selectOutputs'
import type { TxOutJson, UTxOObject } from '../../../src/bridge/protocol/types'
import { utxoFromJson } from '../../../src/bridge/protocol/utxoJson'
import { LayerBridge } from '../../../src/bridge/index'
import type { UTxO } from '../../../src/types/utxo'
import { randomSource } from '../../support/random'
import { scaled } from '../../support/scale'
import { confirmedSnapshot, ScriptedNode } from '../../support/scriptedNode'

const ADDRESS = 'addr_test1vqpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsw74k48'
const OTHER = 'addr_test1vqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgasfzjt'
const POLICY = 'ab'.repeat(28)
const [TOKEN, NAMELESS] = [`${POLICY}01`, POLICY]
const keyOf = (index: number): string => `${index.toString(16).padStart(64, '0')}#${index % 3}`
const output = (address: string, lovelace: number | bigint, assets: Record<string, number | bigint> = {}): TxOutJson =>
  ({
    address,
    value: Object.keys(assets).length === 0 ? { lovelace } : { lovelace, [POLICY]: assets }
  }) as unknown as TxOutJson

function indexOf(utxo: UTxOObject): UtxoIndex {
  const index = new UtxoIndex()
  index.apply(index.diff(outputSet(utxo)))
  return index
}

/** Outputs that count how often their public form is built: that alone looks at the reference script. */
function counting(): { built: number; outputOf(from: TxOutJson, script?: unknown): TxOutJson } {
  const count = {
    built: 0,
    outputOf: (from: TxOutJson, script: unknown = null): TxOutJson =>
      Object.defineProperty({ ...from }, 'referenceScript', {
        enumerable: true,
        get() {
          count.built++
          return script
        }
      })
  }
  return count
}

/** The bounds over outputs in public form, one by one. */
function bounded(
  utxos: readonly UTxO[],
  { unit, atLeast, limit }: { unit?: string; atLeast?: bigint; limit?: number }
): UTxO[] {
  const listed: UTxO[] = []
  let sum = 0n
  for (const utxo of utxos) {
    const quantity = BigInt(utxo.output.amount.find((amount) => amount.unit === (unit ?? 'lovelace'))?.quantity ?? 0)
    if (unit !== undefined && quantity === 0n) continue
    if ((limit !== undefined && listed.length === limit) || (atLeast !== undefined && sum >= atLeast)) break
    listed.push(utxo)
    sum += quantity
  }
  return listed
}

describe('outputs of an address', () => {
  it('are listed within any bounds as all of them would be, cut', () => {
    const random = randomSource('bounds')
    for (let round = 0; round < scaled(1_000); round++) {
      const utxo: UTxOObject = {}
      for (let i = 0; i < random.below(400); i++) {
        const lovelace = random.pick([0, 1, random.below(9), 9_007_199_254_740_993n])
        utxo[keyOf(i)] = output(
          random.pick([ADDRESS, OTHER]),
          lovelace,
          random.pick([{}, { '01': random.below(3) }, { '': 2n ** 60n, '01': 1 }])
        )
      }
      const index = indexOf(utxo)
      for (const unit of [undefined, 'lovelace', TOKEN, NAMELESS, `${POLICY}02`]) {
        const bounds = {
          ...(unit !== undefined && { unit }),
          ...random.pick<{ atLeast?: bigint; limit?: number }>([
            {},
            { limit: 1 + random.below(9) },
            { atLeast: BigInt(1 + random.below(50)) },
            { atLeast: 2n ** 70n },
            { atLeast: 5n, limit: 3 }
          ])
        }
        const all = utxoFromJson(utxo).filter((each) => each.output.address === ADDRESS)
        expect(index.utxosOf(ADDRESS, bounds)).toEqual(bounded(all, bounds))
      }
    }
  })

  it('are built once, and each caller gets objects that no other sees', () => {
    const script = {
      scriptLanguage: 'SimpleScriptLanguage',
      script: { type: 'SimpleScript', description: '', cborHex: '8200' }
    }
    const count = counting()
    const index = indexOf({ [keyOf(0)]: count.outputOf(output(ADDRESS, 5, { '01': 7 }), script) })
    const [first] = index.utxosOf(ADDRESS, {})
    const before = structuredClone(first)
    first!.input.index = 9
    first!.output.address = OTHER
    first!.output.amount[0]!.quantity = '1000000'
    first!.output.amount.push({ unit: TOKEN, quantity: '8' })
    first!.output.scriptRef!.cborHex = '00'
    expect(index.utxosOf(ADDRESS, {})).toEqual([before])
    expect(index.balanceOf(ADDRESS)).toEqual(
      new Map([
        ['lovelace', 5n],
        [TOKEN, 7n]
      ])
    )
    expect(count.built).toBe(1)
  })

  it('are built anew under a key that was spent and came back with other content', () => {
    const index = indexOf({ [keyOf(0)]: output(ADDRESS, 5) })
    index.utxosOf(ADDRESS, {})
    index.apply(index.diff(outputSet({})))
    expect(index.utxosOf(ADDRESS, {})).toEqual([])
    index.apply(index.diff(outputSet({ [keyOf(0)]: output(ADDRESS, 6) })))
    expect(index.utxosOf(ADDRESS, {})[0]!.output.amount).toEqual([{ unit: 'lovelace', quantity: '6' }])
    index.clear()
    index.apply(index.diff(outputSet({ [keyOf(0)]: output(ADDRESS, 7) })))
    expect(index.utxosOf(ADDRESS, {})[0]!.output.amount).toEqual([{ unit: 'lovelace', quantity: '7' }])
  })

  it('are built for those listed alone', () => {
    const count = counting()
    const index = indexOf(
      Object.fromEntries(
        Array.from({ length: 1_000 }, (_, i) => [
          keyOf(i),
          count.outputOf(output(ADDRESS, 1, i > 900 ? { '01': 1 } : {}))
        ])
      )
    )
    expect(index.utxosOf(ADDRESS, { limit: 50 })).toHaveLength(50)
    expect(index.utxosOf(ADDRESS, { unit: TOKEN, atLeast: 2n })).toHaveLength(2)
    expect(count.built).toBe(52)
  })

  it.each<[unknown, string]>([
    [{ unit: 'ada' }, 'unit'],
    [{ unit: POLICY.slice(2) }, 'unit'],
    [{ unit: `${POLICY}1` }, 'unit'],
    [{ unit: 7 }, 'unit'],
    [{ unit: `${POLICY}${'00'.repeat(33)}` }, 'unit'],
    [{ atLeast: 5 }, 'atLeast'],
    [{ atLeast: 0n }, 'atLeast'],
    [{ atLeast: -1n }, 'atLeast'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{ limit: Infinity }, 'limit'],
    [{ limit: '5' }, 'limit'],
    [{ atleast: 5n }, 'atleast'],
    [[], 'options'],
    [null, 'options']
  ])('are refused with bounds that are none: %p', (options, argument) => {
    expect(() => checkBounds(options as never)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT', argument }))
  })

  it('take a unit in capital hex as the node writes it', () => {
    expect(
      indexOf({ [keyOf(0)]: output(ADDRESS, 5, { '01': 7 }) }).utxosOf(
        ADDRESS,
        checkBounds({ unit: TOKEN.toUpperCase() })
      )
    ).toHaveLength(1)
  })
})

describe('outputs of an address through a bridge', () => {
  it('keep to the bounds from a cold cache and from a warm one', async () => {
    const node = await new ScriptedNode().start()
    const bridge = new LayerBridge({ url: node.url })
    try {
      const utxo = Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [keyOf(i), output(i % 2 ? ADDRESS : OTHER, 10, i < 10 ? {} : { '01': 3 })])
      )
      node.routes['GET /snapshot'] = { body: confirmedSnapshot(4, { utxo }) }
      const query = async (): Promise<number[]> => [
        (await bridge.queryAddressUTxO(ADDRESS)).length,
        (await bridge.queryAddressUTxO(ADDRESS, { limit: 4 })).length,
        (await bridge.queryAddressUTxO(ADDRESS, { atLeast: 25n })).length,
        (await bridge.queryAddressUTxO(ADDRESS, { unit: TOKEN, atLeast: 4n })).length
      ]
      expect(bridge.getAddressUTxOs(ADDRESS, { limit: 4 })).toBeNull()
      expect(await query()).toEqual([10, 4, 3, 2])
      await bridge.connect()
      await bridge.querySnapshotUtxo()
      expect(await query()).toEqual([10, 4, 3, 2])
      expect(bridge.getAddressUTxOs(ADDRESS, { limit: 4 })).toEqual(
        (await bridge.queryAddressUTxO(ADDRESS)).slice(0, 4)
      )
      await expect(bridge.queryAddressUTxO(ADDRESS, { limit: 0 })).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
      expect(() => bridge.getAddressUTxOs(ADDRESS, { limit: 0 })).toThrow(
        expect.objectContaining({ code: 'INPUT_ARGUMENT' })
      )
    } finally {
      await bridge.disconnect()
      await node.stop()
    }
  })
})
