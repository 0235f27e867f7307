import { contextParts } from '../../src/client/ClientContext.js'
import type { HeadClient, SettledTx } from '../../src/client/index.js'
import { LayerBridge } from '../../src/bridge/index.js'
import { depositDeadline, encodeDepositDatum } from '../../src/codec/depositDatum.js'
import { bytesToHex } from '../../src/codec/hex.js'
import type { StartDevNodeOptions } from '../../src/devnode/index.js'
import { HELD_MS, holdTimer } from '../support/heldTimer.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

let head: ClientHead
afterEach(async () => {
  jest.restoreAllMocks()
  await head.stop()
})

const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => {
      throw new Error('it resolved')
    },
    (error: unknown) => error
  )
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
}
const inHead = (index: number): bigint =>
  head.node
    .headUtxos(head.wallets[index]!.getAddressBech32())
    .reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)

const onBase = (index: number): bigint =>
  head.node
    .baseUtxos(head.wallets[index]!.getAddressBech32())
    .reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)

/** A client that is connected again soon after a drop. */
async function start(options: { deposit?: bigint; node?: StartDevNodeOptions } = {}): Promise<HeadClient> {
  head = await startClientHead({ deposit: 0n, ...options })
  return head.client(0, { reconnectInterval: 20 })
}

/** Goes down, waits until the node has done something nobody hears, and is back. */
async function whileOffline(happens: () => boolean): Promise<void> {
  await head.node.goOffline()
  await until(happens)
  await head.node.goOnline()
}

const historyOf = async (tag: string): Promise<number> => {
  const bridge = new LayerBridge({ connector: head.node.connector({ history: true }) })
  let count = 0
  bridge.events.on('onMessage', (message) => {
    if (message.tag === tag) count++
  })
  await bridge.connect()
  await bridge.disconnect()
  return count
}
/** Polls the node's history beside the socket that is down. */
function seenInHistory(tag: string): () => boolean {
  let seen = false
  let asking = false
  return () => {
    if (!seen && !asking) {
      asking = true
      void historyOf(tag).then((count) => {
        seen ||= count > 0
        asking = false
      })
    }
    return seen
  }
}

