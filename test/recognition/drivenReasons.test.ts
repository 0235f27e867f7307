import type { DevNode, DevNodeProfile, DrivenHead, DrivenState, RunningDevNode } from '../../src/devnode'
import { driveTo, startDevNode } from '../../src/devnode'
import { headAddress } from '../../src/devnode/headTxs/HeadTxs'
import type { Recognition, RecogniseHeadOptions, RecognitionReason } from '../../src/recognition'
import { createMemoryStore } from '../../src/recognition'
import { REASON_TEXTS } from '../../src/recognition/reasonTexts'
import { FORMER_HEAD_TOKEN, HEAD_TOKEN } from '../../src/recognition/rules'
import { submitDeposit } from '../devnode/harness'
import { facesOf, freshNode, nodeOptions, recogniseAt } from './drivenHead'

const BYRON = 'Ae2tdPwUPEZBJkEbCd6gLr5Z26E98jx8YUpDZ1bsNL6MBmV4azk8r6Mn8Gv'
const OTHER_ID = 'c3'.repeat(28)

/** A node and its head, once the reason is there; the first look comes before it. */
interface Trouble {
  readonly state: DrivenState
  /** True: the node is asked over a socket. */
  readonly isServed?: boolean
  /** Options of the wallet. */
  readonly wallet?: (driven: DrivenHead & { readonly node: DevNode | RunningDevNode }) => Partial<RecogniseHeadOptions>
  /** Brings the reason about; the time goes on by a block afterwards where it says so. */
  readonly make?: (node: DevNode, driven: DrivenHead) => unknown
  /** The answer otherwise; UNVERIFIABLE. */
  readonly answer?: Recognition['state']
  /** The state before the trouble. @default VERIFIED_IN_HEAD */
  readonly before?: Recognition['state']
}

/** Outputs with the tokens of another head's policy, at the address of heads. */
const placeToken = (node: DevNode, token: string): unknown =>
  node.fund(headAddress(0), [
    { unit: 'lovelace', quantity: '5000000' },
    { unit: token, quantity: '1' }
  ])

/** Every reason of a recognition, brought about on the local head. */
const TROUBLES: Readonly<Record<RecognitionReason, readonly Trouble[]>> = {
  unreachable: [
    {
      state: 'verified',
      isServed: true,
      wallet: ({ node }) => ({ endpoints: [(node as RunningDevNode).httpUrl], fetchImpl: undefined, timeout: 2_000 }),
      make: ({ faults }) => (faults.muteHttp = true)
    }
  ],
  refused: [{ state: 'verified', make: ({ faults }) => failSnapshot(faults, 503, 'busy') }],
  malformed: [{ state: 'verified', make: ({ faults }) => failSnapshot(faults, 200, '{"tag":"ConfirmedSnapshot"') }],
  'too-large': [
    {
      state: 'verified',
      wallet: () => ({ maxBytes: 100_000 }),
      make: ({ faults }) => failSnapshot(faults, 200, ' '.repeat(100_001))
    }
  ],
  'other-head': [{ state: 'verified', make: ({ faults }) => (faults.forgeSnapshot = 'otherHead') }],
  signature: (['otherNumber', 'strangersKey', 'signatureReused'] as const).map((forgery) => ({
    state: 'verified',
    make: ({ faults }) => (faults.forgeSnapshot = forgery)
  })),
  parties: [{ state: 'verified', wallet: () => ({ parties: ['ab'.repeat(32)] }), before: 'UNVERIFIABLE' }],
  accumulator: (['amountRaised', 'outputDropped'] as const).map((forgery) => ({
    state: 'verified',
    make: ({ faults }) => (faults.forgeSnapshot = forgery)
  })),
  stale: [{ state: 'withdrawn', make: ({ faults }) => (faults.serveOldSnapshot = true) }],
  rollback: [
    {
      state: 'leaving',
      wallet: () => ({ store: createMemoryStore() }),
      make: ({ faults }) => (faults.serveOldSnapshot = true)
    }
  ],
  'source-behind': [{ state: 'verified', make: ({ faults }) => (faults.faceLagBlocks = 25) }],
  unbacked: [
    {
      state: 'verified',
      make: async (node) => {
        node.faults.withholdDeposits = true
        await nextStep(node)
      }
    }
  ],
  'newer-version': [
    { state: 'verified', make: ({ faults }) => (faults.unknownSnapshotForm = true) },
    {
      state: 'verified',
      make: async (node) => {
        node.faults.unknownDatum = true
        await nextStep(node)
      },
      answer: 'UNRECOGNISED'
    }
  ],
  initial: [{ state: 'settled', make: ({ faults }) => (faults.serveOldSnapshot = true) }],
  anchor: [{ state: 'verified', make: (node, { headId }) => placeToken(node, headId! + HEAD_TOKEN) }],
  token: [
    {
      state: 'empty',
      wallet: () => ({ headId: OTHER_ID }),
      before: 'NO_HEAD',
      make: (node) => placeToken(node, OTHER_ID + FORMER_HEAD_TOKEN),
      answer: 'UNRECOGNISED'
    }
  ],
  datum: [
    {
      state: 'empty',
      wallet: () => ({ headId: OTHER_ID }),
      before: 'NO_HEAD',
      make: (node) => placeToken(node, OTHER_ID + HEAD_TOKEN),
      answer: 'UNRECOGNISED'
    }
  ],
  unproven: [{ state: 'verified', wallet: ({ address }) => ({ addresses: [address, BYRON] }), before: 'UNVERIFIABLE' }]
}

