import WebSocket from 'ws'
import type { DevNodeProfile } from '../../../../src/devnode'
import { startDevNode } from '../../../../src/devnode'
import { CborReader } from '../../../../src/codec/cbor/reader'
import { CborWriter } from '../../../../src/codec/cbor/writer'
import { bytesToHex, hexToBytes } from '../../../../src/codec/hex'
import { parseJson } from '../../../../src/codec/json'
import * as messageShapes from '../../../../src/devnode/wire/cbor/api'
import * as chainShapes from '../../../../src/devnode/wire/cbor/chainShapes'
import * as headShapes from '../../../../src/devnode/wire/cbor/headShapes'
import { fromCbor, toCbor } from '../../../../src/devnode/wire/cbor/messages'
import type { Shape } from '../../../../src/devnode/wire/cbor/shapes'
import { recordShape, natural } from '../../../../src/devnode/wire/cbor/shapes'
import { utcTimeValue, utxo } from '../../../../src/devnode/wire/cbor/values'
import { deposit, newTx, openHead, setUp, submitDeposit, TestClient, utxoJson } from '../../harness'
import { NODE_SAMPLES } from './cborSamples'
import { pay } from '../../transactions'

const api = { ...messageShapes, ...chainShapes, ...headShapes }

const timed = recordShape('TimedServerOutput', [
  ['seq', natural],
  ['time', utcTimeValue],
  ['output', api.serverOutput]
])

/** A client with `encoding=cbor`: its messages read back into JSON by the text that they begin with. */
function read(bytes: Uint8Array): Record<string, any> {
  const tag = new CborReader(bytes).readText()
  const shape: Shape =
    tag === 'TimedServerOutput'
      ? timed
      : tag === 'Greetings'
        ? api.greetings
        : tag === 'InvalidInput'
          ? api.invalidInput
          : api.clientMessage
  const value = parseJson(fromCbor(shape, bytes)) as Record<string, any>
  return tag === 'TimedServerOutput'
    ? { ...value['output'], seq: value['seq'], timestamp: value['time'] }
    : tag === 'Greetings'
      ? { tag, ...value }
      : value
}

const json = (value: unknown): any =>
  JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)))

const SHAPES: Readonly<Record<string, Shape>> = {
  ServerOutput: api.serverOutput,
  ClientInput: api.clientInput,
  SideLoadRequirementFailure: api.sideLoadFailure,
  SeenSnapshot: api.seenSnapshot,
  InvalidInput: api.invalidInput
}

it.each(Object.entries(NODE_SAMPLES))(
  'reads the samples of type %s that the node itself wrote, and writes them again byte for byte',
  (name, samples) => {
    expect(samples.length).toBeGreaterThan(0)
    for (const hex of samples)
      expect(bytesToHex(toCbor(SHAPES[name]!, parseJson(fromCbor(SHAPES[name]!, hexToBytes(hex)))))).toBe(hex)
  }
)