describe('a deposit', () => {
  const submitted =
    (resolve: () => void) =>
    ({ state }: { state: string }): void => {
      if (state === 'submitted') resolve()
    }

  it('that becomes final while the connection is lost resolves all the same', async () => {
    const alice = await start({ node: { timings: { depositDelayMs: 100 } } })
    let deposited: Promise<unknown> | undefined
    await new Promise<void>((resolve) => {
      deposited = alice.deposit({ amount: 5n * ADA, onProgress: submitted(resolve) })
    })
    await whileOffline(() => inHead(0) > 0n)
    await expect(deposited).resolves.toMatchObject({
      depositTxId: expect.any(String),
      recoverableAt: expect.any(Number)
    })
    expect(alice.getBalance()!.confirmed.lovelace).toBe(5n * ADA)
  })

  it('that becomes final and is spent on while the connection is lost resolves by the history', async () => {
    const alice = await start({ node: { timings: { depositDelayMs: 100 } } })
    const twin = await head.client(0, { url: undefined, connector: head.node.connector() } as never)
    let deposited: Promise<unknown> | undefined
    await new Promise<void>((resolve) => {
      deposited = alice.deposit({ amount: 5n * ADA, onProgress: submitted(resolve) })
    })
    await head.node.goOffline()
    await until(() => inHead(0) > 0n)
    // Not over the sockets, which are down.
    const paid = twin.pay({ to: head.wallets[1]!.getAddressBech32(), amount: 5n * ADA })
    await Promise.race([paid, until(() => inHead(1) === 5n * ADA)])
    await head.node.goOnline()
    await expect(deposited).resolves.toMatchObject({ depositTxId: expect.any(String) })
    await paid
  })

  it('whose expiry is missed ends without a time limit of the caller, and can be recovered', async () => {
    const alice = await start({
      node: { profile: '2.3', timings: { depositDelayMs: 600_000, depositPeriodMs: 1_000 } }
    })
    let deposited: Promise<unknown> | undefined
    await new Promise<void>((resolve) => {
      deposited = alice.deposit({ amount: 5n * ADA, onProgress: submitted(resolve) })
    })
    const failure = failureOf(deposited!)
    await whileOffline(seenInHistory('DepositExpired'))
    const error = await failure
    expect(error).toMatchObject({ code: 'CLIENT_DEPOSIT_EXPIRED', depositTxId: expect.any(String) })
    let recovered: string[] = []
    while (recovered.length === 0) recovered = await alice.recover()
    expect(recovered).toEqual([error.depositTxId])
  }, 30_000)

  it('whose recovery is answered while the connection is lost is recovered by the history, once', async () => {
    const alice = await start({
      node: { profile: '2.3', timings: { depositDelayMs: 600_000, depositPeriodMs: 1_000 } }
    })
    const { depositTxId } = await failureOf(alice.deposit({ amount: 5n * ADA, timeout: 20_000 }))
    const before = onBase(0)
    let refused: unknown
    // Its deadline comes after its expiry. D04: DepositPeriodNotReached.
    while (refused === undefined || String(refused).includes('["D04"]')) {
      Object.assign(head.node.faults, { dropTags: ['CommitRecovered'], dropOutputs: 1 })
      const recovered = alice.recover({ depositTxId, timeout: 20_000 })
      void until(() => onBase(0) > before).then(() => head.node.dropConnections())
      refused = await recovered.then(
        (ids) => ids,
        (error: unknown) => error
      )
    }
    expect(refused).toEqual([depositTxId])
    expect(await alice.recover()).toEqual([])
    expect(await historyOf('CommitRecovered')).toBe(1)
  }, 30_000)

  it('that is pending past its deadline ends by state where nobody reads a history', async () => {
    const alice = await start({
      node: { profile: '2.3', timings: { depositDelayMs: 600_000, depositPeriodMs: 1_000 } }
    })
    jest.spyOn(alice.bridge, 'messagesAbout').mockRejectedValue(new Error('no history'))
    let deposited: Promise<unknown> | undefined
    await new Promise<void>((resolve) => {
      deposited = alice.deposit({ amount: 5n * ADA, onProgress: submitted(resolve) })
    })
    const failure = failureOf(deposited!)
    await whileOffline(seenInHistory('DepositExpired'))
    await until(() => alice.status().ready)
    const now = Date.now()
    jest.spyOn(Date, 'now').mockImplementation(() => now + 3_600_000)
    head.node.dropConnections()
    expect(await failure).toMatchObject({ code: 'CLIENT_DEPOSIT_EXPIRED' })
  }, 30_000)

  it('ends when the head is closed before it was taken', async () => {
    const alice = await start({ node: { timings: { depositDelayMs: 600_000 } } })
    let deposited: Promise<unknown> | undefined
    await new Promise<void>((resolve) => {
      deposited = alice.deposit({ amount: 5n * ADA, onProgress: submitted(resolve) })
    })
    const failure = failureOf(deposited!)
    await alice.closeHead({ force: true })
    expect(await failure).toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN', message: expect.stringContaining('closed') })
  })

  it('that is cut off by disconnect() ends as unknown, at once', async () => {
    const alice = await start({ node: { timings: { depositDelayMs: 600_000 } } })
    const failure = failureOf(
      alice.deposit({
        amount: 5n * ADA,
        onProgress({ state }) {
          if (state === 'recorded') void alice.disconnect()
        }
      })
    )
    expect(await failure).toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN' })
  })

  it('carries a deadline that is read from its draft, and from no other datum', () => {
    head = { stop: async () => undefined } as ClientHead
    const datum = encodeDepositDatum({ headId: 'ab'.repeat(28), deadlineMs: 1_700_000_000_000, deposited: [] })
    expect(depositDeadline(bytesToHex(datum))).toBe(1_700_000_000_000)
    for (const other of ['00', 'd87980', 'd8799f4401020304ff', `d87a9f581c${'ab'.repeat(28)}00ff`, 'zz', ''])
      expect(depositDeadline(other)).toBeNull()
  })
})

