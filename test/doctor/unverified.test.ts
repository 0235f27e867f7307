import { PARTIES, sampleSnapshot, signSnapshot, stateRule } from '../support/signedSnapshot'
import { memoryState, ScriptedHead, settle, TestTime, watching } from './watchSupport'

/** A SnapshotConfirmed of three parties, signed by rule 2.4. */
async function confirmed(number: number): Promise<any> {
  const snapshot = { ...sampleSnapshot(), number }
  await stateRule(snapshot, '2.4')
  return {
    tag: 'SnapshotConfirmed',
    headId: snapshot.headId,
    signatures: { multiSignature: await signSnapshot(snapshot, '2.4') },
    snapshot: { ...snapshot, confirmed: [] }
  }
}

const unverifiedOf = (lines: readonly { rule: string; state: string; evidence: unknown }[]): unknown[] =>
  lines.flatMap(({ rule, state, evidence }) =>
    rule === 'unverified' ? [[state, (evidence as { snapshotNumber?: unknown }).snapshotNumber]] : []
  )

/** Says messages to a watch with the keys of the parties. */
async function watched(messages: readonly object[], parties: readonly string[] = PARTIES): Promise<unknown[]> {
  const time = new TestTime()
  const head = new ScriptedHead(time)
  const run = watching(time, [{ node: head, parties }], { state: memoryState() })
  await time.advance(2_000)
  for (const message of messages) {
    head.say(message)
    // Signatures are checked on their own time, not on that of the test.
    for (let i = 0; i < 40; i++) await settle()
    await new Promise((resolve) => setTimeout(resolve, 300))
    await time.advance(2_000)
  }
  await run.stop()
  return unverifiedOf(run.lines)
}

describe('the rule unverified', () => {
  it('is quiet over snapshots that all parties signed', async () => {
    expect(await watched([await confirmed(1), await confirmed(2)])).toEqual([])
  }, 30_000)

  it('fires at a snapshot whose outputs are not those that were signed, and resolves with the next signed one', async () => {
    const forged = await confirmed(2)
    const [output] = Object.values<any>(forged.snapshot.utxo)
    output.value.lovelace += 1
    expect(await watched([await confirmed(1), forged, await confirmed(3)])).toEqual([
      ['firing', 2],
      ['resolved', 2]
    ])
  }, 30_000)

  it('fires at a snapshot without signatures, and at one of other keys', async () => {
    const unsigned = { ...(await confirmed(1)), signatures: { multiSignature: [] } }
    expect(await watched([unsigned])).toEqual([['firing', 1]])
    expect(await watched([await confirmed(1)], [...PARTIES].reverse())).toEqual([['firing', 1]])
  }, 30_000)
})
