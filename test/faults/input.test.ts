import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LayerBridge } from 'layer-sdk/bridge'
import type { LayerPayload } from 'layer-sdk/bridge'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { Field } from '../../src/bridge/protocol/fields'
import { messageRow } from '../../src/bridge/protocol/messageTable'
import { stringifyJson } from '../../src/codec/json'
import { hashOf } from '../support/sampleTx'
import { greetings } from '../support/scriptedNode'
import { nextEvent, outcomeOf, pause, withHead } from './support/faultyHead'
import type { FaultyHead } from './support/faultyHead'
import { FaultyHttp, rawReply } from './support/faultyHttp'
import { faultRow, until } from './support/matrix'
import { WireTap } from './support/WireTap'

/** Members of a message that the decoder checks, with their kinds; what else a message has passes on as it came. */
function checkedFields(tag: string): [name: string, kind: Field['type']][] {
  const row = messageRow(tag)
  const checked = Object.entries(row?.fields ?? {}).flatMap(([name, { type, check }]) =>
    check === undefined ? [] : [[name, type] as [string, Field['type']]]
  )
  if (row?.headId === 'essential' || row?.headId === 'ifPresent') checked.unshift(['headId', 'string'])
  return [...checked, ['seq', 'wholeNumber'], ['timestamp', 'string']]
}

/** Everything that a message could change, in a form to be compared. */
function shown({ bridge, alice, bob }: FaultyHead): unknown {
  return {
    snapshot: { ...bridge.getSnapshot() },
    utxo: bridge.snapshotUtxoArray(),
    sums: [alice, bob].map(({ address }) => bridge.getAddressBalance(address))
  }
}

/** The node says something unheard-of; resolves when it has arrived. */
async function says({ node, tap }: FaultyHead, message: string | Uint8Array): Promise<void> {
  const before = tap.received.length
  node.inject(message)
  await until('the message has arrived', () => tap.received.length > before)
}

let seq = 900_000

/** Text of the next snapshot of this head, with these outputs (JSON text). */
function nextSnapshot({ node, bridge, witness }: FaultyHead, utxo: string, extra = ''): string {
  const number = Math.max(bridge.lastSnapshotNumber, witness.snapshotNumber) + 1
  return (
    `{"tag":"SnapshotConfirmed","headId":"${String(node.headId)}","seq":${++seq},"timestamp":"2026-01-01T00:00:00Z","signatures":{"multiSignature":[]},` +
    `"snapshot":{"headId":"${String(node.headId)}","version":0,"number":${number},"confirmed":[]${extra},"utxo":${utxo},"utxoToCommit":null,"utxoToDecommit":null}}`
  )
}

const NO_MESSAGE = [
  '',
  ' ',
  '{',
  '}',
  '{"tag"',
  '{"tag":"TxValid"',
  '{"tag":"TxValid",}',
  'null',
  'true',
  '0',
  '-1',
  '1e400',
  '"TxValid"',
  '[]',
  '[{"tag":"Greetings"}]',
  '{}',
  '{"tag":null}',
  '{"tag":7}',
  '{"tag":{}}',
  '{"tag":["TxValid"]}',
  'NaN',
  'undefined',
  '<html></html>',
  '\u0000',
  '{"a":1}{"tag":"TxValid"}',
  '{"tag":"\ud800'
]
/** Names that versions of the node give to fields. */
const WIRE_NAME: Record<string, string> = { layerHeadId: 'hydraHeadId', layerNodeVersion: 'hydraNodeVersion' }

/** Real messages, each with one of the fields that are used replaced by a value of another type. */
function wrongTypes(texts: readonly string[], random: () => number): string[] {
  const wrong: string[] = []
  for (const text of texts) {
    const message = JSON.parse(text) as Record<string, unknown>
    for (const [name, kind] of checkedFields(message['tag'] as string)) {
      // Texts stand for a transaction or a reason in old versions.
      const values = [
        [1],
        [[]],
        ['string', 'headStatus', 'syncStatus', 'transaction', 'validationError'].includes(kind) ? 5 : 'x',
        true
      ]
      const spelled = WIRE_NAME[name] ?? name
      wrong.push(JSON.stringify({ ...message, [spelled]: values[Math.floor(random() * values.length)] }))
    }
    if (message['tag'] !== 'SnapshotConfirmed') continue
    const snapshot = message['snapshot'] as Record<string, unknown>
    for (const name of ['headId', 'number', 'confirmed', 'utxo', 'utxoToCommit', 'utxoToDecommit']) {
      wrong.push(
        JSON.stringify({ ...message, snapshot: { ...snapshot, number: 9_000, [name]: name === 'headId' ? 7 : 'x' } })
      )
    }
    // An output that the bridge does not know yet: known ones are never looked at again.
    const output = { address: 'x', value: { lovelace: 1 } }
    for (const bad of [
      null,
      7,
      [],
      { ...output, address: 5 },
      { ...output, value: 'all' },
      { ...output, value: { lovelace: '7' } },
      { ...output, value: { ab: 7 } }
    ]) {
      wrong.push(
        JSON.stringify({
          ...message,
          seq: ++seq,
          snapshot: { ...snapshot, number: 9_000, utxo: { [`${hashOf(1)}#0`]: bad } }
        })
      )
    }
  }
  return wrong
}

