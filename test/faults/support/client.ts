// A bridge in a process of its own; `clientPeer.ts` starts it and hears what it says.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { inspect } from 'node:util'
import { FLOOD_STEP, HOSTILE_STEP } from './flood'
import { GatewayConnector, LayerBridge } from 'layer-sdk/bridge'
import type { DirectBridgeOptions, Transaction } from 'layer-sdk/bridge'

/** One connection to a gateway that is spoiled, and what is to be known about it afterwards. */
export interface GatewayCase {
  name: string
  url: string
  path: string
  transports: string[] | undefined
}
export interface GatewayOutcome {
  name: string
  connect: string
  errors: string[]
  invalid: string[]
  disconnects: number
  uncaught: string[]
  leaked: boolean
  back: boolean
}
interface Facts {
  mode: string
  options?: DirectBridgeOptions
  transactions?: Transaction[]
  until?: number
  address?: string
  cases?: GatewayCase[]
  secret?: string
}
const facts = await new Promise<Facts>((resolve) => process.once('message', (message) => resolve(message as Facts)))
const say = (message: object): void => void process.send?.(message)
const heap = (): number => {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
const rss = (): number => process.memoryUsage().rss
const bridge = facts.options === undefined ? (undefined as never) : new LayerBridge(facts.options)

/** Large snapshots: how long each takes against JSON.parse of a text of its kind, and what stays in memory. */
async function snapshots(): Promise<void> {
  const { until = 1, address = '' } = facts
  await bridge.connect()
  while (bridge.lastSnapshotNumber < 0) await new Promise((resolve) => setTimeout(resolve, 2))
  const before = heap()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await new Promise<void>((resolve) => {
    bridge.events.on('SnapshotConfirmed', ({ snapshot }) => {
      if (snapshot.number === until) resolve()
    })
    say({ ready: true })
  })
  delay.disable()
  // The last message is still on the stack's way out.
  await new Promise((resolve) => setTimeout(resolve, 20))
  const grown = heap() - before
  const outputs = bridge.snapshotUtxoArray().length
  const started = performance.now()
  for (let count = 0; count < 10_000; count++) bridge.getAddressBalance(address)
  const balanceUs = (performance.now() - started) / 10
  say({
    result: {
      grown,
      outputs,
      balanceUs,
      stallMs: delay.max / 1e6,
      lovelace: String(bridge.getAddressBalance(address)?.get('lovelace')),
      number: bridge.lastSnapshotNumber
    }
  })
}

/** Messages beyond the cap: what it costs to refuse them. */
async function oversize(): Promise<void> {
  const errors: unknown[] = []
  bridge.events.on('onConnectError', (error) =>
    errors.push({ code: (error as { code?: string }).code, limit: (error as { limitBytes?: number }).limitBytes })
  )
  await bridge.connect()
  const before = (heap(), rss())
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, rss())
  }, 5)
  await new Promise<void>((resolve) => {
    // The last event of a connection that is not made again; onDisconnected comes before it, on a busy machine in an
    // earlier task.
    bridge.events.on('onConnectError', () => resolve())
    say({ ready: true })
  })
  clearInterval(timer)
  say({ result: { grown: Math.max(peak, rss()) - before, errors, state: bridge.state } })
}

/** A flood while many transactions are pending: the loop's lag, and that nothing is missed. */
async function flood(): Promise<void> {
  const { transactions = [], until = 0 } = facts
  let heard = 0
  let slow = 0
  bridge.events.on('onMessage', () => {
    heard++
    if (heard % FLOOD_STEP === 0) say({ [`heard ${heard}`]: true })
  })
  bridge.events.on('onSlowConsumer', () => {
    slow++
  })
  await bridge.connect()
  const before = [heap(), rss()] as const
  const verdicts = transactions.map((transaction) =>
    bridge.submitTxSync(transaction).then(
      ({ isConfirmed }) => isConfirmed,
      () => false
    )
  )
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await new Promise<void>((resolve) => {
    bridge.events.on('HeadIsContested', () => resolve())
    say({ ready: true })
  })
  delay.disable()
  const lag = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 }
  const confirmed = (await Promise.all(verdicts)).filter(Boolean).length
  const grown = { heap: heap() - before[0], rss: rss() - before[1] }
  say({ result: { heard, slow, lag, confirmed, grown, until } })
}

/** Wakes up after having been stopped; says what has happened since. */
async function sleeper(): Promise<void> {
  const log: string[] = []
  bridge.events.on('onDisconnected', () => log.push('disconnected'))
  bridge.events.on('onConnected', () => {
    log.push('connected')
    say({ [`connected ${log.filter((each) => each === 'connected').length}`]: true })
  })
  bridge.events.on('onMessage', () => undefined)
  await bridge.connect()
  const wanted = facts.until ?? 0
  const check = (): void => {
    if (bridge.lastSnapshotNumber >= wanted)
      say({ result: { log: [...log], slotZero: bridge.slotZeroTimestamp, number: bridge.lastSnapshotNumber } })
  }
  bridge.subscribe(check)
  say({ ready: true })
  process.on('message', () => void bridge.disconnect().then(() => process.disconnect()))
}

