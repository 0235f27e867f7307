import '../../src/bridge/history/readLedger'
import '../../src/client/actions/acceptOffer'
import '../../src/client/actions/offer'
import '../../src/client/receipts/followReceipts'
import { contextParts } from '../../src/client/ClientContext.js'
import { bytesToHex } from '../../src/codec/hex.js'
import { createHeadClient, createPaymentRequest } from '../../src/client/index.js'
import type { HeadClient } from '../../src/client/index.js'
import { DevNode, manualClock } from '../../src/devnode/index.js'
import type { ManualClock } from '../../src/devnode/index.js'
import type { BuiltTransaction } from '../../src/tx/index.js'
import { formatOffer } from '../../src/tx/inner.js'
import type { UTxO } from '../../src/types/utxo.js'
import type { Wallet } from '../../src/types/wallet.js'
import { ChainCliWallet } from '../../src/wallet/index.js'
import { ALWAYS_V3_ADDRESS, spendFromScript } from '../devnode/scriptTxs'
import { ada } from '../devnode/transactions'

const ADA = 1_000_000n

/** Listeners and signals that are in use, by the place where they were registered. */
class InUse {
  readonly #counts = new Map<string, number>()

  /** Counts what a registration returns until it is called. */
  register(place: string, stop: () => void): () => void {
    this.add(place, 1)
    let over = false
    return () => {
      if (!over) this.add(place, -1)
      over = true
      stop()
    }
  }

  add(place: string, by: number): void {
    this.#counts.set(place, (this.#counts.get(place) ?? 0) + by)
  }

  get open(): Record<string, number> {
    return Object.fromEntries([...this.#counts].filter(([, count]) => count !== 0))
  }
}

/** A head on a clock that is moved by hand, and a client whose listeners are counted. */
interface Rig {
  readonly clock: ManualClock
  readonly node: DevNode
  readonly client: HeadClient
  readonly wallet: ChainCliWallet
  readonly bob: string
  readonly inUse: InUse
  /** The signal that every action is given. */
  readonly signal: AbortSignal
  /** What the wallet does when it is asked to sign or for its addresses. */
  behaviour: 'signs' | 'declines' | 'silent'
}

const turns = async (count = 20): Promise<void> => {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve))
}

/** Moves both clocks on, and lets what falls due happen. */
async function pass(rig: Pick<Rig, 'clock'>, ms: number, stepMs = 50): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    rig.clock.advance(stepMs)
    jest.advanceTimersByTime(stepMs)
    await turns(4)
  }
}

async function settled<T>(rig: Pick<Rig, 'clock'>, promise: Promise<T>): Promise<T> {
  let over = false
  const end = (): void => {
    over = true
  }
  promise.then(end, end)
  for (let n = 0; n < 400 && !over; n++) await pass(rig, 50)
  if (!over) throw new Error('it has not settled within 20 seconds of the clock')
  return promise
}

function countListeners(client: HeadClient, inUse: InUse): void {
  const bridge = client.bridge as unknown as Record<
    'observe' | 'subscribe' | 'waitFor',
    (...args: unknown[]) => any
  > & { events: Record<'on', any> }
  for (const name of ['observe', 'subscribe'] as const) {
    const original = bridge[name].bind(bridge)
    Object.defineProperty(bridge, name, { value: (...args: unknown[]) => inUse.register(name, original(...args)) })
  }
  const waitFor = bridge.waitFor.bind(bridge)
  Object.defineProperty(bridge, 'waitFor', {
    value: (...args: unknown[]) => {
      inUse.add('waitFor', 1)
      const waited = waitFor(...args) as Promise<unknown>
      waited.catch(() => undefined).finally(() => inUse.add('waitFor', -1))
      return waited
    }
  })
  const on = bridge.events.on
  bridge.events.on = (...args: unknown[]) => inUse.register('events', on(...args))
}