// hydra-node/src/Hydra/API/WSServer.hs:262 and WireFormat.hs
describe.each(['2.4', 'master'] as const)('a client with encoding=cbor of profile %s', (profile) => {
  it('is told the same as one with JSON, in the declared order of members, without an accumulator', async () => {
    const setup = setUp({ profile, parties: 2 })
    const { node, client, clock, alice, bob } = setup
    const other = new TestClient(node, 'encoding=cbor')
    client.send({ tag: 'Init' })
    clock.advance(50)
    await deposit(setup, alice)
    await deposit(setup, bob)
    const [utxoOfAlice] = node.headUtxos(alice.address)
    client.send(newTx(pay(utxoOfAlice!, alice, bob.address, 1_000_000n)))
    client.send(newTx(pay(utxoOfAlice!, alice, bob.address, 2_000_000n)))
    clock.advance(1_000)
    client.send({ tag: 'Decommit', decommitTx: pay(node.headUtxos(bob.address)[0]!, bob, alice.address, 5_000_000n) })
    clock.advance(500)
    client.send({ tag: 'Init' })
    client.send({ tag: 'Fanout' })
    node.setDrift(3)
    client.send({ tag: 'Close' })
    node.setDrift(0)
    client.send({ tag: 'Close' })
    clock.advance(50)
    client.send({ tag: 'Fanout' })
    clock.advance(5_000)
    client.send({ tag: 'Fanout' })
    clock.advance(500)
    const messages = other.texts.map((bytes) => read(bytes as Uint8Array))
    expect(messages.map(({ tag }) => tag)).toEqual(client.tags())
    expect(new Set(client.tags()).size).toBeGreaterThan(15)
    messages.forEach((message, i) => {
      const told = client.messages[i]!
      // Members that the CBOR has no place for.
      const expected = JSON.parse(
        JSON.stringify(json(told), (key, value: unknown) => (/accumulator$/i.test(key) ? undefined : value))
      )
      const shown = JSON.parse(
        JSON.stringify(json(message), (key, value: unknown) =>
          /^(transaction|decommitTx|failingTx)$/.test(key) ? { cborHex: (value as any)?.cborHex } : value
        )
      )
      const plain = JSON.parse(
        JSON.stringify(expected, (key, value: unknown) =>
          /^(transaction|decommitTx|failingTx)$/.test(key) ? { cborHex: (value as any)?.cborHex } : value
        )
      )
      expect(normal(shown)).toEqual(normal(plain))
    })
  })

  it('sends inputs as CBOR, and hears in base16 of what is none', async () => {
    const { node, clock } = setUp({ profile })
    const texts: Uint8Array[] = []
    const client = node.open('encoding=cbor&snapshot-utxo=no', {
      send: (message) => texts.push(message as Uint8Array),
      close() {}
    })
    const last = (): Record<string, any> => read(texts.at(-1)!)
    node.receive(client, hexToBytes('ff00'))
    expect(last()).toEqual({ reason: expect.stringContaining('DecoderErrorDeserialiseFailure'), input: 'ff00' })
    node.receive(client, toCbor(api.clientInput, { tag: 'Init' }))
    clock.advance(50)
    expect(last()['tag']).toBe('HeadIsOpen')
    // The constructor's name and nothing else: 0x64 and four letters.
    expect(bytesToHex(toCbor(api.clientInput, { tag: 'Init' }))).toBe('64496e6974')
    node.receive(client, new Uint8Array([...toCbor(api.clientInput, { tag: 'Close' }), 0]))
    expect(last()).toMatchObject({ input: `65436c6f736500` })
    node.receive(client, new CborWriter().text('Abort').toBytes())
    expect(last()['reason']).toContain('Abort')
    const [alice] = node.keys
    const [output] = node.baseUtxos(alice!.address)
    await submitDeposit(node, alice!, output!)
    clock.advance(500)
    const envelope = pay(node.headUtxos(alice!.address)[0]!, alice!, alice!.address, 1_000_000n)
    node.receive(client, toCbor(api.clientInput, { tag: 'NewTx', transaction: envelope }))
    clock.advance(100)
    // Empty, not absent (docs/protocol.md, CBOR).
    expect(last()).toMatchObject({
      tag: 'SnapshotConfirmed',
      snapshot: { utxo: {}, confirmed: [{ cborHex: envelope.cborHex }] }
    })
  })

  it.each(['2.3', '2.0', '0.22'] as DevNodeProfile[])(
    'gets JSON of version %s, which knows no such parameter',
    (profile) => {
      const { node } = openHead({ profile })
      const client = new TestClient(node, 'encoding=cbor')
      expect(client.last('Greetings')['headStatus']).toBeDefined()
    }
  )

  it('speaks binary frames over a socket, and application/cbor over HTTP', async () => {
    const node = await startDevNode({
      port: 0,
      rpcPort: null,
      profile,
      open: true,
      inHead: [{ address: (await keyOf()).address, lovelace: 50_000_000 }]
    })
    try {
      const socket = new WebSocket(`${node.url}/?encoding=cbor`)
      const [data, isBinary] = await new Promise<[Buffer, boolean]>((resolve) =>
        socket.once('message', (bytes: Buffer, binary) => resolve([bytes, binary]))
      )
      expect([isBinary, read(new Uint8Array(data))['headStatus']]).toEqual([true, 'Open'])
      const failed = new Promise<Buffer>((resolve) => socket.once('message', (bytes: Buffer) => resolve(bytes)))
      socket.send(toCbor(api.clientInput, { tag: 'Init' }))
      expect(read(new Uint8Array(await failed))).toMatchObject({
        tag: 'CommandFailed',
        clientInput: { tag: 'Init' },
        state: { tag: 'Open' }
      })
      socket.terminate()
      const get = async (path: string): Promise<{ status: number; type: string | null; bytes: Uint8Array }> => {
        const reply = await fetch(node.httpUrl + path, { headers: { accept: 'application/cbor' } })
        return {
          status: reply.status,
          type: reply.headers.get('content-type'),
          bytes: new Uint8Array(await reply.arrayBuffer())
        }
      }
      for (const [path, shape] of [
        ['/head', api.headState],
        ['/snapshot', api.confirmedSnapshotShape],
        ['/snapshot/utxo', utxo],
        ['/snapshot/last-seen', api.seenSnapshot]
      ] as const) {
        const asText = async (): Promise<string> => (await fetch(node.httpUrl + path)).text()
        let before = await asText()
        let answer = await get(path)
        // A block between the two moves the point that the state was recorded at.
        for (let after = await asText(); after !== before; after = await asText()) {
          before = after
          answer = await get(path)
        }
        const { status, type, bytes } = answer
        const plain = parseJson(before)
        expect([path, status, type]).toEqual([path, 200, 'application/cbor'])
        expect(normal(json(parseJson(fromCbor(shape, bytes))))).toEqual(normal(strip(json(plain))))
      }
      expect(new CborReader((await get('/nothing')).bytes).readText()).toBe('Resource not found')
      // cardano-ledger, Conway/PParams.hs, eraPParams: 31 members; txFeePerByte and txFeeFixed are 0, maxBlockBodySize
      // 90112, maxTxSize 10250.
      expect(bytesToHex((await get('/protocol-parameters')).bytes)).toMatch(/^981f00001a0001600019280a/)
      expect((await get('/config')).bytes[0]! >> 5).toBe(5)
      expect(bytesToHex((await get('/commits')).bytes)).toBe('9fff')
      const alice = node.keys[0]!
      const body = toCbor(
        { write: (writer, value) => utxo.write(writer.text('SimpleCommitRequest'), value) },
        utxoJson(node.baseUtxos(alice.address)[0]!)
      )
      const headers = { accept: 'application/cbor', 'content-type': 'application/cbor' }
      const draft = await fetch(`${node.httpUrl}/commit`, { method: 'POST', headers, body: body as BodyInit })
      // A transaction is a byte string around its CBOR.
      const cbor = new CborReader(new Uint8Array(await draft.arrayBuffer())).readBytes()
      expect([draft.status, cbor[0]! >> 5]).toEqual([200, 4])
      const refused = await fetch(`${node.httpUrl}/cardano-transaction`, {
        method: 'POST',
        headers,
        body: new CborWriter().bytes(cbor).toBytes() as BodyInit
      })
      expect([
        refused.status,
        JSON.parse(fromCbor(api.postTxError, new Uint8Array(await refused.arrayBuffer())))
      ]).toEqual([
        400,
        {
          tag: 'FailedToPostTx',
          failureReason: expect.stringContaining('MissingVKeyWitnessesUTXOW'),
          failingTx: { cborHex: bytesToHex(cbor) }
        }
      ])
      for (const path of ['/commit', '/transaction', '/decommit', '/cardano-transaction', '/snapshot']) {
        const bad = await fetch(node.httpUrl + path, { method: 'POST', headers, body: hexToBytes('9f') as BodyInit })
        expect([path, bad.status, new CborReader(new Uint8Array(await bad.arrayBuffer())).readText()]).toEqual([
          path,
          400,
          expect.stringContaining('DecoderError')
        ])
      }
    } finally {
      await node.stop()
    }
  })
})

async function keyOf(): Promise<{ address: string }> {
  return setUp().alice
}

/** Without what CBOR has no place for. */
function strip(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each: unknown) => (/accumulator$/i.test(key) ? undefined : each)))
}

/** Without members that are null, which CBOR and JSON leave out in different ways. */
function normal(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) => {
      if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
      return Object.fromEntries(
        Object.entries(each)
          .filter(([, member]) => member !== null)
          .map(([name, member]): [string, unknown] => [
            name,
            name === 'confirmed' || name === 'localTxs'
              ? (member as { cborHex: string }[]).map(({ cborHex }) => cborHex)
              : member
          ])
          .map(([name, member]): [string, unknown] => [
            name,
            /(Time|eadline|timestamp|created)$/.test(name) && typeof member === 'string' ? Date.parse(member) : member
          ])
          .sort(([a], [b]) => (a < b ? -1 : 1))
      )
    })
  )
}
