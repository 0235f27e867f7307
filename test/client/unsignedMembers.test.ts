import { WebsocketConnector } from '../../src/bridge/index.js'
import type { Connector, ConnectorChannel } from '../../src/bridge/index.js'
import { parseJson, stringifyJson } from '../../src/codec/json'
import type { HeadClient, WatchedTx } from '../../src/client/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

type Json = Record<string, any>

/** A relay between a client and its node that cannot sign: it drops what it likes, and writes what nobody signs. */
class Relay implements Connector {
  readonly #inner: WebsocketConnector
  /** Transactions that never reach the node. */
  readonly swallowed: Json[] = []
  swallows = false
  change: (message: Json) => Json | null = (message) => message

  constructor(url: string) {
    this.#inner = new WebsocketConnector({ websocketUrl: url })
  }

  get capabilities(): Connector['capabilities'] {
    return this.#inner.capabilities
  }

  open(listener: Parameters<Connector['open']>[0], options: Parameters<Connector['open']>[1]): ConnectorChannel {
    const channel = this.#inner.open(
      {
        ...listener,
        onOpen: (facts) => listener.onOpen(facts),
        onInvalid: (error) => listener.onInvalid(error),
        onActivity: () => listener.onActivity(),
        onClose: (error) => listener.onClose(error),
        onMessage: (message) => {
          const changed = this.change(typeof message === 'string' ? (parseJson(message) as Json) : (message as Json))
          if (changed !== null) listener.onMessage(stringifyJson(changed))
        }
      },
      options
    )
    return {
      send: (text) => {
        const input = JSON.parse(text) as Json
        if (!this.swallows || input['tag'] !== 'NewTx') return channel.send(text)
        this.swallowed.push(input['transaction'])
      },
      ...(channel.ping === undefined ? {} : { ping: () => channel.ping!() }),
      close: (graceful) => channel.close(graceful)
    }
  }

  async request(request: Parameters<Connector['request']>[0]): ReturnType<Connector['request']> {
    const reply = await this.#inner.request(request)
    if (request.method !== 'GET' || request.path !== '/snapshot' || reply.status !== 200) return reply
    const { snapshot, ...rest } = parseJson(reply.text) as Json
    if (snapshot === undefined) return reply
    const changed = this.change({
      tag: 'SnapshotConfirmed',
      headId: snapshot.headId,
      snapshot,
      signatures: rest['signatures']
    })
    return { ...reply, text: stringifyJson({ ...rest, snapshot: changed?.['snapshot'] ?? snapshot }) }
  }
}

let head: ClientHead
let relay: Relay
let client: HeadClient
let honest: HeadClient
let watched: WatchedTx[]

beforeEach(async () => {
  head = await startClientHead({ node: { profile: '2.3', accumulator: 'real' }, deposit: 100n * ADA })
  const { contents } = (await (await fetch(`${head.node.httpUrl}/head`)).json()) as any
  const parties = contents.parameters.parties.map(({ vkey }: { vkey: string }) => vkey)
  honest = await head.client()
  await honest.pay({ to: head.wallets[1]!.getAddressBech32(), amount: 30n * ADA })
  relay = new Relay(head.node.url)
  client = await head.client(1, { url: undefined, connector: relay, verify: { parties } } as never)
  watched = []
  client.watchTxs({
    onChange: (tx) => {
      if (tx.state === 'confirmed') watched.push(tx)
    }
  })
})
afterEach(() => head.stop())

const held = (): bigint => client.getBalance()!.confirmed.lovelace