function countedSignal(inUse: InUse): AbortSignal {
  const { signal } = new AbortController()
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
  const held = new Set<unknown>()
  Object.assign(signal, {
    addEventListener(type: string, listener: never, options: never) {
      if (!held.has(listener)) inUse.add('signal', 1)
      held.add(listener)
      add(type, listener, options)
    },
    removeEventListener(type: string, listener: never) {
      if (held.delete(listener)) inUse.add('signal', -1)
      remove(type, listener)
    }
  })
  return signal
}

async function start(deposit: bigint, open = true): Promise<Rig> {
  const clock = manualClock(Date.now())
  const node = new DevNode({ clock, timings: { contestationPeriodMs: 1_000 } })
  const [mine, other] = node.keys
  const wallet = new ChainCliWallet({ networkId: 0, skey: mine!.skey })
  const bob = new ChainCliWallet({ networkId: 0, skey: other!.skey }).getAddressBech32()
  const inUse = new InUse()
  const rig = { clock, node, wallet, bob, inUse, signal: countedSignal(inUse), behaviour: 'signs' } as {
    -readonly [Name in keyof Rig]: Rig[Name]
  }
  const asked = async <T>(answer: () => T | Promise<T>): Promise<T> => {
    if (rig.behaviour === 'declines') throw new Error('declined')
    return rig.behaviour === 'silent' ? new Promise<never>(() => undefined) : answer()
  }
  const asks: Wallet = {
    getChangeAddress: () => asked(() => wallet.getChangeAddress()),
    getAddresses: () => asked(() => wallet.getAddresses()),
    signTx: (tx, partial) => asked(() => wallet.signTx(tx, partial)),
    queryUTxOs: async (address) => node.baseUtxos(address)
  }
  rig.client = createHeadClient({ connector: node.connector(), wallet: asks })
  countListeners(rig.client, inUse)
  await settled(rig, rig.client.connect())
  if (open) await settled(rig, rig.client.open())
  if (deposit > 0n) await settled(rig, rig.client.deposit({ amount: deposit }))
  return rig
}

/** Another head in the place of the one that is open. */
async function replaceHead({ node, clock }: Rig): Promise<void> {
  const other = createHeadClient({ connector: node.connector() })
  const before = node.headId
  await settled({ clock }, other.connect())
  if (other.status().headStatus === 'Open') await settled({ clock }, other.closeAndFanoutHead()).catch(() => undefined)
  await settled({ clock }, other.open()).catch(() => undefined)
  await other.disconnect()
  expect(node.headId).not.toBe(before)
}

/** How an action is called; it gets the rig's signal. */
type Call = (rig: Rig) => unknown

/** A transaction with a bound, of the wallet's outputs, that pays an ada. */
async function half(client: HeadClient, to: string): Promise<BuiltTransaction> {
  const utxos = client.getUtxos()!
  const { TxBuilder } = await import('../../src/tx/TxBuilder.js')
  const slot = contextParts(client.context).ledger.slotAt(Date.now() + 600_000)!
  return new TxBuilder().addInputs(utxos).pay(to, ADA).changeTo(utxos[0]!.output.address).validTo(slot).build()
}

