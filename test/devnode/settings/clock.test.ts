import { LayerBridge } from '../../../src/bridge'
import { DevNode, manualClock } from '../../../src/devnode'
import { buildPayment } from '../../../src/tx'
import { ChainCliWallet } from '../../../src/wallet'

describe('manualClock.runUntil', () => {
  it("drives a bridge through a head's life of twelve hours without a loop of the test's own", async () => {
    const clock = manualClock()
    const startMs = clock.now()
    const node = new DevNode({ clock, timings: { contestationPeriodMs: 43_200_000 } })
    const bridge = new LayerBridge({ connector: node.connector() })
    const [alice, bob] = node.keys
    const wallet = new ChainCliWallet({ networkId: 0, skey: alice.skey })
    await clock.runUntil(bridge.connect())
    expect((await clock.runUntil(bridge.commands.initSync())).tag).toBe('HeadIsOpen')
    const finalized = bridge.waitFor('CommitFinalized')
    const draft = await clock.runUntil(bridge.commit(node.baseUtxos(alice.address).slice(0, 1)))
    await clock.runUntil(
      bridge.submitCardanoTransaction({ cborHex: await wallet.signTx(draft.cborHex), description: '' })
    )
    expect(await clock.runUntil(finalized)).toMatchObject({ depositTxId: draft.txId })
    const { cborHex, txId } = buildPayment({
      utxos: await bridge.queryAddressUTxO(alice.address),
      to: bob.address,
      amount: 3_000_000n,
      changeAddress: alice.address
    })
    const transaction = { type: 'Witnessed Tx ConwayEra', description: '', cborHex: await wallet.signTx(cborHex), txId }
    expect(await clock.runUntil(bridge.submitTxSync(transaction))).toMatchObject({ isConfirmed: true })
    const ready = bridge.waitFor('ReadyToFanout')
    bridge.commands.close()
    await clock.runUntil(ready)
    expect(clock.now() - startMs).toBeGreaterThanOrEqual(43_200_000)
    expect(clock.now() - startMs).toBeLessThan(43_210_000)
    await bridge.disconnect()
    await node.stop()
  })

  it('moves time on to each timer and no further than the one that settles the promise', async () => {
    const clock = manualClock(0)
    const ran: number[] = []
    for (const ms of [300, 100, 200]) clock.after(ms, () => ran.push(clock.now()))
    expect(await clock.runUntil(new Promise<string>((resolve) => clock.after(200, () => resolve('done'))))).toBe('done')
    expect(ran).toEqual([100, 200])
    expect(clock.now()).toBe(200)
  })

  it('leaves time alone for a promise that has settled, and rejects as a promise does', async () => {
    const clock = manualClock(0)
    clock.after(5, () => {
      throw new Error('too early')
    })
    expect(await clock.runUntil(Promise.resolve(7))).toBe(7)
    await expect(clock.runUntil(Promise.reject(new TypeError('of its own')))).rejects.toThrow(TypeError)
    expect(clock.now()).toBe(0)
  })

  it('waits for what takes turns of the event loop and no timer', async () => {
    const clock = manualClock(0)
    const slow = (async () => {
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
      return 'at last'
    })()
    expect(await clock.runUntil(slow)).toBe('at last')
    expect(clock.now()).toBe(0)
  })

  it('rejects when no timer is left, and when the limit is reached', async () => {
    const never = new Promise<never>(() => undefined)
    const idle = manualClock(0)
    idle.after(10, () => undefined)
    await expect(idle.runUntil(never)).rejects.toMatchObject({ code: 'DEVNODE_CLOCK_STALLED', elapsedMs: 10 })
    const limited = manualClock(0)
    limited.after(500, () => undefined)
    limited.after(2_000, () => {
      throw new Error('beyond the limit')
    })
    await expect(limited.runUntil(never, 1_000)).rejects.toMatchObject({
      code: 'DEVNODE_CLOCK_STALLED',
      elapsedMs: 500
    })
  })

  it('rejects once 10,000 timers have run, as those of a fault that starts itself anew', async () => {
    const { setTimeout: original } = globalThis
    // Turns of the event loop without the millisecond that each takes otherwise.
    globalThis.setTimeout = ((callback: () => void) => setImmediate(callback)) as never
    try {
      await jest.isolateModulesAsync(async () => {
        const fresh = await import('../../../src/devnode/settings/clock')
        const clock = fresh.manualClock(0)
        const again = (): void => void clock.after(1, again)
        again()
        await expect(clock.runUntil(new Promise(() => undefined))).rejects.toMatchObject({
          code: 'DEVNODE_CLOCK_STALLED',
          elapsedMs: 10_000
        })
      })
    } finally {
      globalThis.setTimeout = original
    }
  })

  it('runs while a test has fake timers', async () => {
    jest.useFakeTimers()
    try {
      const clock = manualClock(0)
      expect(await clock.runUntil(new Promise<number>((resolve) => clock.after(60_000, () => resolve(1))))).toBe(1)
    } finally {
      jest.useRealTimers()
    }
  })

  it.each([
    [undefined, 1],
    [5, 1],
    [Promise.resolve(), -1],
    [Promise.resolve(), Number.NaN]
  ])('refuses %p and %p', async (promise, limitMs) => {
    await expect(manualClock(0).runUntil(promise as never, limitMs)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })

  it('rejects with what a timer throws', async () => {
    const clock = manualClock(0)
    clock.after(1, () => {
      throw new RangeError('of a timer')
    })
    await expect(clock.runUntil(new Promise(() => undefined))).rejects.toThrow(RangeError)
  })
})
