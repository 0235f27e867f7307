import { fullRun } from '../../support/scale.js'
import { GatewayConnector, LayerBridge, parseJson, stringifyJson, utxoFromJson } from 'layer-sdk/bridge'
import type { GatewayConnectorOptions, SnapshotDelta, TxOutJson, UTxOObject } from 'layer-sdk/bridge'
import type { UTxO } from '../../../src/types/utxo'
import { changeBetween, outputsOf } from '../../../src/gateway/delta'
import type { OutputsChange } from '../../../src/gateway/delta'
import { isUnchanged, narrowChange, outputsAt, toDelta } from '../../gateway/deltas'
import { ModelHead } from '../head/modelHead'
import { once } from '../../support/scriptedNode'
import { randomSource } from '../../support/random'
import { ExtendedGateway } from './ExtendedGateway'
import type { Client } from './ExtendedGateway'

type Mode = 'plain' | 'full' | 'delta' | 'address'
type Random = ReturnType<typeof randomSource>

/** What happened to one snapshot, as the log of a gateway has it. */
interface Logged {
  readonly number: number
  readonly change: OutputsChange
  /** SnapshotConfirmed with all outputs. */
  readonly message: { readonly snapshot: Record<string, unknown> }
}

/** A head behind a gateway: what each client gets follows from the log alone. */
class ModelGateway {
  readonly head: ModelHead
  readonly own: ReadonlySet<string>
  readonly log: Logged[] = []
  outputs: Map<string, TxOutJson>

  constructor(seed: string) {
    this.head = new ModelHead(seed)
    this.head.fill(25)
    this.own = new Set(this.head.addresses.slice(0, 3))
    this.outputs = this.#read()
  }

  #read(): Map<string, TxOutJson> {
    return outputsOf(
      parseJson(stringifyJson(this.head.snapshot(true))) as { utxo: UTxOObject; utxoToCommit: UTxOObject }
    )
  }

  /** The next snapshot. */
  step(): void {
    const text = this.head.step(true).at(-1)!
    const after = this.#read()
    this.log.push({
      number: this.head.number,
      change: changeBetween(this.outputs, after),
      message: parseJson(text) as Logged['message']
    })
    this.outputs = after
  }

  at(mode: Mode): Map<string, TxOutJson> {
    return mode === 'address' ? outputsAt(this.outputs, this.own) : this.outputs
  }

  /** What a client of a mode gets of an entry of the log; null: nothing. */
  messageOf(mode: Mode, index: number): object | null {
    const { number, change, message } = this.log[index]!
    if (mode === 'plain') return message
    const seen = (of: OutputsChange): OutputsChange => (mode === 'address' ? narrowChange(of, this.own) : of)
    const own = seen(change)
    if (mode === 'address' && isUnchanged(own)) return null
    const last =
      mode === 'address'
        ? this.log
            .slice(0, index)
            .reverse()
            .find((each) => !isUnchanged(seen(each.change)))
        : this.log[index - 1]
    // The count: backwards from the present outputs.
    const later = this.log.slice(index + 1).map((each) => seen(each.change))
    const count = later.reduce((size, each) => size + each.spent.size - each.made.size, this.at(mode).size)
    const delta: SnapshotDelta = toDelta(own, { from: last?.number ?? 0, number, count })
    const { utxo: _, ...rest } = message.snapshot
    return {
      ...message,
      snapshot:
        mode === 'full' ? message.snapshot : { ...rest, confirmed: mode === 'address' ? [] : rest['confirmed'] },
      delta
    }
  }

  snapshot(mode: Mode, reason: string): object {
    const { headId, number } = this.head
    return { tag: 'GatewaySnapshot', headId, number, reason, utxo: Object.fromEntries(this.at(mode)) }
  }

  join(mode: Mode, client: Client): void {
    client.say(parseJson(this.head.greetings(mode === 'plain')))
    if (mode === 'plain') return
    const { since } = client.auth
    // As a log does that keeps a hundred snapshots.
    if (since === undefined || since.number < this.head.number - 100)
      return client.say(this.snapshot(mode, since === undefined ? 'start' : 'tooOld'))
    client.say({ tag: 'GatewayResumed', headId: this.head.headId, from: since.number, to: this.head.number })
    for (let index = since.number; index < this.log.length; index++) this.send(mode, client, index)
  }

  send(mode: Mode, client: Client, index: number): void {
    const message = this.messageOf(mode, index)
    if (message !== null) client.say(message)
  }
}

const sorted = (utxos: readonly UTxO[]): string =>
  utxos
    .map((utxo) => stringifyJson(utxo))
    .sort()
    .join()