const TX_ID = 'ab'.repeat(32)
/** A row for each function of the client. */
const ROWS: Record<string, Call> = {
  connect: ({ client, signal }) => client.connect({ signal }),
  disconnect: ({ client }) => client.disconnect(),
  open: ({ client, signal }) => client.open({ signal }),
  deposit: ({ client, signal }) => client.deposit({ amount: 5n * ADA, signal }),
  pay: ({ client, bob, signal }) => client.pay({ to: bob, amount: ADA, signal }),
  payMany: ({ client, bob, signal }) => client.payMany({ payments: [{ to: bob, amount: ADA }], signal }),
  consolidate: ({ client, signal }) => client.consolidate({ signal }),
  evaluate: ({ client, node, signal }) => {
    const [collateral] = client.getUtxos()!
    const locked: UTxO = { input: { txHash: TX_ID, index: 0 }, output: ada(ALWAYS_V3_ADDRESS, ADA) }
    const tx = bytesToHex(spendFromScript(locked, collateral!, node.keys[0]!, []))
    return client.evaluate(tx, { utxos: [locked], evaluator: () => new Promise(() => undefined), signal })
  },
  submit: async ({ client, wallet, bob, signal }) => {
    const { buildPayment } = await import('../../src/tx/payment.js')
    const built = buildPayment({
      utxos: client.getUtxos()!,
      to: bob,
      amount: ADA,
      changeAddress: wallet.getAddressBech32()
    })
    return client.submit(built.cborHex, { signal })
  },
  waitForTx: ({ client, signal }) => client.waitForTx(TX_ID, { signal }),
  withdraw: ({ client, signal }) => client.withdraw({ amount: 2n * ADA, signal }),
  recover: ({ client, signal }) => client.recover({ signal }),
  payments: ({ client }) => client.payments(),
  offer: async ({ client, bob, signal }) => {
    const offer = await client.offer(await half(client, bob), { signal })
    await offer.withdraw({ signal })
  },
  inspectOffer: ({ client }) => client.inspectOffer('{}'),
  acceptOffer: async ({ client, node, bob, signal }) => {
    const { cborHex } = await half(client, bob)
    const { text } = formatOffer({ networkId: 0, headId: node.headId!, cborHex }, [])
    const { terms: _, ...envelope } = JSON.parse(text) as { terms: unknown }
    await client.acceptOffer(JSON.stringify(envelope), { gives: 2n * ADA, signal })
  },
  newTx: ({ client, signal }) => client.newTx({ signal }),
  getTransaction: ({ client, signal }) => client.getTransaction(TX_ID, { signal }),
  receipts: async ({ client, bob, signal }) => {
    for await (const receipt of client.receipts({ address: bob, signal })) void receipt
  },
  waitForPayment: ({ client, bob, signal }) =>
    client.waitForPayment(createPaymentRequest({ amount: ADA, address: bob }), { signal }),
  closeHead: ({ client, signal }) => client.closeHead({ signal }),
  fanoutHead: ({ client, signal }) => client.fanoutHead({ signal }),
  closeAndFanoutHead: ({ client, signal }) => client.closeAndFanoutHead({ signal }),
  contest: ({ client, signal }) => client.contest({ signal }),
  abortHead: ({ client, signal }) => client.abortHead({ signal }),
  getBalance: ({ client }) => client.getBalance(),
  getUtxos: ({ client }) => client.getUtxos(),
  status: ({ client }) => client.status(),
  watchBalance: ({ client, bob }) => client.watchBalance({ address: bob, onChange: () => undefined })(),
  watchHead: ({ client }) => client.watchHead({ onChange: () => undefined })(),
  watchTxs: ({ client }) => client.watchTxs({ onChange: () => undefined })(),
  store: ({ client }) => client.store((each) => each.status()).subscribe(() => undefined)()
}

/** What happens while an action runs. */
const EVENTS: Record<string, (rig: Rig, begin: () => void) => Promise<void>> = {
  'nothing, and the client disconnects': async (_, begin) => begin(),
  'the wallet declines': async (rig, begin) => {
    rig.behaviour = 'declines'
    begin()
    await pass(rig, 500)
  },
  'the wallet never answers': async (rig, begin) => {
    rig.behaviour = 'silent'
    begin()
    await pass(rig, 500)
  },
  'another head takes the place of this one': async (rig, begin) => {
    begin()
    await replaceHead(rig)
  },
  'a handler is slow': async (rig, begin) => {
    let until = 0
    const off = rig.client.bridge.events.on('onMessage', () => {
      for (until = performance.now() + 12; performance.now() < until;);
    })
    begin()
    await pass(rig, 200)
    off()
  },
  'the same action is called a second time': async (rig, begin) => {
    begin()
    begin()
    await pass(rig, 100)
  }
}