const POLICY = 'ab'.repeat(28)

describe('what the node says', () => {
  faultRow(
    {
      row: 28,
      fault: 'truncated and malformed JSON, null, numbers, lists, every field that is used with a wrong type',
      repeats: 4,
      expected: 'an onProtocolError each; the socket stays, nothing is applied, the next transaction is confirmed'
    },
    async ({ random, injected, wire }) => {
      await withHead({}, async (head) => {
        const { bridge, witness, tap, invalid, counts, payment } = head
        expect(await bridge.submitTxSync(payment())).toMatchObject({ isConfirmed: true })
        await until('all is quiet', () => bridge.lastSnapshotNumber === witness.snapshotNumber)
        const heard: string[] = []
        bridge.events.on('onMessage', ({ tag }) => heard.push(tag))
        // A witness that reads what it is told would trip over it.
        witness.leave()
        const before = shown(head)
        const cut = witness.texts.map((text) => text.slice(0, Math.floor(random() * (text.length - 1))))
        const bad = [...NO_MESSAGE, ...cut, ...wrongTypes(tap.received, random), ...wrongTypes(witness.texts, random)]
        for (const [at, text] of bad.entries()) {
          head.node.inject(text)
          // In bursts, and one by one.
          if (random() < 0.1) await until(`it was reported: ${text.slice(0, 400)}`, () => invalid.length === at + 1)
        }
        injected(bad.length)
        await until('all have been reported', () => invalid.length >= bad.length)
        for (const error of invalid) expect(error).toMatchObject({ code: 'BRIDGE_PROTOCOL' })
        expect(heard).toEqual([])
        expect(shown(head)).toEqual(before)
        expect(await bridge.submitTxSync(payment())).toMatchObject({ isConfirmed: true })
        wire('bad messages without an error event', bad.length - invalid.length, 0)
        wire('NewTx at the node', counts().newTx, 2)
        wire('WebSocket connections since', counts().connections, 0)
      })
    }
  )

  faultRow(
    {
      row: 29,
      fault: 'an unknown tag, unknown fields, an unknown head status, a tag that is the name of an event',
      repeats: 6,
      expected: 'passed to onMessage as they came; nothing that is known suffers'
    },
    async ({ random, injected, wire }) => {
      await withHead({}, async (head) => {
        const { node, bridge, tap, log, counts, payment } = head
        const heard: LayerPayload[] = []
        bridge.events.on('onMessage', (payload) => heard.push(payload))
        const timestamp = '2031-05-06T07:08:09.123456789012Z'
        const future = {
          tag: 'HeadDreams',
          headId: node.headId,
          seq: 400 + Math.floor(random() * 100),
          timestamp,
          depth: { of: [random(), null, 'x'] }
        }
        const known = { tag: 'NetworkConnected', seq: 600, timestamp, mood: ['calm'], nested: { a: { b: 1 } } }
        const forged = ['onDisconnected', 'onConnectError', 'onLateConfirmation', 'constructor', '__proto__', ''].map(
          (tag, index) => ({
            tag,
            seq: 700 + index,
            timestamp,
            x: 1
          })
        )
        for (const message of [future, known, ...forged]) await says(head, JSON.stringify(message))
        injected(2 + forged.length)
        expect(heard).toEqual([future, known, ...forged])
        expect(log).toEqual([])
        await says(
          head,
          `{"tag":"HeadDreams","timestamp":"${timestamp}","exact":9007199254740993,"big":123456789012345678901234567890}`
        )
        expect(heard.at(-1)).toEqual({
          tag: 'HeadDreams',
          timestamp,
          exact: 9007199254740993n,
          big: 123456789012345678901234567890n
        })
        const status = {
          tag: 'Greetings',
          me: { vkey: 'ab' },
          headStatus: 'Hibernating',
          hydraHeadId: node.headId,
          hydraNodeVersion: '9.0.0',
          timestamp,
          mood: 1
        }
        await says(head, JSON.stringify(status))
        injected(2)
        expect(heard.at(-1)).toMatchObject({ tag: 'Greetings', headStatus: 'Hibernating', mood: 1, timestamp })
        expect(bridge.headStatus).toBe('Hibernating')
        expect(await bridge.submitTxSync(payment())).toMatchObject({ isConfirmed: true })
        wire(
          'messages received and not passed on',
          tap.messages('HeadDreams') +
            tap.messages('NetworkConnected') -
            heard.filter(({ tag }) => /HeadDreams|NetworkConnected/.test(tag)).length,
          0
        )
        wire('NewTx at the node', counts().newTx, 1)
        wire('WebSocket connections since', counts().connections, 0)
      })
    }
  )

  faultRow(
    {
      row: 30,
      fault: 'binary frames, 100,000 levels of JSON and of CBOR, text that is no UTF-8',
      repeats: 4,
      expected:
        'a typed error and no stack overflow; the socket stays, except for broken UTF-8, which ends it: for good where the runtime gives the reason'
    },
    async ({ index, random, injected, wire }) => {
      const deep = 100_000
      await withHead({ plain: index % 2 === 1, bridge: { noSnapshotUtxo: index >= 2 } }, async (head) => {
        const { bridge, witness, invalid, counts, payment } = head
        expect(await bridge.submitTxSync(payment())).toMatchObject({ isConfirmed: true })
        await until('all is quiet', () => bridge.lastSnapshotNumber === witness.snapshotNumber)
        witness.leave()
        const before = shown(head)
        const text = nextSnapshot(head, '{}')
        const bad = [
          new Uint8Array(0),
          new TextEncoder().encode(text),
          crypto.getRandomValues(new Uint8Array(1 + Math.floor(random() * 4_000))),
          '['.repeat(deep),
          '{"a":'.repeat(deep),
          `{"tag":"TxValid","x":${'['.repeat(deep)}${']'.repeat(deep)}}`,
          nextSnapshot(head, `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`)
        ]
        for (const message of bad) await says(head, message)
        injected(bad.length)
        expect(invalid).toHaveLength(bad.length)
        for (const error of invalid) expect(error).toMatchObject({ code: 'BRIDGE_PROTOCOL' })
        expect(shown(head)).toEqual(before)
        // CBOR that nests as deeply: in a transaction that is confirmed, and in one of our own.
        const cborHex = `84a400${'9f'.repeat(deep)}${'ff'.repeat(deep)}`
        const confirmed = nextSnapshot(head, JSON.stringify(witnessUtxo(head)), '').replace(
          '"confirmed":[]',
          `"confirmed":[{"txId":"${hashOf(5)}","cborHex":"${cborHex}"}]`
        )
        await says(head, index >= 2 ? confirmed.replace(/,"utxo":\{.*\},"utxoToCommit"/, ',"utxoToCommit"') : confirmed)
        expect(
          await outcomeOf(bridge.submitTxSync({ type: '', description: '', cborHex, txId: hashOf(6) }))
        ).toMatchObject({ code: 'INPUT_CBOR' })
        injected(2)
        expect(bridge.connected()).toBe(true)
        expect(bridge.getAddressBalance(head.alice.address)).toEqual((before as { sums: unknown[] }).sums[0])
        expect(await bridge.submitTxSync(payment())).toMatchObject({ isConfirmed: true })
        wire('WebSocket connections since', counts().connections, 0)
        wire('NewTx at the node, the unreadable one not counted', counts().newTx, 2)
      })
      await invalidUtf8(index % 2 === 1, injected, wire)
    }
  )

  faultRow(
    {
      row: 31,
      fault:
        '__proto__, constructor and toString as keys: of fields, ids, addresses, policies and assets, over the socket and over HTTP',
      repeats: 4,
      expected: 'plain data or a refusal of the whole message; no output is lost, nothing is polluted'
    },
    async ({ index, random, injected, wire }) => {
      const http = await new FaultyHttp().start()
      const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
      try {
        await withHead({ bridge: { fetch: http.fetch } }, async (head) => {
          const { node, bridge, witness, invalid, counts } = head
          witness.leave()
          const amount = 1 + Math.floor(random() * 1_000)
          const outputs = names.map(
            (name) =>
              `"${name}#0":{"address":"${name}","value":{"lovelace":${amount},"${POLICY}":{"ab":7,"":9007199254740993}},"__proto__":{"polluted":1}}`
          )
          const utxo = `{${outputs.join(',')}}`
          if (index % 2 === 0) await says(head, nextSnapshot(head, utxo, ',"__proto__":{"polluted":1}'))
          else {
            const { snapshot } = JSON.parse(nextSnapshot(head, '{}')) as { snapshot: { number: number } }
            http.answer = rawReply(
              '200 OK',
              `{"tag":"ConfirmedSnapshot","signatures":{"multiSignature":[]},"__proto__":{"polluted":1},"snapshot":{"headId":"${String(node.headId)}","version":0,"number":${snapshot.number},"confirmed":[],"utxo":${utxo},"utxoToCommit":null,"utxoToDecommit":null}}`
            )
            expect(Object.keys(await bridge.querySnapshotUtxo())).toEqual(names.map((name) => `${name}#0`))
            http.answer = null
          }
          injected(names.length)
          expect(invalid).toEqual([])
          for (const name of names) {
            expect(bridge.getAddressBalance(name)).toEqual(
              new Map([
                ['lovelace', BigInt(amount)],
                [`${POLICY}ab`, 7n],
                [POLICY, 9007199254740993n]
              ])
            )
            expect((await bridge.queryAddressUTxO(name)).map(({ input }) => input)).toEqual([
              { txHash: name, index: 0 }
            ])
          }
          expect(bridge.snapshotUtxoArray()).toHaveLength(names.length)
          expect((await bridge.addressesInHead()).sort()).toEqual([...names].sort())
          // Keys and values that cannot be: the whole message is refused, and none of it is applied.
          const before = shown(head)
          const good = `"${hashOf(3)}#0":{"address":"x","value":{"lovelace":1}}`
          const refused = [
            '"__proto__":{"address":"y","value":{"lovelace":1}}',
            `"${hashOf(4)}#0":{"__proto__":{"address":"y","value":{"lovelace":1}}}`,
            `"${hashOf(4)}#0":{"address":"y","value":{"__proto__":7}}`
          ]
          for (const name of names)
            for (const value of [`{"${name}":{"":1}}`, `{"${POLICY}":{"${name}":1}}`])
              refused.push(`"${hashOf(4)}#0":{"address":"y","value":${value}}`)
          for (const bad of refused) await says(head, nextSnapshot(head, `{${good},${bad}}`))
          injected(refused.length)
          expect(invalid.map((error) => (error as { code?: string }).code)).toEqual(
            refused.map(() => 'BRIDGE_PROTOCOL')
          )
          expect(shown(head)).toEqual(before)
          // Transaction ids, and fields of messages that are read by name.
          for (const name of names)
            await says(
              head,
              `{"tag":"TxInvalid","headId":"x","transaction":{"txId":"${name}"},"validationError":{"reason":"${name}","__proto__":{"polluted":1}},"__proto__":{"polluted":1}}`
            )
          injected(names.length)
          expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
          expect(Object.keys(Object.prototype)).toEqual([])
          expect(bridge.connected()).toBe(true)
          wire(
            'outputs with such names, sent and not in the cache',
            names.length - bridge.snapshotUtxoArray().length,
            0
          )
          wire('WebSocket connections since', counts().connections, 0)
        })
      } finally {
        await http.stop()
      }
    }
  )

  faultRow(
    {
      row: 32,
      fault: 'quantities beyond 2^53 up to 2^64-1, negative, 1.5, 1e3, 1e30, as text',
      repeats: 6,
      expected: 'exact bigints, in and out; what is no whole number from 0 on is refused with its message'
    },
    async ({ random, injected, wire }) => {
      const http = await new FaultyHttp().start()
      try {
        await withHead({ bridge: { fetch: http.fetch } }, async (head) => {
          const { bridge, witness, invalid, tap, counts } = head
          witness.leave()
          const offset = BigInt(Math.floor(random() * 2 ** 52)) * 512n
          const exact = [
            2n ** 53n - 1n,
            2n ** 53n,
            2n ** 53n + 1n,
            45_000_000_000_000_001n,
            2n ** 63n - 1n,
            2n ** 64n - 1n,
            2n ** 53n + offset,
            1_000n
          ]
          const written = [...exact.slice(0, -1).map(String), '1e3']
          const utxo = `{${written.map((quantity, index) => `"${hashOf(1)}#${index}":{"address":"a${index}","value":{"lovelace":${quantity},"${POLICY}":{"cd":${quantity}}}}`).join(',')}}`
          await says(head, nextSnapshot(head, utxo))
          injected(exact.length)
          for (const [index, quantity] of exact.entries()) {
            expect(bridge.getAddressBalance(`a${index}`)).toEqual(
              new Map([
                ['lovelace', quantity],
                [`${POLICY}cd`, quantity]
              ])
            )
            expect(bridge.snapshotUtxoArray()[index]?.output.amount.map((amount) => amount.quantity)).toEqual([
              String(quantity),
              String(quantity)
            ])
          }
          const before = shown(head)
          const refused = [
            '-1',
            '-9223372036854775808',
            '1.5',
            '0.1',
            '1e30',
            '9007199254740993.0',
            '1e400',
            '"7"',
            'null',
            'true',
            '[7]'
          ]
          for (const quantity of refused)
            await says(head, nextSnapshot(head, `{"${hashOf(2)}#0":{"address":"x","value":{"lovelace":${quantity}}}}`))
          injected(refused.length)
          expect(invalid.map((error) => (error as { code?: string }).code)).toEqual(
            refused.map(() => 'BRIDGE_PROTOCOL')
          )
          expect(shown(head)).toEqual(before)
          // And back to the node, over both ways.
          const output = {
            [`${hashOf(1)}#4`]: { address: 'a4', value: { lovelace: 2n ** 63n - 1n, ab: { cd: 2n ** 64n - 1n } } }
          }
          bridge.commands.partialFanout(output)
          http.answer = rawReply('400 Bad Request', '"no"')
          await outcomeOf(bridge.commit(output))
          const inexact = (text: string): number =>
            Number(!text.includes('"lovelace":9223372036854775807') || !text.includes('"cd":18446744073709551615'))
          wire('quantities sent inexactly over the socket', inexact(tap.sent.at(-1) ?? ''), 0)
          wire('POST /commit', http.count('POST /commit'), 1)
          wire(
            'quantities sent inexactly over HTTP',
            inexact(stringifyJson(output)) + inexact(http.bodies.at(-1) ?? ''),
            0
          )
          wire('WebSocket connections since', counts().connections, 0)
        })
      } finally {
        await http.stop()
      }
    }
  )
})