describe('a withdrawal', () => {
  it.each(['DecommitApproved', 'DecommitFinalized'] as const)(
    'resolves when the connection is lost before %s',
    async (tag) => {
      const alice = await start({ deposit: 20n * ADA, node: { timings: { blockMs: 150, snapshotIntervalMs: 60 } } })
      const seen = tag === 'DecommitApproved' ? 'submitted' : 'approved'
      let withdrawn: Promise<{ utxo: unknown }> | undefined
      await new Promise<void>((resolve) => {
        withdrawn = alice.withdraw({
          amount: 5n * ADA,
          onProgress({ state }) {
            if (state === seen) resolve()
          }
        })
      })
      await until(() => (head.node.counters.inputs['Decommit'] ?? 0) > 0)
      await whileOffline(seenInHistory('DecommitFinalized'))
      const { utxo } = await withdrawn!
      expect(utxo).toMatchObject([{ amount: [{ unit: 'lovelace', quantity: String(5n * ADA) }] }])
      expect(inHead(0)).toBe(15n * ADA)
      expect(alice.getBalance()!.pending.lovelace).toBe(15n * ADA)
    }
  )

  it('is refused with the reason that was missed, and the money can be paid with', async () => {
    const alice = await start({ deposit: 20n * ADA })
    const utxos = alice.getUtxos()!
    const other = head.wallets[1]!
    // Signed by somebody else: the head's ledger refuses it.
    const signTx = jest.spyOn(head.wallets[0]!, 'signTx').mockImplementation((tx) => other.signTx(tx))
    head.node.faults.dropTags = ['DecommitInvalid']
    head.node.faults.dropOutputs = 1
    const failure = failureOf(alice.withdraw({ utxos, all: true }))
    await until(() => (head.node.counters.inputs['Decommit'] ?? 0) > 0)
    await new Promise((resolve) => setTimeout(resolve, 100))
    head.node.dropConnections()
    expect(await failure).toMatchObject({ code: 'CLIENT_LEDGER', reason: 'missing-signature' })
    signTx.mockRestore()
    await alice.pay({ to: other.getAddressBech32(), amount: 20n * ADA })
  })

  it.each([false, true])(
    'that is cut off by disconnect() ends as unknown, at once (approved: %s)',
    async (approved) => {
      const alice = await start({ deposit: 20n * ADA, node: { timings: { blockMs: 50 } } })
      const utxos = alice.getUtxos()!
      head.node.faults.holdSnapshots = !approved
      let isApproved = false
      const failure = failureOf(
        alice.withdraw({
          utxos,
          all: true,
          onProgress({ state }) {
            if (state !== 'approved') return
            isApproved = true
            void alice.disconnect()
          }
        })
      )
      await until(() => (head.node.counters.inputs['Decommit'] ?? 0) > 0)
      if (!approved) await alice.disconnect()
      expect(await failure).toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN' })
      expect(isApproved).toBe(approved)
    }
  )

  it('that never reached the node ends as unknown, and keeps its outputs back', async () => {
    const alice = await start({ deposit: 20n * ADA })
    const utxos = alice.getUtxos()!
    jest.spyOn(alice.bridge.commands, 'decommit').mockImplementation(() => new Promise(() => undefined))
    let failure: Promise<any> | undefined
    await new Promise<void>((resolve) => {
      failure = failureOf(
        alice.withdraw({
          utxos,
          all: true,
          onProgress({ state }) {
            if (state === 'submitted') resolve()
          }
        })
      )
    })
    head.node.dropConnections()
    expect(await failure).toMatchObject({
      code: 'CLIENT_OUTCOME_UNKNOWN',
      message: expect.stringContaining('does not know it')
    })
    expect(await failureOf(alice.withdraw({ utxos, all: true }))).toMatchObject({ code: 'CLIENT_INPUT_RESERVED' })
  })
})

describe('closing and fanning out', () => {
  it('resolve with what the node said while the connection was lost', async () => {
    const alice = await start({ deposit: 20n * ADA, node: { timings: { blockMs: 150, contestationPeriodMs: 200 } } })
    const closed = alice.closeHead()
    await until(() => (head.node.counters.inputs['Close'] ?? 0) > 0)
    await whileOffline(() => head.node.headStatus === 'FanoutPossible')
    await expect(closed).resolves.toMatchObject({ tag: 'HeadIsClosed', headId: head.node.headId })
    const finalized = alice.fanoutHead()
    await until(() => (head.node.counters.inputs['Fanout'] ?? 0) > 0)
    await whileOffline(() => head.node.headStatus === 'Idle')
    await expect(finalized).resolves.toMatchObject({ tag: 'HeadIsFinalized' })
  })

  it('resolve when another party fans out first', async () => {
    const alice = await start({ deposit: 20n * ADA, node: { timings: { contestationPeriodMs: 200 } } })
    const bob = await head.client(1)
    await alice.closeHead()
    const both = await Promise.all([
      alice.closeAndFanoutHead(),
      bob.closeAndFanoutHead().catch((error: unknown) => error)
    ])
    expect(both[0].tag).toBe('HeadIsFinalized')
  })
})