/** Ends with everything pending: the process must end by itself. */
async function ends(): Promise<void> {
  await bridge.connect()
  const verdicts = (facts.transactions ?? []).map((transaction) =>
    bridge
      .submitTxSync(transaction)
      .catch((error: { tag?: string; outcome?: string }) => `${String(error.tag)} ${String(error.outcome)}`)
  )
  say({ ready: true })
  await new Promise<void>((resolve) => process.once('message', () => resolve()))
  const started = performance.now()
  await bridge.disconnect()
  const outcomes = await Promise.all(verdicts)
  say({ result: { settledMs: performance.now() - started, outcomes: [...new Set(outcomes)], count: outcomes.length } })
  process.disconnect()
  process.on('exit', () => process.stderr.write(`\nended after ${performance.now() - started}`))
}

/**
 * Has nothing more to do, does not disconnect: timers of the bridge's own must not keep it alive once its connection is
 * gone.
 */
async function finished(): Promise<void> {
  const started = performance.now()
  await bridge.connect().catch(() => undefined)
  say({ ready: true, result: { state: bridge.state } })
  process.disconnect()
  process.on('exit', () => process.stderr.write(`\nended after ${performance.now() - started}`))
}

/** A node that names ever new things: what stays in memory, in its midst, at the end, and without a connection. */
async function hostile(): Promise<void> {
  const { until = 0 } = facts
  const heaps: number[] = []
  let heard = 0
  let refused = 0
  await bridge.connect()
  bridge.subscribe(() => undefined)
  const before = heap()
  await new Promise<void>((resolve) => {
    const count = (): void => {
      if (++heard % 50 === 0) setImmediate(() => heaps.push(heap()))
      if (heard % HOSTILE_STEP === 0) say({ [`heard ${heard}`]: true })
      if (heard === until) setImmediate(resolve)
    }
    bridge.events.on('onMessage', count)
    bridge.events.on('onProtocolError', () => {
      refused++
      count()
    })
    say({ ready: true })
  })
  await new Promise((resolve) => setTimeout(resolve, 20))
  const connected = bridge.connected()
  const after = heap() - before
  await bridge.disconnect()
  say({
    result: { heard, refused, connected, during: Math.max(...heaps) - before, after, disconnected: heap() - before }
  })
}

/**
 * Connects to each gateway in turn, sends a command whenever connected and waits for the answer to it; whatever escapes
 * is written down.
 */
async function gateways(): Promise<void> {
  const { cases = [], secret = '' } = facts
  const outcomes: GatewayOutcome[] = []
  let outcome: GatewayOutcome
  const onUncaught = (error: unknown): void =>
    void outcome.uncaught.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  process.on('uncaughtException', onUncaught)
  process.on('unhandledRejection', onUncaught)
  process.on('warning', onUncaught)
  for (const { name, url, path, transports } of cases) {
    outcomes.push(
      (outcome = {
        name,
        connect: '',
        errors: [],
        invalid: [],
        disconnects: 0,
        uncaught: [],
        leaked: false,
        back: false
      })
    )
    const { errors, invalid } = outcome
    const note =
      (list: string[]) =>
      (error: Error): void => {
        list.push(String((error as { code?: string }).code))
        outcome.leaked ||= inspect(error, { depth: 9, showHidden: true }).includes(secret)
      }
    const connector = new GatewayConnector(url, {
      socketIoOptions: {
        path,
        extraHeaders: { Authorization: secret },
        auth: { token: secret },
        ...(transports === undefined ? {} : { transports })
      }
    })
    const bridge = new LayerBridge({
      connector,
      autoReconnect: true,
      reconnectInterval: 5,
      logger: { debug() {}, warn() {} }
    })
    bridge.events.on('onConnectError', note(errors))
    bridge.events.on('onProtocolError', note(invalid))
    bridge.events.on('onDisconnected', () => {
      outcome.disconnects++
    })
    bridge.events.on('onConnected', () => bridge.commands.contest())
    const back = new Promise<boolean>((resolve) => {
      const limit = setTimeout(() => resolve(false), 20_000)
      bridge.events.on('onMessage', ({ tag }) => {
        if ((tag as string) === 'Marker') {
          clearTimeout(limit)
          resolve(true)
        }
      })
    })
    outcome.connect = await bridge.connect().then(String, (error: Error) => {
      note([])(error)
      return String((error as { code?: string }).code)
    })
    outcome.back = await back
    await bridge.disconnect()
    // A client that hangs again and again would take hours to say so.
    if (outcomes.filter(({ back }) => !back).length === 5) break
    // What a closed connection still throws belongs to this case.
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  say({ result: outcomes })
  // With a listener the process would go on after an exception; from here on it ends by itself.
  process.disconnect()
}

const MODES: Record<string, () => Promise<void>> = {
  snapshots,
  oversize,
  flood,
  hostile,
  sleeper,
  ends,
  finished,
  gateways
}
const { mode } = facts
await MODES[mode]?.()
if (mode !== 'ends' && mode !== 'finished' && mode !== 'sleeper' && mode !== 'gateways') {
  await bridge.disconnect()
  process.disconnect()
}
