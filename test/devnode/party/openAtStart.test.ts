import fc from 'fast-check'
import type { DevNodeOptions, DevNodeProfile } from '../../../src/devnode'
import { DevNode, manualClock, startDevNode } from '../../../src/devnode'
import { addressToString, enterpriseAddress } from '../../../src/codec/address'
import { bytesToHex } from '../../../src/codec/hex'
import { encodeTxOutput } from '../../../src/codec/txOutput'
import { isLayerError } from '../../../src/errors/base'
import { PROFILES } from '../../../src/devnode/settings/profiles'
import { pay } from '../transactions'
import { newTx, TestClient } from '../harness'

const ADDRESS = addressToString(enterpriseAddress(0, { kind: 'key', hash: '5a'.repeat(28) }))
const BYRON = 'Ae2tdPwUPEZ4YjgvykNpoFeYUxoyhNj2kg8KfKWN2FizsSpLUPv68MpTVDo'
const profiles = Object.keys(PROFILES) as DevNodeProfile[]
const input = { txHash: 'ab'.repeat(32), index: 7 }
const lovelaceOf = (node: DevNode, address: string): bigint[] =>
  node.headUtxos(address).map(({ output }) => BigInt(output.amount[0]!.quantity))

describe('a node that starts with an open head', () => {
  it.each(profiles)(
    'has the money in it from the first moment, by a true deposit or commit, in profile %s',
    (profile) => {
      const clock = manualClock()
      const node = new DevNode({ clock, profile, open: true, inHead: [{ address: ADDRESS, lovelace: 5_000_000 }] })
      expect([node.headStatus, lovelaceOf(node, ADDRESS)]).toEqual(['Open', [5_000_000n]])
      expect(node.baseUtxos(ADDRESS)).toEqual([])
      const client = new TestClient(node, 'history=yes')
      const tags = client.tags()
      // hydra-node/src/Hydra/Chain/Offline.hs and NodeState tests: HeadIsOpen, CommitRecorded, DepositActivated,
      // SnapshotConfirmed 1, CommitApproved, CommitFinalized.
      if (PROFILES[profile].initializing)
        expect(tags).toEqual(['HeadIsInitializing', 'Committed', 'HeadIsOpen', 'Greetings'])
      else {
        expect(tags).toEqual([
          'HeadIsOpen',
          'CommitRecorded',
          'DepositActivated',
          'SnapshotConfirmed',
          'CommitApproved',
          'CommitFinalized',
          'Greetings'
        ])
        expect(client.last('SnapshotConfirmed')['snapshot'].number).toBe(1)
      }
      // What has been said lies in the past, in order.
      const times = client.messages.flatMap(({ timestamp }) =>
        timestamp === undefined ? [] : Date.parse(timestamp as string)
      )
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(times.at(-1)!).toBeLessThanOrEqual(clock.now())
    }
  )

  it.each(profiles)('opens an empty head, and lives a life in it, in profile %s', async (profile) => {
    const clock = manualClock()
    const node = new DevNode({ clock, profile, open: true, parties: 2 })
    const client = new TestClient(node, 'history=no')
    expect([node.headStatus, node.headUtxos()]).toEqual(['Open', []])
    client.send({ tag: 'Close' })
    clock.advance(60)
    expect(client.tags()).toContain('HeadIsClosed')
    clock.advance(3_000)
    client.send({ tag: 'Fanout' })
    clock.advance(100)
    expect([client.tags().at(-1), node.headStatus]).toEqual(['HeadIsFinalized', 'Idle'])
  })

  it('takes every form of genesis, mixed, and keeps the references of outputs that have one', () => {
    const cbor = bytesToHex(
      encodeTxOutput({ address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '7000000' }], inlineDatum: '182a' })
    )
    const map = {
      [`${'cd'.repeat(32)}#1`]: { address: ADDRESS, value: { lovelace: 3_000_000, ['0a'.repeat(28)]: { '01': 2 } } }
    }
    const inHead = [
      { input, output: cbor },
      map,
      { address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '2000000' }] }
    ]
    const node = new DevNode({
      clock: manualClock(),
      open: true,
      inHead,
      genesis: { [`${'ef'.repeat(32)}#0`]: { address: ADDRESS, value: { lovelace: 1_500_000 } } }
    })
    expect(lovelaceOf(node, ADDRESS).sort()).toEqual([2_000_000n, 3_000_000n, 7_000_000n])
    expect(node.headUtxos(ADDRESS)).toContainEqual({
      input,
      output: { address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '7000000' }], inlineDatum: '182a' }
    })
    expect(node.baseUtxos(ADDRESS)).toHaveLength(1)
  })

  it('lets its owner spend what is in the head', () => {
    const clock = manualClock()
    const [alice] = new DevNode({ clock }).keys
    const node = new DevNode({ clock, open: true, inHead: [{ address: alice!.address, lovelace: 9_000_000 }] })
    const client = new TestClient(node)
    const [utxo] = node.headUtxos(alice!.address)
    client.send(newTx(pay(utxo!, alice!, ADDRESS, 4_000_000n)))
    clock.advance(100)
    expect(client.last('SnapshotConfirmed')['snapshot']).toMatchObject({ number: 2, version: 1, utxoToCommit: null })
    expect(lovelaceOf(node, ADDRESS)).toEqual([4_000_000n])
  })

  it('goes on with the time of its own clock, deposits of later included', () => {
    const clock = manualClock()
    const started = clock.now()
    const node = new DevNode({
      clock,
      open: true,
      timings: { depositDelayMs: 3_600_000 },
      inHead: [{ address: ADDRESS, lovelace: 5_000_000 }]
    })
    expect([lovelaceOf(node, ADDRESS), clock.now()]).toEqual([[5_000_000n], started])
    expect(node.slot).toBe(Math.floor((started - 1_655_683_200_000) / 1000))
  })

  it('leaves money outside whose snapshot nobody signs, until somebody does', () => {
    const clock = manualClock()
    const node = new DevNode({
      clock,
      open: true,
      inHead: [{ address: ADDRESS, lovelace: 5_000_000 }],
      faults: { holdSnapshots: true }
    })
    expect([node.headStatus, node.headUtxos()]).toEqual(['Open', []])
    node.faults.holdSnapshots = false
    clock.advance(200)
    expect(lovelaceOf(node, ADDRESS)).toEqual([5_000_000n])
  })

  it('is still catching up after its start when the faults want it so', () => {
    const clock = manualClock()
    const node = new DevNode({ clock, open: true, faults: { startUnsynced: true } })
    const client = new TestClient(node)
    expect([node.headStatus, client.last('Greetings')['chainSyncedStatus']]).toEqual(['Open', 'CatchingUp'])
    clock.advance(60)
    expect(client.tags()).toContain('NodeSynced')
  })

  it('starts over sockets as well, on the system clock', async () => {
    const node = await startDevNode({
      port: 0,
      rpcPort: null,
      open: true,
      inHead: [{ address: ADDRESS, lovelace: 5_000_000n }]
    })
    try {
      const utxo = (await (await fetch(`${node.httpUrl}/snapshot/utxo`)).json()) as object
      expect([node.headStatus, Object.values(utxo)]).toEqual(['Open', [expect.objectContaining({ address: ADDRESS })]])
    } finally {
      await node.stop()
    }
  })
})