function failSnapshot(faults: DevNode['faults'], status: number, body: string): void {
  Object.assign(faults, { failRequests: 1_000, failRoutes: ['GET /snapshot'], httpFailure: { status, body } })
}

/** A deposit that the head claims: the head's output moves. */
async function nextStep(node: DevNode): Promise<void> {
  const [before, bob] = [headOutput(node), node.keys[1]]
  await submitDeposit(node, bob, node.baseUtxos(bob.address)[0]!)
  for (let i = 0; i < 200 && headOutput(node) === before; i++) await node.advanceTime(500)
}

const headOutput = (node: DevNode): string | undefined => node.baseUtxos(headAddress(0))[0]?.input.txHash

const cases = (['2.3', '2.4'] as const).flatMap((profile) =>
  Object.entries(TROUBLES).flatMap(([reason, troubles]) =>
    troubles.map((trouble, i) => [profile, reason, i, trouble] as const)
  )
)

describe('a local head', () => {
  it('brings every reason about that a recognition knows', () => {
    expect(Object.keys(TROUBLES).sort()).toEqual(Object.keys(REASON_TEXTS).sort())
  })

  it.each(cases)(
    'of profile %s brings %s about (%i), over each face of the base ledger',
    async (profile: DevNodeProfile, reason, _i, trouble) => {
      const node =
        trouble.isServed === true
          ? await startDevNode({ ...nodeOptions(profile), parties: 1, port: 0 })
          : freshNode(profile, { parties: 1 })
      const driven = await driveTo({ node, state: trouble.state })
      const faces = Object.entries(facesOf(node)).map(
        ([name, face]) => [name, { ...face, ...trouble.wallet?.({ ...driven, node }) }] as const
      )
      for (const [name, face] of faces)
        expect([name, (await recogniseAt(node, driven, face)).state]).toEqual([
          name,
          trouble.before ?? 'VERIFIED_IN_HEAD'
        ])
      await trouble.make?.(node, driven)
      for (const [name, face] of faces) {
        const found = await recogniseAt(node, driven, face)
        expect([name, found.state, found.reason]).toEqual([name, trouble.answer ?? 'UNVERIFIABLE', reason])
        expect([name, found.inHead]).toEqual([name, null])
        expect(found.detail).toMatch(/\S/)
      }
      await node.stop()
    }
  )
})
