import type { HeadClient } from '../../src/client'
import { NODE_SEEDS } from './seeds/nodes'
import { OUTPUT_SEEDS } from './seeds/outputs'
import { seedsOf, withSeed } from './seeds/runSeeds'
import type { Profile, SeededHead } from './seeds/seed'
import { PROFILES } from './seeds/seed'
import { STEP_SEEDS } from './seeds/steps'

const SEEDS = { ...OUTPUT_SEEDS, ...NODE_SEEDS, ...STEP_SEEDS }

/** Closes and fans out over every warning; resolves with the error, or null when the head is paid out. */
const exit = (client: HeadClient): Promise<Error | null> =>
  client.closeAndFanoutHead({ force: true, timeout: 10_000 }).then(
    () => null,
    (error: Error) => error
  )

/** Error of a head that is closed and fanned out over every warning, and whose node cannot post a step. */
async function refusedPost({ client }: SeededHead): Promise<unknown> {
  const over = new AbortController()
  const failed = client.bridge.waitFor('PostTxOnChainFailed', { timeout: 20_000 })
  const paidOut = client.closeAndFanoutHead({ force: true, signal: over.signal }).then(
    () => 'paid out',
    () => 'not paid out'
  )
  expect(await Promise.race([failed.then(() => 'refused'), paidOut])).toBe('refused')
  const { postTxError } = await failed
  over.abort()
  expect(await paidOut).toBe('not paid out')
  return postTxError
}

/** The base ledger refuses the fanout: the head stays closed, and none of its outputs is paid. */
const refusedAs =
  (reason: string) =>
  async (head: SeededHead): Promise<void> => {
    const { node } = head
    const before = node.baseUtxos().length
    const inHead = node.headUtxos().length
    expect(await refusedPost(head)).toMatchObject({
      tag: 'FailedToPostTx',
      failureReason: expect.stringContaining(reason)
    })
    expect(node.headStatus).toBe('FanoutPossible')
    expect(node.headUtxos()).toHaveLength(inHead)
    expect(node.baseUtxos().length).toBeLessThanOrEqual(before)
  }

/** The node cannot pay for the close: the head stays open, with all that it holds. */
const unpaidAs =
  (error: object) =>
  async (head: SeededHead): Promise<void> => {
    const { node } = head
    const inHead = node.headUtxos().length
    expect(await refusedPost(head)).toMatchObject(error)
    expect([node.headStatus, node.headUtxos().length]).toEqual(['Open', inHead])
  }

/** The head is paid out, and the deposit stays at its script. */
async function leavesDeposit({ client }: SeededHead): Promise<void> {
  expect(await exit(client)).toBeNull()
  expect(client.bridge.headStatus).toBe('Idle')
  expect(await client.bridge.pendingDeposits()).toHaveLength(1)
}

/** The node refuses the close itself. */
async function refusesClose({ node, client }: SeededHead): Promise<void> {
  expect(await exit(client)).toMatchObject({ code: 'BRIDGE_COMMAND_REFUSED' })
  expect(node.headStatus).toBe('Open')
}

const NEVER_OPENS =
  'nodes that differ so never open a head, and none of their money is in one: there is nothing to pay out'
const OTHER_STEP = 'it blocks a decommit, and not the exit'

/** What the exit of each blocked head does, or the reason why the local head is paid out. */
const EXITS: Readonly<Record<string, ((head: SeededHead) => Promise<void>) | string>> = {
  '4,096 outputs':
    'no node signs a snapshot of so many (HeadLogic.hs, ReqSnUTxOSetTooLarge): the ones before it are paid out',
  'a token that was minted in it': refusedAs('ValueNotConservedUTxO'),
  'more of a token than entered it': refusedAs('ValueNotConservedUTxO'),
  'a token that was burned in it': refusedAs('ValueNotConservedUTxO'),
  'a datum of 15.6 KB': refusedAs('MaxTxSizeUTxO'),
  'an output price of 0, and dust': refusedAs('BabbageOutputTooSmallUTxO'),
  'a node that catches up': refusesClose,
  'an empty wallet of the node': unpaidAs({ tag: 'NoFuelUTXOFound' }),
  'a token in the largest output of the wallet': unpaidAs({
    tag: 'FailedToPostTx',
    failureReason: expect.stringContaining('CollateralContainsNonADA')
  }),
  'a node with a known weakness': 'the weakness is one of other nodes, and concerns what they sign',
  'nodes of other versions': NEVER_OPENS,
  'a node of another release': NEVER_OPENS,
  'a node of a larger head': NEVER_OPENS,
  'nodes with other parameters': NEVER_OPENS,
  'nodes with other periods': NEVER_OPENS,
  'nodes with other peers': NEVER_OPENS,
  'nodes of other parties': NEVER_OPENS,
  'a deposit that is open, before a close': leavesDeposit,
  'an approved deposit that has expired': leavesDeposit,
  'a decommit without outputs': OTHER_STEP,
  'a decommit below the least ada': OTHER_STEP,
  'a decommit of a minted token': refusedAs('ValueNotConservedUTxO'),
  'a decommit beside a deposit': leavesDeposit,
  'a decommit under way, before another': OTHER_STEP,
  'a decommit just now, before another': OTHER_STEP
}

/** The local head keeps its output on the base ledger from 2.3 on: before, no token is missing from it. */
const needsHeadOutput = (name: string): boolean => /token/.test(name) && !/wallet/.test(name)

const isModelled = (name: string, profile: Profile): boolean =>
  typeof EXITS[name] === 'function' && !(profile === '2.2' && needsHeadOutput(name))

it('each blocked head has an exit, or a reason why the local head does not model it', () => {
  const blocked = Object.entries(SEEDS).filter(([, { codes }]) => codes.some((code) => code.startsWith('block ')))
  expect(Object.keys(EXITS).sort()).toEqual(blocked.map(([name]) => name).sort())
})

describe.each(PROFILES)('profile %s: a blocked head is not paid out', (profile) => {
  it.each(seedsOf(SEEDS, profile).filter(([name]) => isModelled(name, profile)))('%s', async (name, seed) => {
    await withSeed(profile, seed, EXITS[name] as (head: SeededHead) => Promise<void>)
  })
})