/** The head's outputs as the node writes them. */
function witnessUtxo({ witness }: FaultyHead): unknown {
  return (witness.all('SnapshotConfirmed').at(-1)?.['snapshot'] as { utxo: unknown } | undefined)?.utxo ?? {}
}

/** A server that greets and then sends a text frame which is no UTF-8. */
async function invalidUtf8(
  plain: boolean,
  injected: () => void,
  wire: (what: string, actual: number, expected: number) => void
): Promise<void> {
  const http = createServer()
  const server = new WebSocketServer({ server: http })
  const closed: number[] = []
  let connections = 0
  server.on('connection', (socket: WebSocket) => {
    connections++
    socket.on('close', (code) => closed.push(code))
    socket.send(JSON.stringify(greetings()))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const tap = new WireTap(plain)
  const bridge = new LayerBridge({
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`,
    autoReconnect: true,
    reconnectInterval: 10,
    webSocketImpl: tap.WebSocket
  })
  const errors: unknown[] = []
  bridge.events.on('onConnectError', (error) => errors.push(error))
  try {
    await bridge.connect()
    const lost = nextEvent(bridge, 'onDisconnected')
    for (const socket of server.clients) socket.send(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), { binary: false })
    injected()
    await lost
    await until('the server has seen the close', () => closed.length > 0)
    if (plain) {
      // The interface of browsers gives no reason for a connection that it fails itself: to the bridge it is one that
      // broke.
      await until('it is back', () => bridge.connected())
      wire('connections to a server that sent broken UTF-8 once, plain socket', connections, 2)
      return
    }
    expect(bridge.state).toBe('failed')
    expect(errors).toEqual([expect.objectContaining({ code: 'BRIDGE_CONNECT', closeCode: 1007, fatal: true })])
    await pause(50)
    wire('connections to a server that sent broken UTF-8', connections, 1)
  } finally {
    await bridge.disconnect()
    server.close()
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
}