/** What the bridge shows is what the head has. */
function expectExact(bridge: LayerBridge, model: ModelGateway, mode: Mode): void {
  const outputs = utxoFromJson(Object.fromEntries(model.at(mode)))
  expect(sorted(bridge.snapshotUtxoArray())).toBe(sorted(outputs))
  for (const address of mode === 'address' ? model.own : model.head.addresses) {
    const balance = new Map<string, bigint>()
    for (const { output } of outputs) {
      if (output.address !== address) continue
      for (const { unit, quantity } of output.amount)
        if (quantity !== '0') balance.set(unit, (balance.get(unit) ?? 0n) + BigInt(quantity))
    }
    expect(bridge.getAddressBalance(address)).toEqual(balance)
  }
}

/** Sends the newest snapshot: mostly as it should, sometimes lost, twice, late, or with the connection. */
function sendBadly(model: ModelGateway, mode: Mode, client: Client, random: Random): void {
  const newest = model.log.length - 1
  const fault = random.below(20)
  if (fault === 0) return
  if (fault === 1) client.drop()
  if (fault === 2) model.send(mode, client, Math.max(0, newest - 1 - random.below(5)))
  model.send(mode, client, newest)
  if (fault === 3) model.send(mode, client, newest)
}

/** The full run takes 500. */
const SNAPSHOTS = fullRun ? 500 : 160

describe(`${SNAPSHOTS} random snapshots of a head, through a gateway that loses and repeats messages and connections`, () => {
  it.each<[Mode]>([['plain'], ['full'], ['delta'], ['address']])(
    'leave every balance exact, and every output: %s',
    async (mode) => {
      const model = new ModelGateway(`gateway ${mode}`)
      const random = randomSource(`faults ${mode}`)
      const gateway = await new ExtendedGateway().start()
      gateway.onJoin = (client) => model.join(mode, client)
      let resyncs = 0
      gateway.onEvent = ({ command }, client) => {
        if (command !== 'resync') return
        resyncs++
        client.say(model.snapshot(mode, 'resync'))
      }
      const options: GatewayConnectorOptions =
        mode === 'plain' ? {} : mode === 'address' ? { mode, addresses: [...model.own] } : { mode }
      const bridge = new LayerBridge({
        connector: new GatewayConnector(gateway.url, options),
        autoReconnect: true,
        reconnectInterval: 2
      })
      const problems: unknown[] = []
      bridge.events.on('onProtocolError', (error) => problems.push(error))
      try {
        await bridge.connect()
        for (let step = 0; step < SNAPSHOTS; step++) {
          model.step()
          sendBadly(model, mode, gateway.last, random)
          if (random.below(4) > 0) continue
          await settle(bridge, model, mode, gateway)
          expectExact(bridge, model, mode)
        }
        await settle(bridge, model, mode, gateway)
        expectExact(bridge, model, mode)
        expect(problems).toEqual([])
        expect(gateway.clients.length).toBeGreaterThan(fullRun ? 10 : 1)
        if (mode !== 'plain') expect(gateway.calls).toEqual([])
        if (mode === 'delta' || mode === 'address') expect(resyncs).toBeGreaterThan(SNAPSHOTS / 250)
        if (mode !== 'plain')
          expect(gateway.clients.filter(({ auth }) => auth['since'] !== undefined).length).toBeGreaterThan(
            SNAPSHOTS / 100
          )
      } finally {
        await bridge.disconnect()
        await gateway.stop()
      }
    },
    300_000
  )
})

/** Comes to rest: the bridge has the newest snapshot, after GatewayProgress or, for plain clients, a whole one. */
async function settle(bridge: LayerBridge, model: ModelGateway, mode: Mode, gateway: ExtendedGateway): Promise<void> {
  const { headId } = model.head
  const newest = model.log.length - 1
  const changed = [...model.log]
    .reverse()
    .find(({ change }) => mode !== 'address' || !isUnchanged(narrowChange(change, model.own)))
  for (const until = Date.now() + 60_000; ;) {
    if (bridge.connected()) {
      const taken = Promise.race([once(bridge, 'NetworkConnected'), once(bridge, 'onDisconnected')])
      if (mode === 'plain') gateway.last.say(model.messageOf(mode, newest))
      else gateway.last.say({ tag: 'GatewayProgress', headId, from: changed?.number ?? 0, number: model.head.number })
      gateway.last.say({ tag: 'NetworkConnected' })
      await taken
    } else await new Promise((resolve) => setTimeout(resolve, 5))
    if (bridge.connected() && bridge.lastSnapshotNumber === model.head.number) return
    if (Date.now() > until)
      throw new Error(`at ${bridge.lastSnapshotNumber} instead of ${model.head.number}, ${bridge.state}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