/** Runs one cell, disconnects, and says what is left a second later. */
async function leftAfter(rig: Rig, call: Call, event: keyof typeof EVENTS): Promise<Record<string, unknown>> {
  const before = { ...rig.inUse.open }
  let pending = 0
  let isUnknown = false
  const begin = (): void => {
    pending++
    const done = (): void => {
      pending--
    }
    void (async () => call(rig))().then(done, (error: { code?: unknown } | undefined) => {
      isUnknown ||= error?.code === 'CLIENT_OUTCOME_UNKNOWN'
      done()
    })
  }
  await EVENTS[event]!(rig, begin)
  await turns()
  await rig.client.disconnect()
  await turns()
  // No clock moves; but what ends it may come from another thread, which a busy machine delays.
  for (const end = performance.now() + 2_000; pending > 0 && performance.now() < end;) await turns(1)
  const atOnce = pending
  await pass(rig, 1_000)
  const { view, txs } = contextParts(rig.client.context)
  // What was sent and is not decided stays reserved, and is followed by one listener that the next connection wakes.
  const followed = txs.size > 0 ? 1 : 0
  const open = rig.inUse.open
  if (followed > 0) open['subscribe'] = open['subscribe']! - followed
  return {
    atOnce,
    pending,
    running: jest.getTimerCount(),
    held: view.size - txs.size + (view.isHolding && !isUnknown ? 1 : 0),
    listening: Object.fromEntries(Object.entries(open).filter(([place, count]) => count !== (before[place] ?? 0)))
  }
}

const NOTHING = { atOnce: 0, pending: 0, running: 0, held: 0, listening: {} }

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask', 'performance'] })
})
afterEach(() => {
  jest.useRealTimers()
})

it('has a row for every function of the client', () => {
  const client = createHeadClient({ url: 'ws://127.0.0.1:1' })
  const functions = Object.entries(client).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
  expect(Object.keys(ROWS).sort()).toEqual(functions.sort())
})

describe.each(Object.keys(EVENTS))('a second after disconnect(), when meanwhile %s,', (event) => {
  it.each(Object.keys(ROWS))('%s leaves nothing pending, held, listening or running', async (action) => {
    const rig = await start(20n * ADA)
    expect(await leftAfter(rig, ROWS[action]!, event)).toEqual(NOTHING)
  })
})

describe('the matrix notices', () => {
  it.each([
    ['a promise that stays', { atOnce: 1, pending: 1 }, () => new Promise(() => undefined)],
    ['a timer', { running: 1 }, () => void setInterval(() => undefined, 5_000)],
    [
      'a listener of the bridge',
      { listening: { subscribe: 1 } },
      ({ client }: Rig) => void client.bridge.subscribe(() => undefined)
    ],
    [
      'an observer',
      { listening: { observe: expect.any(Number) } },
      ({ client }: Rig) => void client.bridge.observe({})
    ],
    [
      'a handler',
      { listening: { events: 1 } },
      ({ client }: Rig) => void client.bridge.events.on('onMessage', () => undefined)
    ],
    [
      "a listener on the caller's signal",
      { listening: { signal: 1 } },
      ({ signal }: Rig) => void signal.addEventListener('abort', () => undefined)
    ],
    [
      'outputs that are held back',
      { held: 1 },
      ({ client }: Rig) => void contextParts(client.context).view.hold([`${TX_ID}#0`], 'withdraw')
    ],
    [
      'outputs that are reserved for no transaction',
      { held: 1 },
      ({ client }: Rig) => void contextParts(client.context).view.reserve({ txId: TX_ID, inputs: [], outputs: [] })
    ]
  ] as [string, Record<string, unknown>, Call][])('%s', async (_, left, call) => {
    const rig = await start(0n)
    expect(await leftAfter(rig, call, 'nothing, and the client disconnects')).toEqual({ ...NOTHING, ...left })
  })
})
