import { LayerBridge } from 'layer-sdk/bridge'
import { nextEvent, outcomeOf, pause, withHead } from './support/faultyHead'
import { faultRow, until } from './support/matrix'

/** Things that programs throw. */
const THROWN = [
  () => new Error('mine'),
  () => 'text',
  () => null,
  () => undefined,
  () => Object.create(null) as unknown,
  () => 7n,
  () => ({
    toString() {
      throw new Error('worse')
    }
  })
]

describe('handlers', () => {
  faultRow(
    {
      row: 37,
      fault: 'handlers and callbacks throw or reject: errors, texts, null, objects that cannot be written as text',
      repeats: 14,
      expected:
        'the other handlers, the cache and the verdicts do not notice; onHandlerError reports each, once; a callback is called once'
    },
    async ({ index, random, injected, wire }) => {
      const listens = index % 14 < 7
      const lines: string[] = []
      const logger = {
        debug: () => undefined,
        warn(line: string) {
          lines.push(line)
          if (index % 2 === 1) throw new Error("the logger's")
        }
      }
      await withHead(
        { bridge: listens ? {} : { logger } },
        async ({ bridge, witness, proxy, counts, tap, payment }) => {
          const thrown = THROWN[index % THROWN.length]!
          const told: string[] = []
          if (listens)
            bridge.events.on('onHandlerError', (_error, event) => {
              told.push(event)
              throw thrown()
            })
          const heard: string[] = []
          let failures = 0
          const fail = (): never => {
            failures++
            throw thrown()
          }
          for (const name of [
            'onMessage',
            'SnapshotConfirmed',
            'onTxProgress',
            'onConnected',
            'onDisconnected',
            'onReconnecting'
          ] as const) {
            bridge.events.on(name, fail)
            bridge.events.on(name, async () => {
              await null
              fail()
            })
            bridge.events.on(name, () => heard.push(name))
          }
          const unsubscribe = bridge.subscribe(fail)
          const calls: unknown[][] = []
          const tx = payment()
          const first = new Promise<void>((resolve) =>
            bridge.submitTx(tx, (...facts) => {
              calls.push(facts)
              resolve()
              fail()
            })
          )
          await first
          const second = await bridge.submitTxSync(payment())
          expect(second).toMatchObject({ isConfirmed: true })
          const back = nextEvent(bridge, 'onConnected')
          await pause(random() * 5)
          proxy.reset()
          await back
          await until('the cache is of the newest snapshot', () => bridge.lastSnapshotNumber === witness.snapshotNumber)
          // Rejections and notices to subscribers come a turn later.
          await pause(5)
          unsubscribe()
          injected(failures)
          expect(calls).toEqual([[null, expect.objectContaining({ txId: tx.txId, isConfirmed: true })]])
          expect(heard.filter((name) => name === 'SnapshotConfirmed')).toHaveLength(2)
          expect(heard.filter((name) => /^on(Conn|Disc|Reco)/.test(name))).toEqual([
            'onDisconnected',
            'onReconnecting',
            'onConnected'
          ])
          expect(failures).toBeGreaterThan(heard.length * 2)
          expect(listens ? told.length : lines.length).toBe(failures)
          expect(bridge.connected()).toBe(true)
          wire('NewTx sent', tap.inputs('NewTx'), 2)
          wire('NewTx at the node', counts().newTx, 2)
          wire('WebSocket connections after the reset', counts().connections, 1)
        }
      )
    }
  )

  faultRow(
    {
      row: 38,
      fault: 'disconnect(), connect(), off() and on() from within every kind of handler',
      repeats: 9,
      expected:
        'the state is what was asked for last; every handler that is still there is called, none that has gone; one connection at a time'
    },
    async ({ index, random, injected, wire }) => {
      await withHead({}, async ({ bridge, node, witness, tap, proxy, counts, payment }) => {
        const sockets = tap.sockets
        switch (index % 9) {
          case 0: {
            // Of the handlers of one message the first removes the third and itself, and adds a fourth.
            const heard: number[] = []
            const third = (): void => void heard.push(3)
            const first = (): void => {
              heard.push(1)
              bridge.events.off('TxValid', first)
              bridge.events.off('TxValid', third)
              bridge.events.on('TxValid', () => {
                heard.push(4)
              })
            }
            bridge.events.on('TxValid', first)
            bridge.events.on('TxValid', () => heard.push(2))
            bridge.events.on('TxValid', third)
            injected()
            for (let count = 0; count < 2; count++)
              expect(await bridge.submitTxSync(payment())).toMatchObject({ isConfirmed: true })
            expect(heard).toEqual([1, 2, 2, 4])
            wire('NewTx at the node', counts().newTx, 2)
            break
          }
          case 1:
          case 2: {
            // disconnect() at TxValid, or at the snapshot that confirms it.
            const confirmed = index % 9 === 2
            const done = new Promise<boolean>((resolve) => {
              bridge.events.on(confirmed ? 'SnapshotConfirmed' : 'TxValid', () => {
                injected()
                void bridge.disconnect().then(resolve)
              })
            })
            const after: string[] = []
            const verdict = outcomeOf(bridge.submitTxSync(payment()))
            expect(await done).toBe(true)
            bridge.events.on('onMessage', ({ tag }) => after.push(tag))
            expect(await verdict).toMatchObject(
              confirmed ? { isConfirmed: true } : { tag: 'Disconnected', outcome: 'unknown' }
            )
            await witness.said('SnapshotConfirmed')
            expect(bridge.state).toBe('disconnected')
            expect(after).toEqual([])
            wire('sockets since', tap.sockets - sockets, 0)
            break
          }
          case 3: {
            // connect() while onDisconnected is told: the automatic attempt does not come besides.
            const connects: Promise<boolean>[] = []
            const off = bridge.events.on('onDisconnected', () => {
              off()
              injected()
              connects.push(bridge.connect(), bridge.connect())
            })
            proxy.reset()
            await until('it was lost', () => connects.length === 2)
            expect(await Promise.all(connects)).toEqual([true, true])
            await pause(60)
            wire('connections after the reset, with connect() in onDisconnected', counts().connections, 1)
            break
          }
          case 4:
          case 5: {
            // disconnect() while a loss or the next attempt is told: no attempt follows.
            const done = new Promise<boolean>((resolve) =>
              bridge.events.on(index % 9 === 4 ? 'onDisconnected' : 'onReconnecting', () => {
                injected()
                void bridge.disconnect().then(resolve)
              })
            )
            await pause(random() * 10)
            proxy.reset()
            expect(await done).toBe(true)
            await pause(60)
            expect(bridge.state).toBe('disconnected')
            wire('sockets after disconnect()', tap.sockets - sockets, 0)
            break
          }
          case 6: {
            // connect() while a wait is announced: the wait is over, and there is one attempt.
            const connected = new Promise<boolean>((resolve) => {
              const off = bridge.events.on('onReconnecting', () => {
                off()
                injected()
                void bridge.connect().then(resolve)
              })
            })
            proxy.reset()
            expect(await connected).toBe(true)
            await pause(60)
            wire('connections after the reset, with connect() in onReconnecting', counts().connections, 1)
            break
          }
          case 7: {
            // disconnect() and connect() in one handler, in both orders, while messages are coming in.
            let rounds = 0
            const over = new Promise<void>((resolve) => {
              bridge.events.on('onConnected', () => {
                if (rounds === 3) resolve()
              })
              bridge.events.on('Greetings', () => {
                if (rounds++ >= 3) return
                injected()
                void bridge.disconnect()
                void bridge.connect().catch(() => undefined)
              })
            })
            node.dropConnections()
            await Promise.race([over, until('three rounds', () => rounds > 3)])
            await until('it is back', () => bridge.connected())
            expect(await bridge.submitTxSync(payment())).toMatchObject({ isConfirmed: true })
            // The automatic one, and one for each round.
            wire('connections of disconnect() and connect() at three greetings', counts().connections, 4)
            break
          }
          default: {
            // connect() from within onConnectError of an attempt that fails for good.
            const failing = new LayerBridge({ url: node.url })
            node.faults.refuseUpgrades = 401
            const again: Promise<unknown>[] = []
            failing.events.on('onConnectError', () => {
              injected()
              node.faults.refuseUpgrades = 0
              if (again.length === 0) again.push(failing.connect())
            })
            expect(await outcomeOf(failing.connect())).toMatchObject({ httpStatus: 401, fatal: true })
            expect(await Promise.all(again)).toEqual([true])
            await failing.disconnect()
            wire('connections after connect() in onConnectError', counts().connections, 1)
          }
        }
      })
    }
  )
})
