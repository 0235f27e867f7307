import type { ConfirmedSnapshot } from '../../../src/bridge'
import { LayerBridge } from '../../../src/bridge'
import { DevNode } from '../../../src/devnode'

type Signed = Extract<ConfirmedSnapshot, { tag: 'ConfirmedSnapshot' }>
type Change = (body: Signed) => ConfirmedSnapshot

const inSnapshot =
  (change: Partial<Signed['snapshot']>): Change =>
  (body) => ({ ...body, snapshot: { ...body.snapshot, ...change } })

/** Changes of the node's own snapshot, and the tag of its refusal; null: it takes it. */
const CHANGES: Record<string, readonly [change: Change, tag: string | null]> = {
  'as it is': [(body) => body, null],
  'an older one': [inSnapshot({ number: 0 }), 'SideLoadSnNumberInvalid'],
  'a newer one of another version': [inSnapshot({ number: 9, version: 7 }), 'SideLoadSvNumberInvalid'],
  'one without its deposit': [inSnapshot({ utxoToCommit: null }), 'SideLoadUTxOToCommitInvalid'],
  'one with other members in its deposit': [
    (body) => inSnapshot({ utxoToCommit: altered(body.snapshot.utxoToCommit!) })(body),
    'SideLoadUTxOToCommitInvalid'
  ],
  'one with a decommit': [
    (body) => inSnapshot({ utxoToDecommit: body.snapshot.utxoToCommit })(body),
    'SideLoadUTxOToDecommitInvalid'
  ],
  'the initial one': [
    ({ snapshot: { headId } }) => ({ tag: 'InitialSnapshot', headId }),
    'SideLoadInitialSnapshotMismatch'
  ]
}

const altered = (utxo: NonNullable<Signed['snapshot']['utxoToCommit']>): typeof utxo =>
  Object.fromEntries(
    Object.entries(utxo).map(([ref, output]) => [ref, { ...output, value: { ...output.value, lovelace: 1n } }])
  ) as never

let node: DevNode
let bridge: LayerBridge

/** A head whose newest snapshot brings in a deposit that is not final. */
async function start(profile: '2.3' | '2.4'): Promise<Signed> {
  node = new DevNode({
    ...{ profile, open: true, seed: 'side-load', timings: { blockMs: 1, depositDelayMs: 1, snapshotIntervalMs: 1 } },
    faults: { pendingWindowMs: 3_600_000 }
  })
  bridge = new LayerBridge({ connector: node.connector() })
  await bridge.connect()
  const approved = bridge.waitFor('CommitApproved')
  node.fundHead(node.keys[0]!.address, 5_000_000n).catch(() => undefined)
  await approved
  return (await bridge.confirmedSnapshot()) as Signed
}
afterEach(async () => {
  await bridge.disconnect()
  await node.stop()
})

describe.each(['2.3', '2.4'] as const)('sideLoadRefusal at profile %s', (profile) => {
  it.each(Object.entries(CHANGES))('tells beforehand what the node answers to %s', async (_, [change, tag]) => {
    const snapshot = change(await start(profile))
    const told = await bridge.sideLoadRefusal(snapshot)
    const answered = Promise.race([bridge.waitFor('SideLoadSnapshotRejected'), bridge.waitFor('SnapshotSideLoaded')])
    bridge.commands.sideLoadSnapshot(snapshot)
    const answer = await answered
    const shown = answer.tag === 'SnapshotSideLoaded' ? null : answer.requirementFailure.tag
    expect([told?.tag ?? null, shown]).toEqual([tag, tag])
    if (told !== null) expect(told.what).toMatch(/^The .+\.$/)
  })

  it('compares the deposit where the node states it', async () => {
    const own = await start(profile)
    const other = inSnapshot({ depositTxId: 'ab'.repeat(32) })(own)
    expect((await bridge.sideLoadRefusal(other))?.tag).toBe(
      profile === '2.4' ? 'SideLoadDepositTxIdInvalid' : undefined
    )
  })

  it('names a snapshot of another head, and a node without one', async () => {
    const own = await start(profile)
    expect(await bridge.sideLoadRefusal(inSnapshot({ headId: 'cd'.repeat(28) })(own))).toMatchObject({
      tag: 'OtherHead'
    })
    node.abandonHead()
    await bridge.disconnect()
    bridge = new LayerBridge({ connector: node.connector() })
    await bridge.connect()
    expect(await bridge.sideLoadRefusal(own)).toMatchObject({ tag: 'NoOpenHead' })
  })
})