describe('genesis and inHead', () => {
  const good = { address: ADDRESS, lovelace: 5_000_000 }
  const cbor = bytesToHex(encodeTxOutput({ address: ADDRESS, amount: [{ unit: 'lovelace', quantity: '7000000' }] }))

  it.each<[string, DevNodeOptions, RegExp]>([
    [
      'money for a head that is not opened',
      { inHead: [good] },
      /inHead cannot be used\.\n- Expected open: true beside it/
    ],
    ['open as a text', { open: 'yes' as never }, /open cannot be used\.\n- Expected true or false/],
    ['a number of outputs', { open: true, inHead: 5 as never }, /inHead cannot be used\.\n- Expected an array/],
    ['a misspelt member', { genesis: [{ ...good, datumhash: 'ee' }] }, /genesis\[0\]\.datumhash/],
    ['a misspelt member among CBOR', { genesis: [good, { input, output: cbor, datum: '00' }] }, /genesis\[1\]\.datum/],
    ['lovelace and amount', { genesis: [{ ...good, amount: [] }] }, /lovelace or amount\n- Got (a string|"?both)/],
    [
      'a datum and a hash',
      { open: true, inHead: [{ ...good, datum: '00', datumHash: 'ee'.repeat(32) }] },
      /inHead\[0\] cannot be used\.\n- Expected datum or datumHash/
    ],
    [
      'one reference twice',
      {
        genesis: [
          { input, output: cbor },
          { input, output: cbor }
        ]
      },
      /each output once/
    ],
    [
      'one reference on both ledgers',
      { open: true, genesis: [{ input, output: cbor }], inHead: [{ input, output: cbor }] },
      /each output once/
    ],
    ['a Byron address in a head', { open: true, inHead: [{ address: BYRON, lovelace: 5_000_000 }] }, /Byron/],
    ['dust in a head', { open: true, inHead: [{ address: ADDRESS, lovelace: 5 }] }, /at least \d+ lovelace/],
    ['an entry that is a hole', { genesis: new Array(2) as never }, /genesis\[0\]/]
  ])('refuse %s, saying what was expected and what came', (_, options, text) => {
    let error: unknown
    try {
      new DevNode({ clock: manualClock(), ...options })
    } catch (caught) {
      error = caught
    }
    expect(isLayerError(error)).toBe(true)
    expect((error as Error).message).toMatch(text)
    expect((error as Error).message).toMatch(/\n- Got /)
  })

  it('never throw anything but typed errors, whatever comes', () => {
    const anything = fc.anything({
      withBigInt: true,
      withNullPrototype: true,
      withTypedArray: true,
      withMap: true,
      withDate: true,
      maxDepth: 3
    })
    const member = fc.oneof(
      anything,
      fc.constantFrom<unknown>(ADDRESS, 5_000_000, 2n ** 70n, cbor, input, '00', 'ff', -0, '__proto__')
    )
    const entry = fc.oneof(
      anything,
      fc.dictionary(
        fc.constantFrom(
          'address',
          'lovelace',
          'amount',
          'datum',
          'datumHash',
          'scriptRef',
          'input',
          'output',
          `${'ab'.repeat(32)}#1`,
          '__proto__'
        ),
        member
      )
    )
    fc.assert(
      fc.property(fc.oneof(anything, fc.array(entry)), fc.constantFrom('genesis', 'inHead'), (value, name) => {
        try {
          void new DevNode({ clock: manualClock(), accounts: 0, testKeys: [], open: true, [name]: value }).stop()
        } catch (error) {
          if (!isLayerError(error)) throw error
        }
      }),
      { numRuns: process.env['LAYER_SDK_FULL'] === '1' ? 4_000 : 200 }
    )
  })
})
