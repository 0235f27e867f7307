import { contextParts } from '../../src/client/ClientContext.js'
import type { ActionProgress, HeadClient, SettledTx } from '../../src/client/index.js'
import { HELD_MS, holdTimer } from '../support/heldTimer.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
let alice: HeadClient
let bob: string
beforeEach(async () => {
  head = await startClientHead({ deposit: 100n * ADA })
  alice = await head.client(0)
  bob = head.wallets[1]!.getAddressBech32()
})
afterEach(async () => {
  jest.restoreAllMocks()
  await head.stop()
})

const atBob = (): bigint =>
  head.node.headUtxos(bob).reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
const sent = (): number => head.node.counters.inputs['NewTx'] ?? 0
const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => {
      throw new Error('it resolved')
    },
    (error: unknown) => error
  )
const pendingEqualsConfirmed = (client: HeadClient): void =>
  expect(client.getBalance()!.pending).toEqual(client.getBalance()!.confirmed)

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
}

describe('a signal', () => {
  it('that is aborted before the call ends it with the reason; nothing is signed, sent or reserved', async () => {
    const sign = jest.spyOn(head.wallets[0]!, 'signTx')
    const reason = new Error('not today')
    expect(await failureOf(alice.pay({ to: bob, amount: ADA, signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(await failureOf(alice.withdraw({ amount: ADA, signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(await failureOf(alice.deposit({ amount: 2n * ADA, signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(await failureOf(alice.closeHead({ signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(sign).not.toHaveBeenCalled()
    expect(sent()).toBe(0)
    expect(alice.status()).toMatchObject({ pending: 0, headStatus: 'Open' })
  })

  it('that is aborted while the wallet signs ends the payment with the reason and frees what it had reserved', async () => {
    const controller = new AbortController()
    jest.spyOn(head.wallets[0]!, 'signTx').mockImplementation(() => new Promise(() => undefined))
    const paid = failureOf(alice.pay({ to: bob, amount: ADA, signal: controller.signal }))
    await until(() => alice.status().pending === 1)
    expect(alice.getBalance()!.pending.lovelace).toBe(99n * ADA)
    controller.abort('enough')
    expect(await paid).toBe('enough')
    expect(alice.status().pending).toBe(0)
    pendingEqualsConfirmed(alice)
    expect(sent()).toBe(0)
  })

  it('that is aborted by a progress handler before signing opens no wallet', async () => {
    const sign = jest.spyOn(head.wallets[0]!, 'signTx')
    for (const action of ['pay', 'withdraw'] as const) {
      const controller = new AbortController()
      const onProgress = ({ state }: ActionProgress): void => {
        if (state === 'built' || state === 'drafted') controller.abort('stop')
      }
      const args = {
        to: action === 'pay' ? bob : undefined,
        signal: controller.signal,
        onProgress,
        ...(action === 'pay' ? { amount: ADA } : { utxos: alice.getUtxos()!, all: true })
      }
      expect(await failureOf((alice[action] as (args: unknown) => Promise<unknown>)(args))).toBe('stop')
      expect(sign).not.toHaveBeenCalled()
      pendingEqualsConfirmed(alice)
    }
    const controller = new AbortController()
    expect(
      await failureOf(
        alice.deposit({
          amount: 2n * ADA,
          signal: controller.signal,
          onProgress: ({ state }) => {
            if (state === 'drafted') controller.abort('stop')
          }
        })
      )
    ).toBe('stop')
    expect(sign).not.toHaveBeenCalled()
    expect(sent()).toBe(0)
  })

  it.each<[string, () => [bound: object, end: () => void], object]>([
    [
      'timeout',
      () => {
        const limit = holdTimer()
        return [{ timeout: HELD_MS }, () => limit.fire()]
      },
      { code: 'CLIENT_TIMEOUT' }
    ],
    [
      'signal',
      () => {
        const controller = new AbortController()
        return [{ signal: controller.signal }, () => controller.abort(new DOMException('late', 'TimeoutError'))]
      },
      { name: 'TimeoutError' }
    ]
  ])("bounds a payment that waits for 'sent' alone, too: %s", async (_what, bounded, cause) => {
    await alice.pay({ to: bob, amount: ADA })
    // The socket takes nothing, and says nothing.
    const send = jest.spyOn(alice.bridge, 'submitTxSync').mockImplementation(() => new Promise(() => undefined))
    const [bound, end] = bounded()
    const failure = failureOf(alice.pay({ to: bob, amount: ADA, wait: 'sent', ...bound }))
    await until(() => send.mock.calls.length > 0)
    end()
    const error = await failure
    expect(error).toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN', outcome: 'unknown', cause })
  })

  it('that is aborted after sending leaves an unknown outcome with id and expiry, and the end is told once', async () => {
    head.node.faults.holdSnapshots = true
    const controller = new AbortController()
    const settled: SettledTx[] = []
    const started = Date.now()
    const error = await failureOf(
      alice.pay({
        to: bob,
        amount: ADA,
        signal: controller.signal,
        onSettled: (end) => settled.push(end),
        onProgress: ({ state }) => {
          if (state === 'valid') controller.abort('left the page')
        }
      })
    )
    expect(error).toMatchObject({
      code: 'CLIENT_OUTCOME_UNKNOWN',
      outcome: 'unknown',
      txId: expect.stringMatching(/^[0-9a-f]{64}$/),
      cause: 'left the page'
    })
    expect(error.expiresAt).toBeGreaterThanOrEqual(started + 299_000)
    expect(error.expiresAt).toBeLessThanOrEqual(Date.now() + 301_000)
    expect(error.message).toContain('waitForTx')
    expect(alice.getBalance()!.pending.lovelace).toBe(99n * ADA)
    expect(settled).toEqual([])
    head.node.faults.holdSnapshots = false
    // The node asks for the next snapshot when it has another transaction.
    await alice.pay({ to: bob, amount: ADA })
    expect(await alice.waitForTx(error.txId)).toMatchObject({ exact: true, verified: false })
    expect(settled).toEqual([
      { txId: error.txId, outcome: 'confirmed', snapshotNumber: expect.any(Number), exact: true, verified: false }
    ])
    expect(atBob()).toBe(2n * ADA)
  })
})

it('keeps the inputs of a lost transaction reserved, and tells its end once when it is confirmed after all', async () => {
  head.node.faults.loseTransactions = 1
  const settled: SettledTx[] = []
  const signed: string[] = []
  const sign = head.wallets[0]!.signTx.bind(head.wallets[0]!)
  jest.spyOn(head.wallets[0]!, 'signTx').mockImplementation(async (tx, partial) => {
    const result = await sign(tx, partial)
    signed.push(result)
    return result
  })
  const limit = holdTimer()
  const failure = failureOf(
    alice.pay({ to: bob, amount: ADA, timeout: HELD_MS, onSettled: (end) => settled.push(end) })
  )
  await until(() => head.node.faults.loseTransactions === 0)
  limit.fire()
  const error = await failure
  expect(error).toMatchObject({
    code: 'CLIENT_OUTCOME_UNKNOWN',
    txId: expect.any(String),
    cause: { code: 'CLIENT_TIMEOUT' }
  })
  // The wallet's only output is spoken for: nothing can be paid twice.
  expect(await failureOf(alice.waitForTx(error.txId, { timeout: 50 }))).toMatchObject({
    code: 'CLIENT_OUTCOME_UNKNOWN',
    txId: error.txId
  })
  expect(sent()).toBe(1)
  const other = await head.client(0)
  const confirmed = await other.submit(signed[0]!)
  await expect(alice.waitForTx(error.txId)).resolves.toEqual({
    snapshotNumber: confirmed.snapshotNumber,
    exact: true,
    verified: false
  })
  await until(() => settled.length > 0)
  await alice.pay({ to: bob, amount: ADA })
  expect(settled).toHaveLength(1)
  expect(atBob()).toBe(2n * ADA)
  pendingEqualsConfirmed(alice)
})

it('frees the inputs of an unknown transaction once the time of the node is past its bound, and says that it expired', async () => {
  const short = await head.client(0, { expiresIn: 60_000 })
  head.node.faults.swallowTransactions = 1
  const settled: SettledTx[] = []
  const limit = holdTimer()
  const failure = failureOf(
    short.pay({ to: bob, amount: ADA, timeout: HELD_MS, onSettled: (end) => settled.push(end) })
  )
  await until(() => head.node.faults.swallowTransactions === 0)
  limit.fire()
  const error = await failure
  expect(error.code).toBe('CLIENT_OUTCOME_UNKNOWN')
  expect(short.status().pending).toBe(1)
  const cutOff = failureOf(short.waitForTx(error.txId))
  // The bridge gives it up with the connection; from then on the head's state decides, and its input is there still.
  await short.disconnect()
  expect(await cutOff).toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN', txId: error.txId })
  await short.connect()
  const asked = failureOf(short.waitForTx(error.txId))
  expect(settled).toEqual([])
  const now = Date.now()
  jest.spyOn(Date, 'now').mockImplementation(() => now + 3_600_000)
  await (await head.client(1)).pay({ to: bob, amount: ADA }).catch(() => undefined)
  await until(() => settled.length > 0)
  expect(await asked).toMatchObject({ code: 'CLIENT_TX_EXPIRED', txId: error.txId })
  expect(settled).toEqual([
    { txId: error.txId, outcome: 'rejected', error: expect.objectContaining({ code: 'CLIENT_TX_EXPIRED' }) }
  ])
  expect(short.status().pending).toBe(0)
  pendingEqualsConfirmed(short)
}, 200_000)

describe('progress', () => {
  it('comes in order, names the transaction, and never after the promise has settled', async () => {
    const steps: string[] = []
    const states = ['built', 'signed', 'submitted', 'valid', 'confirmed']
    const { txId } = await alice.pay({
      to: bob,
      amount: ADA,
      wait: 'valid',
      onProgress: ({ action, state, txId: id }) => steps.push(`${action} ${state} ${id}`)
    })
    const atSettle = [...steps]
    // A busy machine may read the snapshot together with the message that settles the promise.
    expect(['valid', 'confirmed']).toContain(states[atSettle.length - 1])
    expect(atSettle).toEqual(states.slice(0, atSettle.length).map((state) => `pay ${state} ${txId}`))
    await alice.waitForTx(txId)
    await alice.pay({ to: bob, amount: ADA })
    expect(steps).toEqual(atSettle)
    const whole: string[] = []
    await alice.pay({ to: bob, amount: ADA, onProgress: ({ state }) => whole.push(state) })
    expect(whole).toEqual(states)
  })

  it('handlers that throw, or reject, are reported and change nothing', async () => {
    const errors: [unknown, string][] = []
    const client = await head.client(0, { onHandlerError: (error, callback) => errors.push([error, callback]) })
    const boom = new Error('boom')
    const { txId } = await client.pay({
      to: bob,
      amount: ADA,
      onProgress() {
        throw boom
      }
    })
    expect(head.node.headUtxos(bob).map(({ input }) => input.txHash)).toContain(txId)
    expect(errors).toEqual(Array.from({ length: 5 }, () => [boom, 'onProgress']))
    errors.length = 0
    await client.pay({
      to: bob,
      amount: ADA,
      wait: 'sent',
      onSettled: (async () => {
        throw boom
      }) as never
    })
    await until(() => errors.length > 0)
    expect(errors).toEqual([[boom, 'onSettled']])
    const silent = await head.client(0, {
      onHandlerError() {
        throw boom
      }
    })
    await expect(
      silent.pay({
        to: bob,
        amount: ADA,
        onProgress() {
          throw boom
        }
      })
    ).resolves.toMatchObject({ fee: 0n })
  })
})

it('reports each descendant of a refused payment once, with the reason of the ancestor, and frees everything', async () => {
  const twin = await head.client(0)
  head.node.faults.holdSnapshots = true
  await twin.pay({ to: bob, amount: ADA, wait: 'valid' })
  const errors = await Promise.all([1, 2, 3].map(() => failureOf(alice.pay({ to: bob, amount: ADA, retries: 0 }))))
  const [first, ...rest] = errors
  expect(first).toMatchObject({ code: 'CLIENT_LEDGER', reason: 'inputs-spent', ancestorTxId: undefined })
  expect(first.nodeText).toContain('All inputs are spent')
  for (const each of rest)
    expect(each).toMatchObject({
      code: 'CLIENT_LEDGER',
      reason: 'inputs-spent',
      ancestorTxId: first.txId,
      nodeText: first.nodeText
    })
  expect(new Set(errors.map(({ txId }) => txId)).size).toBe(3)
  expect(alice.status().pending).toBe(0)
  pendingEqualsConfirmed(alice)
})

it('names the refused ancestor even when the bridge decides the ancestor after its descendants', async () => {
  const twin = await head.client(0)
  head.node.faults.holdSnapshots = true
  await twin.pay({ to: bob, amount: ADA, wait: 'valid' })
  const submit = alice.bridge.submitTxSync.bind(alice.bridge)
  let submissions = 0
  jest.spyOn(alice.bridge, 'submitTxSync').mockImplementation((...args) => {
    const verdict = submit(...args)
    return ++submissions > 1 ? verdict : verdict.finally(() => new Promise((resolve) => setTimeout(resolve, 100)))
  })
  const [first, ...rest] = await Promise.all(
    [1, 2, 3].map(() => failureOf(alice.pay({ to: bob, amount: ADA, retries: 0 })))
  )
  expect(first).toMatchObject({ code: 'CLIENT_LEDGER', reason: 'inputs-spent', ancestorTxId: undefined })
  for (const each of rest)
    expect(each).toMatchObject({ code: 'CLIENT_LEDGER', reason: 'inputs-spent', ancestorTxId: first.txId })
  expect(alice.status().pending).toBe(0)
  pendingEqualsConfirmed(alice)
})

it('builds a payment again when somebody else spends its input, and pays once', async () => {
  const twin = await head.client(0)
  head.node.faults.holdSnapshots = true
  await twin.pay({ to: bob, amount: 5n * ADA, wait: 'valid' })
  const ids = new Set<string>()
  const paid = alice.pay({
    to: bob,
    amount: ADA,
    onProgress: ({ txId }) => {
      ids.add(txId!)
    }
  })
  const refused = alice.bridge.waitFor('TxInvalid')
  await refused
  head.node.faults.holdSnapshots = false
  await twin.pay({ to: bob, amount: 5n * ADA })
  const { txId } = await paid
  expect(ids.size).toBeGreaterThan(1)
  expect([...ids].pop()).toBe(txId)
  expect(atBob()).toBe(11n * ADA)
  expect(alice.getBalance()!.confirmed.lovelace).toBe(89n * ADA)
})

it('gives up after as many attempts as it was given, typed, with nothing paid', async () => {
  const twin = await head.client(0)
  head.node.faults.holdSnapshots = true
  await twin.pay({ to: bob, amount: 5n * ADA, wait: 'valid' })
  const before = sent()
  expect(await failureOf(alice.pay({ to: bob, amount: ADA, retries: 1 }))).toMatchObject({
    code: 'CLIENT_LEDGER',
    reason: 'inputs-spent'
  })
  expect(sent() - before).toBe(2)
  head.node.faults.holdSnapshots = false
  await twin.pay({ to: bob, amount: 5n * ADA })
  expect(atBob()).toBe(10n * ADA)
})

it('never lets a payment that is built again share an input with another payment of the client', async () => {
  const twin = await head.client(0)
  head.node.faults.holdSnapshots = true
  await twin.pay({ to: bob, amount: 5n * ADA, wait: 'valid' })
  const inputs = new Map<string, string>()
  const shared: string[] = []
  const reserve = contextParts(alice.context).view.reserve.bind(contextParts(alice.context).view)
  jest.spyOn(contextParts(alice.context).view, 'reserve').mockImplementation((tx) => {
    for (const { input } of tx.inputs) {
      const holder = contextParts(alice.context).view.reservedBy(`${input.txHash}#${input.index}`)
      if (holder !== undefined && holder !== tx.txId) shared.push(holder)
    }
    inputs.set(tx.txId, tx.txId)
    return reserve(tx)
  })
  const first = failureOf(alice.pay({ to: bob, amount: ADA, retries: 1 }))
  await alice.bridge.waitFor('TxInvalid')
  // Takes the input that the first one wants again.
  const second = failureOf(alice.pay({ to: bob, amount: 2n * ADA, retries: 0, timeout: 10_000 }))
  await Promise.all([first, second])
  expect(shared).toEqual([])
  expect(inputs.size).toBeGreaterThan(1)
}, 60_000)

it('makes two payments of two equal calls', async () => {
  const results = await Promise.all([1, 2].map(() => alice.pay({ to: bob, amount: ADA })))
  expect(new Set(results.map(({ txId }) => txId)).size).toBe(2)
  expect(atBob()).toBe(2n * ADA)
})

it('makes two payments of equal calls of two clients of one wallet at the same moment', async () => {
  const twin = await head.client(0)
  jest.spyOn(Date, 'now').mockReturnValue(Date.now())
  const results = await Promise.all([alice, twin].map((client) => client.pay({ to: bob, amount: ADA })))
  expect(results[0]!.txId).not.toBe(results[1]!.txId)
  expect(atBob()).toBe(2n * ADA)
})

it('chains at most 50 unconfirmed links, and goes on when they are confirmed', async () => {
  head.node.faults.holdSnapshots = true
  const paid = Array.from({ length: 60 }, () => alice.pay({ to: bob, amount: ADA }))
  await until(() => sent() >= 50)
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(sent()).toBe(50)
  expect(alice.status().pending).toBe(50)
  head.node.faults.holdSnapshots = false
  expect((await Promise.all(paid)).length).toBe(60)
  expect(atBob()).toBe(60n * ADA)
})

it('resolves a payment that is not waited for only once it has really left', async () => {
  const { txId } = await alice.pay({ to: bob, amount: ADA, wait: 'sent' })
  expect(sent()).toBeGreaterThanOrEqual(0)
  await expect(alice.waitForTx(txId)).resolves.toMatchObject({ exact: true, verified: false })
  // A socket that takes nothing any more.
  const send = alice.bridge.submitTxSync.bind(alice.bridge)
  let failed = 0
  jest.spyOn(alice.bridge, 'submitTxSync').mockImplementation(async (tx, options) => {
    if (failed++ > 0) return send(tx, options)
    const { SubmitError } = await import('../../src/errors/operation.js')
    throw new SubmitError(
      (tx as { txId: string }).txId,
      'NotConnected',
      'there is no open connection; no transaction was sent'
    )
  })
  const again = await alice.pay({ to: bob, amount: ADA, wait: 'sent' })
  await expect(alice.waitForTx(again.txId)).resolves.toMatchObject({ exact: true, verified: false })
  expect(failed).toBe(2)
  expect(atBob()).toBe(2n * ADA)
})
