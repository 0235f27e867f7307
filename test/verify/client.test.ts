import { fullRun } from '../support/scale.js'
import { LayerBridge } from '../../src/bridge/index.js'
import type { UnverifiedSnapshot } from '../../src/bridge/index.js'
import type { HeadClient } from '../../src/client/index.js'
import type { DevNodeProfile } from '../../src/devnode/index.js'
import type { VerificationRule } from '../../src/verify/index.js'
import { verificationRule } from '../../src/verify/index.js'
import { ADA, startClientHead } from '../client/support.js'
import type { ClientHead } from '../client/support.js'

let head: ClientHead
afterEach(() => head.stop())

/** Head keys of the parties, as the local head itself has them: pinned here as a person would pin them. */
async function pinnedParties(): Promise<string[]> {
  const { contents } = (await (await fetch(`${head.node.url.replace('ws', 'http')}/head`)).json()) as any
  return contents.parameters.parties.map(({ vkey }: { vkey: string }) => vkey)
}

/** Resolves once the client shows what is wanted. */
const shows = (client: HeadClient, condition: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const check = (): void => {
      if (condition()) resolve()
    }
    client.bridge.subscribe(check)
    client.bridge.events.on('onUnverified', check)
    check()
  })

async function verifying(options: object = {}): Promise<{ client: HeadClient; unverified: UnverifiedSnapshot[] }> {
  const parties = await pinnedParties()
  const unverified: UnverifiedSnapshot[] = []
  const client = await head.client(0, { verify: { parties, checkInterval: 0 }, ...options })
  client.bridge.events.on('onUnverified', (facts) => {
    unverified.push(facts)
  })
  await shows(client, () => client.status().ready)
  return { client, unverified }
}

const profiles: [DevNodeProfile, VerificationRule][] = [
  ['0.22', '0.20-2.1'],
  ['1.3', '0.20-2.1'],
  ['2.0', '0.20-2.1'],
  ['2.2', '2.2'],
  ['2.3', '2.3'],
  ['master', '2.3']
]
const modes = [{ noSnapshotUtxo: false }, { noSnapshotUtxo: true }]

// One profile of each rule; the full run takes them all.
describe.each(profiles.filter(([profile]) => fullRun || ['2.0', '2.2', '2.3'].includes(profile)))(
  'a client that verifies, over a local head of profile %s',
  (profile, rule) => {
    it.each(modes)('deposits, pays and withdraws on proven balances, by its own rule: %p', async (mode) => {
      head = await startClientHead({ node: { profile, accumulator: 'real', parties: 2 } })
      const { client, unverified } = await verifying(mode)
      expect(verificationRule(client.status().nodeVersion!)).toBe(rule)
      const [alice, bob] = head.wallets.map((wallet) => wallet.getAddressBech32()) as [string, string]
      await client.pay({ to: bob, amount: 30n * ADA })
      await client.pay({ to: bob, amount: 12n * ADA })
      expect(client.getBalance({ address: bob })!.confirmed.lovelace).toBe(42n * ADA)
      await client.deposit({ amount: 20n * ADA })
      await client.withdraw({ amount: 5n * ADA })
      const { snapshotNumber, verified } = client.status()
      expect(snapshotNumber).toBeGreaterThan(4)
      expect(verified).toBe(snapshotNumber)
      await client.bridge.verifyNow()
      const sum = (address: string): bigint =>
        head.node
          .headUtxos(address)
          .reduce(
            (total, { output }) => total + BigInt(output.amount.find(({ unit }) => unit === 'lovelace')!.quantity),
            0n
          )
      await shows(client, () => client.getBalance({ address: alice })!.confirmed.lovelace === sum(alice))
      expect(client.getBalance({ address: bob })!.confirmed.lovelace).toBe(sum(bob))
      expect(unverified).toEqual([])
    })

    const forgeries = [
      'amountRaised',
      'outputDropped',
      'otherNumber',
      'otherHead',
      'strangersKey',
      'signatureReused'
    ] as const
    it.each(forgeries)('keeps the last verified balance when the server forges: %s', async (forgery) => {
      head = await startClientHead({ node: { profile, accumulator: 'real', parties: 2 } })
      const sender = await head.client()
      const { client, unverified } = await verifying()
      const [alice, bob] = head.wallets.map((wallet) => wallet.getAddressBech32()) as [string, string]
      await sender.pay({ to: bob, amount: 10n * ADA })
      await shows(client, () => client.getBalance({ address: bob })?.confirmed.lovelace === 10n * ADA)
      const before = {
        alice: client.getBalance({ address: alice })!.confirmed,
        bob: client.getBalance({ address: bob })!.confirmed,
        status: client.status()
      }
      head.node.faults.forgeSnapshot = forgery
      await sender.pay({ to: bob, amount: 7n * ADA, wait: 'valid' })
      await shows(client, () => unverified.length > 0)
      expect(unverified[0]).toMatchObject({ source: 'message' })
      expect({
        alice: client.getBalance({ address: alice })!.confirmed,
        bob: client.getBalance({ address: bob })!.confirmed
      }).toEqual({
        alice: before.alice,
        bob: before.bob
      })
      expect(client.status()).toMatchObject({
        snapshotNumber: before.status.snapshotNumber,
        verified: before.status.verified
      })
      // Who comes to the lying server later learns nothing.
      const late = new LayerBridge({ url: head.node.url, verify: { parties: await pinnedParties() } })
      await late.connect()
      await expect(late.querySnapshotUtxo()).rejects.toMatchObject({ code: 'VERIFICATION' })
      expect(late.getAddressBalance(bob)).toBeNull()
      await late.disconnect()
      head.node.faults.forgeSnapshot = null
      await sender.pay({ to: bob, amount: 1n * ADA, wait: 'valid' })
      await shows(client, () => client.getBalance({ address: bob })!.confirmed.lovelace === 18n * ADA)
      expect(client.status().verified).toBe(client.status().snapshotNumber)
    })
  }
)

it.each(['otherNumber', 'otherHead', 'strangersKey', 'signatureReused'] as const)(
  'keeps the last verified balance where snapshots come without outputs and the server forges: %s',
  async (forgery) => {
    head = await startClientHead({ node: { profile: '2.3', accumulator: 'real', parties: 2 } })
    const sender = await head.client()
    const { client, unverified } = await verifying({ noSnapshotUtxo: true })
    const bob = head.wallets[1]!.getAddressBech32()
    await sender.pay({ to: bob, amount: 10n * ADA })
    await shows(client, () => client.getBalance({ address: bob })?.confirmed.lovelace === 10n * ADA)
    const { snapshotNumber } = client.status()
    head.node.faults.forgeSnapshot = forgery
    await sender.pay({ to: bob, amount: 7n * ADA, wait: 'valid' })
    await shows(client, () => unverified.length > 0)
    expect([
      client.getBalance({ address: bob })!.confirmed.lovelace,
      client.status().snapshotNumber,
      client.status().verified
    ]).toEqual([10n * ADA, snapshotNumber, snapshotNumber])
    head.node.faults.forgeSnapshot = null
    await sender.pay({ to: bob, amount: 1n * ADA, wait: 'valid' })
    await shows(client, () => client.getBalance({ address: bob })!.confirmed.lovelace === 18n * ADA)
  }
)

it('shows no verified number without the option', async () => {
  head = await startClientHead({ open: false })
  expect((await head.client()).status()).not.toHaveProperty('verified')
})