describe('with verify, a relay that cannot sign', () => {
  it('does not have a payment confirmed by writing it into a snapshot that all parties have signed', async () => {
    relay.swallows = true
    relay.change = (message) => {
      if (message['tag'] === 'SnapshotConfirmed')
        message['snapshot'].confirmed.push(...relay.swallowed.map((tx) => ({ ...tx, verified: true })))
      return message
    }
    const before = held()
    const shop = head.wallets[2]!.getAddressBech32()
    const paying = client.pay({ to: shop, amount: 5n * ADA, timeout: 4_000 }).then(
      (result) => result,
      (error: unknown) => error
    )
    while (relay.swallowed.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const { txId } = relay.swallowed[0]!
    const waiting = client.waitForTx(txId, { timeout: 4_000 }).then(
      (result) => result,
      (error: unknown) => error
    )
    const { txId: real } = await honest.pay({ to: shop, amount: 1n * ADA })
    await honest.pay({ to: shop, amount: 2n * ADA })
    expect(await paying).toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN' })
    expect(await waiting).toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN' })
    expect(held()).toBe(before)
    expect(watched.map(({ txId: id }) => id)).not.toContain(txId)
    expect(watched).toContainEqual(expect.objectContaining({ txId: real, verified: true }))
    expect(await client.bridge.findTransaction(txId)).toEqual({ status: 'unknown', isComplete: false })
  })

  it('does not delay payments by emptying the list of a snapshot: outputs that stand in a signed one confirm them', async () => {
    relay.change = (message) => {
      if (message['tag'] === 'SnapshotConfirmed') message['snapshot'].confirmed = []
      return message
    }
    const shop = head.wallets[2]!.getAddressBech32()
    const start = Date.now()
    const paid = await client.pay({ to: shop, amount: 5n * ADA, timeout: 20_000 })
    expect(paid).toMatchObject({ verified: true, exact: false, snapshotNumber: client.bridge.lastSnapshotNumber })
    expect(Date.now() - start).toBeLessThan(10_000)
  })

  it('does not have a payment confirmed by giving an equal output of before its name, with a made-up transaction that spends that one', async () => {
    const shop = head.wallets[2]!.getAddressBech32()
    await honest.pay({ to: shop, amount: 5n * ADA })
    const own = client.getUtxos()!
    relay.swallows = true
    relay.change = (message) => {
      const [tx] = relay.swallowed
      if (message['tag'] !== 'SnapshotConfirmed' || tx === undefined) return message
      const { utxo, confirmed } = message['snapshot']
      const renamed = Object.keys(utxo).find(
        (key) => utxo[key].address === shop && BigInt(utxo[key].value.lovelace) === 5n * ADA
      )!
      utxo[`${tx['txId']}#0`] = utxo[renamed]
      delete utxo[renamed]
      for (const { input } of own) {
        const key = `${input.txHash}#${input.index}`
        utxo[`${'ee'.repeat(32)}#${input.index}`] = utxo[key]
        delete utxo[key]
      }
      confirmed.push(tx)
      return message
    }
    const before = held()
    const paying = client.pay({ to: shop, amount: 5n * ADA, timeout: 3_000 }).catch((error: unknown) => error)
    while (relay.swallowed.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await honest.pay({ to: head.wallets[0]!.getAddressBech32(), amount: 2n * ADA })
    expect(await paying).toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN' })
    expect(held()).toBe(before)
    expect(watched.map(({ txId }) => txId)).not.toContain(relay.swallowed[0]!['txId'])
  })

  it.each<[string, (message: Json) => void]>([
    ['its list of transactions, emptied', ({ snapshot }) => (snapshot.confirmed = [])],
    [
      'its transactions by id alone',
      ({ snapshot }) => (snapshot.confirmed = snapshot.confirmed.map(({ txId }: Json) => txId))
    ],
    [
      'the bytes of its transactions',
      ({ snapshot }) =>
        snapshot.confirmed.forEach((tx: Json) => (tx['cborHex'] = tx['cborHex'].replace(/1a[0-9a-f]{8}/, '1a00000001')))
    ],
    [
      'what it says of its transactions',
      ({ snapshot }) => snapshot.confirmed.forEach((tx: Json) => (tx['verified'] = false))
    ],
    [
      'a delta',
      (message) => (message['delta'] = { from: 0, number: message['snapshot'].number, spent: [], made: {}, count: 0 })
    ],
    ['its time', (message) => (message['timestamp'] = '1999-01-01T00:00:00Z')],
    ['its place in the log', (message) => (message['seq'] = Number(message['seq']) + 1_000)]
  ])('changes no balance and no verdict but to "unknown" by %s', async (_, change) => {
    relay.change = (message) => {
      if (message['tag'] === 'SnapshotConfirmed' && message['seq'] !== undefined) change(message)
      return message
    }
    const shop = head.wallets[2]!.getAddressBech32()
    const before = held()
    const paid = await client.pay({ to: shop, amount: 3n * ADA, timeout: 5_000 }).catch((error: unknown) => error)
    const outcome = (paid as { code?: string }).code ?? (paid as { verified: boolean }).verified
    expect([true, 'CLIENT_OUTCOME_UNKNOWN']).toContain(outcome)
    // The outputs are signed, whatever is said beside them.
    expect(client.getBalance({ address: shop })!.confirmed.lovelace).toBe(3n * ADA)
    expect(held()).toBe(before - 3n * ADA)
  })

  it('is told from an honest one: confirmed payments, deposits and withdrawals say that they are verified', async () => {
    const shop = head.wallets[2]!.getAddressBech32()
    const { txId, verified } = await client.pay({ to: shop, amount: 3n * ADA })
    expect(verified).toBe(true)
    expect(await client.waitForTx(txId)).toMatchObject({ verified: true })
    expect(await client.withdraw({ amount: 4n * ADA })).toMatchObject({ verified: true })
    expect(await client.deposit({ amount: 4n * ADA })).toMatchObject({ verified: true })
    expect(await honest.pay({ to: shop, amount: 1n * ADA })).toMatchObject({ verified: false })
    expect(await honest.waitForTx(txId)).toMatchObject({ verified: false })
  })
})