describe('opening', () => {
  it('sends Init no more once it was aborted', async () => {
    head = await startClientHead({ open: false, node: { faults: { muteHttp: false }, timings: { blockMs: 600_000 } } })
    const alice = await head.client(0)
    const controller = new AbortController()
    const failure = failureOf(alice.open({ retries: 5, timeout: 500, signal: controller.signal }))
    await until(() => head.node.counters.inputs['Init'] === 1)
    controller.abort('enough')
    expect(await failure).toBe('enough')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(head.node.counters.inputs['Init']).toBe(1)
  })

  it('opens a head of a node before 2.0 also when the connection is lost before HeadIsOpen', async () => {
    head = await startClientHead({ open: false, node: { profile: '1.3', timings: { blockMs: 100 } } })
    const alice = await head.client(0, { reconnectInterval: 20 })
    const opened = alice.open()
    await until(() => (head.node.counters.requests['POST /cardano-transaction'] ?? 0) > 0)
    await whileOffline(() => head.node.headStatus === 'Open')
    await expect(opened).resolves.toMatchObject({ headId: head.node.headId })
  })
})

describe('a payment past its bound', () => {
  async function lost(expiresIn = 3_000): Promise<{ alice: HeadClient; txId: string; settled: SettledTx[] }> {
    head = await startClientHead({ deposit: 20n * ADA })
    const alice = await head.client(0, { expiresIn })
    head.node.faults.loseTransactions = 1
    const settled: SettledTx[] = []
    const limit = holdTimer()
    const failure = failureOf(
      alice.pay({
        to: head.wallets[1]!.getAddressBech32(),
        amount: ADA,
        timeout: HELD_MS,
        onSettled: (end) => settled.push(end)
      })
    )
    await until(() => head.node.faults.loseTransactions === 0)
    limit.fire()
    const { txId } = await failure
    return { alice, txId, settled }
  }
  const rest = async (alice: HeadClient): Promise<void> => {
    await until(() => [...contextParts(alice.context).view.pending].every(({ offered }) => !offered))
    await contextParts(alice.context).txs.review()
    await contextParts(alice.context).txs.review()
  }

  it('stays reserved while the ledger of the node is behind its bound, whatever the clock says', async () => {
    const { alice, txId, settled } = await lost(10_000)
    const inFlight = jest.spyOn(alice.bridge, 'inFlight').mockResolvedValue({
      slot: contextParts(alice.context).txs.get(txId)!.expirySlot! - 1,
      txIds: [],
      signing: [],
      decommitTxId: null
    })
    await rest(alice)
    const later = Date.now() + 86_400_000
    jest.spyOn(Date, 'now').mockImplementation(() => later)
    await contextParts(alice.context).txs.review()
    expect([inFlight.mock.calls.length > 0, settled, alice.status().pending]).toEqual([true, [], 1])
    inFlight.mockRestore()
    jest.restoreAllMocks()
    await contextParts(alice.context).txs.review()
    await until(() => settled.length > 0)
    expect(settled).toMatchObject([{ txId, outcome: 'rejected', error: { code: 'CLIENT_TX_EXPIRED' } }])
  })

  it('stays reserved while it is in a snapshot that is being signed', async () => {
    const { alice, txId, settled } = await lost(10_000)
    jest
      .spyOn(alice.bridge, 'inFlight')
      .mockResolvedValue({ slot: 4_000_000_000, txIds: [txId], signing: [txId], decommitTxId: null })
    await rest(alice)
    await contextParts(alice.context).txs.review()
    expect([settled, alice.status().pending]).toEqual([[], 1])
  })

  it('waits ten minutes more where the node tells no slot', async () => {
    const { alice, settled } = await lost()
    jest.spyOn(alice.bridge, 'inFlight').mockRejectedValue(new Error('no such route'))
    await rest(alice)
    expect(settled).toEqual([])
    const now = Date.now()
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 590_000)
    await contextParts(alice.context).txs.review()
    expect(settled).toEqual([])
    clock.mockImplementation(() => now + 610_000)
    await contextParts(alice.context).txs.review()
    await until(() => settled.length > 0)
    expect(settled).toMatchObject([{ outcome: 'rejected' }])
  })
})

it('makes two payments of equal calls of two clients where neither node nor network tells slots', async () => {
  head = await startClientHead({ deposit: 20n * ADA, node: { profile: '0.22' } })
  const twins = [await head.client(0), await head.client(0)]
  jest.spyOn(Date, 'now').mockReturnValue(Date.now())
  const to = head.wallets[1]!.getAddressBech32()
  const results = await Promise.all(twins.map((client) => client.pay({ to, amount: ADA })))
  expect(results[0]!.txId).not.toBe(results[1]!.txId)
  expect(inHead(1)).toBe(2n * ADA)
})
