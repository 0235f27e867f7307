import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebsocketConnector } from '../../../src/bridge'
import type { Connector } from '../../../src/bridge'
import { startDevNode } from '../../../src/devnode'
import type { StartDevNodeOptions } from '../../../src/devnode'
import { leaderOf } from '../../../src/devnode/party/PartyNetwork'
import { changed, DEFAULT_TIMINGS } from '../devnodeSupport'
import { ADA, SCRIPT_ADDRESS } from '../factsSupport'
import type { Profile, SeededHead, Seeds } from './seed'
import { inHead, OWN, partyOf, patched } from './seed'

const versioned =
  (version: string) =>
  (text: string): string =>
    text.replace(/("hydraNodeVersion":\s*")\d\.\d\.\d/, `$1${version}`)

/** A peer that states other things than it has. */
const differing = (says: (text: string) => string, code: string): Seeds[string] => ({
  node: { parties: 2, inHead: inHead() },
  check: (head) => ({ peers: [partyOf(head, 1, cured.has(head) ? undefined : says)] }),
  codes: [code],
  // The remedy restarts the node with what the others have.
  cure: (head) => void cured.add(head)
})

/** Another node of the same parties that was started with other settings: it has a head of its own, by the same keys. */
const runningWith = (optionsOf: (profile: Profile) => StartDevNodeOptions, code: string): Seeds[string] => ({
  node: { parties: 2, inHead: inHead() },
  cause: async (head) => {
    const { profile } = head
    const { timings, ...options } = optionsOf(profile)
    const other = await startDevNode({
      ...{ port: 0, rpcPort: null, open: true, parties: 2, profile, inHead: inHead() },
      ...options,
      timings: { ...DEFAULT_TIMINGS, ...timings }
    })
    beside.set(head, { url: other.url, stop: () => other.stop() })
    const second = new WebsocketConnector({ websocketUrl: other.parties[1]!.url! })
    connectors.set(head, changed(second, patched))
  },
  check: (head) => ({ peers: [cured.has(head) ? partyOf(head, 1) : connectors.get(head)!] }),
  codes: [code],
  // The remedy restarts the node with what the others have.
  cure: (head) => void cured.add(head)
})

/** The other party falls silent, and a payment waits for the snapshot that `leader` leads, until `waits` holds. */
const silentWhen = (leader: 0 | 1, waits: (head: SeededHead) => Promise<boolean>): Seeds[string] => ({
  node: { parties: 2, inHead: inHead() },
  cause: async (head) => {
    const { node, client } = head
    while (leaderOf(client.status().snapshotNumber! + 1, 2) !== leader) await client.pay({ to: OWN, amount: 2n * ADA })
    node.parties[1]!.set({ silent: true })
    void client.pay({ to: OWN, amount: 2n * ADA }).catch(() => undefined)
    await until(() => waits(head))
  },
  codes: ['warn peer-silent'],
  refs: ({ node }) => [node.parties[1]!.vkey],
  cure: async ({ node, client }) => {
    node.parties[1]!.set({ silent: false })
    await until(() => client.status().pending === 0)
  }
})

/** Heads whose remedy outside the local head was followed. */
const cured = new WeakSet<SeededHead>()
/** Servers and nodes beside a head. */
const beside = new WeakMap<SeededHead, { readonly url: string; stop(): Promise<void> }>()

/** Ends what a seed has started beside a head. */
export const stopBeside = async (head: SeededHead): Promise<void> => beside.get(head)?.stop()

/** Metrics of a node whose newest block is so old, s. */
async function serveMetrics(head: SeededHead, ageOf: () => number): Promise<void> {
  const server: Server = createServer((_, response) =>
    response.end(`hydra_chain_last_block_timestamp_seconds ${Math.floor(Date.now() / 1_000) - ageOf()}\n`)
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  beside.set(head, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`, stop })
}

/** A connector whose history shows a message with `part` so many times more, as a long history has it. */
function repeated(inner: Connector, part: string, times: () => number): Connector {
  return {
    capabilities: inner.capabilities,
    request: (request) => inner.request(request),
    open: (listener, options) =>
      inner.open(
        {
          ...listener,
          onOpen: (details) => listener.onOpen(details),
          onInvalid: (error) => listener.onInvalid(error),
          onActivity: () => listener.onActivity(),
          onClose: (error) => listener.onClose(error),
          onMessage(message) {
            listener.onMessage(message)
            if (typeof message !== 'string' || !message.includes(part)) return
            for (let i = 0; i < times(); i++) listener.onMessage(message)
          }
        },
        options
      )
  }
}

/** Heads whose nodes, or what stands beside them, are the cause. */
export const NODE_SEEDS: Seeds = {
  'a node that catches up': {
    node: { inHead: inHead() },
    cause: ({ node }) => node.setDrift(900),
    codes: ['block node-unsynced'],
    cure: ({ node }) => node.setDrift(0)
  },
  'a base ledger that stands still': {
    node: { inHead: inHead() },
    cause: (head) => serveMetrics(head, () => (cured.has(head) ? 20 : 190)),
    check: (head) => ({ metricsUrl: beside.get(head)!.url }),
    codes: ['warn chain-stalled'],
    cure: (head) => void cured.add(head)
  },
  'an empty wallet of the node': {
    node: { inHead: inHead() },
    cause: ({ node }) => void (node.faults.fuelAddress = SCRIPT_ADDRESS),
    check: () => ({ fuelAddress: SCRIPT_ADDRESS }),
    codes: ['block fuel-low', 'block fuel-shape'],
    cure: ({ node }) => void node.fund(SCRIPT_ADDRESS, 30n * ADA)
  },
  'a wallet of the node with 10 ada': {
    node: { inHead: inHead() },
    cause: ({ node }) => {
      node.faults.fuelAddress = SCRIPT_ADDRESS
      node.fund(SCRIPT_ADDRESS, 10n * ADA)
    },
    check: () => ({ fuelAddress: SCRIPT_ADDRESS }),
    codes: ['warn fuel-low'],
    cure: ({ node }) => void node.fund(SCRIPT_ADDRESS, 30n * ADA)
  },
  'a token in the largest output of the wallet': {
    node: { inHead: inHead() },
    cause: ({ node }) => {
      node.faults.fuelAddress = SCRIPT_ADDRESS
      node.fund(SCRIPT_ADDRESS, 20n * ADA, [
        { unit: 'lovelace', quantity: '30000000' },
        { unit: 'cd'.repeat(28), quantity: '1' }
      ])
    },
    check: () => ({ fuelAddress: SCRIPT_ADDRESS }),
    codes: ['block fuel-shape'],
    cure: ({ node }) => void node.fund(SCRIPT_ADDRESS, 40n * ADA)
  },
  'other cost models': {
    node: { inHead: inHead() },
    says: (text) =>
      text.replace(/("PlutusV3":\s*\[\s*)(\d+)/, (_, before: string, cost: string) => `${before}${Number(cost) + 1}`),
    codes: ['warn cost-models'],
    noCure: 'the models are parameters of the next head'
  },
  'mainnet with a short period': {
    node: { inHead: inHead() },
    says: (text) => text.replace(/"testnet-magic":\s*\d+/, '"mainnet":true'),
    codes: ['warn period-short'],
    profiles: ['2.3', '2.4'],
    noCure: 'the period is one of the next head'
  },
  'a short deposit period at a node that has been behind': {
    node: { inHead: inHead(), timings: { depositPeriodMs: 300_000 } },
    cause: ({ node }) => {
      node.setDrift(90)
      node.setDrift(0)
    },
    codes: ['warn deposit-period-short'],
    noCure: 'the period is one of the next head'
  },
  'a node with a known weakness': {
    node: { inHead: inHead() },
    says: versioned('2.4.0'),
    codes: ['block node-vulnerable'],
    noCure: 'another node has to run'
  },
  'a newer node': {
    node: { inHead: inHead() },
    says: versioned('2.7.0'),
    codes: ['unknown node-unknown'],
    noCure: 'another release of this package has to know it'
  },
  'thirty outputs with a datum at node 2.2.0': {
    node: {
      inHead: [
        { address: OWN, lovelace: 9n * ADA, datum: '00' },
        ...Array.from({ length: 29 }, () => ({ address: OWN, lovelace: 2n * ADA }))
      ]
    },
    // As the release itself states it, and not the local head.
    says: (text) => text.replace(/("hydraNodeVersion":\s*")2\.2\.9[^"]*/, '$12.2.0-1f40ce2'),
    codes: ['warn fanout-known-bug'],
    profiles: ['2.2'],
    cure: async ({ client }) => void (await client.consolidate())
  },
  'a history of 10,001 transactions': {
    node: { inHead: inHead() },
    cause: async ({ client }) => void (await client.pay({ to: OWN, amount: 2n * ADA })),
    check: (head) => ({
      head: repeated(changed(head.node.connector(), patched), '"TxValid"', () => (cured.has(head) ? 0 : 10_000))
    }),
    codes: ['warn history-size'],
    // A node that rotates its history shows the rest of it.
    cure: (head) => void cured.add(head)
  },
  // Profiles of the local head differ in more than their version: one alone is in the text.
  'nodes of other versions': differing(versioned('2.4.7'), 'block mismatch-version'),
  'a node of another release': {
    ...runningWith(() => ({ profile: '2.3' }), 'block mismatch-version'),
    codes: ['block mismatch-version', 'block mismatch-parameters', 'block mismatch-periods'],
    profiles: ['2.4']
  },
  'a node of a larger head': {
    ...runningWith(() => ({ parties: 3 }), 'block mismatch-peers'),
    codes: ['block mismatch-peers', 'block mismatch-parties'],
    profiles: ['2.3', '2.4']
  },
  'nodes with other parameters': runningWith(
    () => ({ protocolParameters: { maxTxSize: 9_999 } }),
    'block mismatch-parameters'
  ),
  'nodes with other periods': runningWith(
    () => ({ timings: { contestationPeriodMs: 77_000 } }),
    'block mismatch-periods'
  ),
  // The local head lists its own parties as peers: another list is in the text alone.
  'nodes with other peers': {
    ...differing((text) => text.replaceAll('127.0.0.1:500', '127.0.0.1:600'), 'block mismatch-peers'),
    profiles: ['2.3', '2.4']
  },
  'nodes of other parties': runningWith(() => ({ seed: 'others' }), 'block mismatch-parties'),
  // The own node leads the next snapshot: it asks for the signature of the other.
  'a party that does not sign': silentWhen(0, async ({ node }) =>
    (await signersOf(node.httpUrl)).includes(node.parties[0]!.vkey)
  ),
  // The other party leads it: without that one, none is requested.
  'a party that requests no snapshot': silentWhen(1, async ({ node }) =>
    (await (await fetch(`${node.httpUrl}/head`)).text()).includes('"localTxs":[{')
  ),
  'a node that is behind': {
    node: { parties: 2, inHead: inHead() },
    // It has signed, and is cut off before the signature of the other comes.
    cause: async ({ node, client }) => {
      node.parties[0]!.set({ signDelayMs: 1_000 })
      const before = client.status().snapshotNumber!
      const paid = client.pay({ to: OWN, amount: 2n * ADA })
      // Its signature has arrived at the own node, which signs a second later.
      await until(async () => (await signersOf(node.httpUrl)).includes(node.parties[1]!.vkey))
      node.parties[1]!.set({ silent: true })
      await paid
      if (client.status().snapshotNumber === before) throw new Error('the snapshot was not confirmed')
    },
    check: (head) => ({ peers: [partyOf(head, 1)] }),
    codes: ['warn peer-behind'],
    cure: ({ node }) => void node.parties[1]!.set({ silent: false })
  }
}

const connectors = new WeakMap<SeededHead, Connector>()

/** Parties that have signed the snapshot in flight, by a node's API. */
async function signersOf(httpUrl: string): Promise<string[]> {
  const text = await (await fetch(`${httpUrl}/snapshot/last-seen`)).text()
  return [...text.matchAll(/[0-9a-f]{64}/g)].map(([key]) => key)
}

/** Resolves once something holds; it changes by the head's own steps. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 10_000; i++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error('this never held')
}
