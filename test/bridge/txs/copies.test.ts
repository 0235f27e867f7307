import { LayerBridge } from 'layer-sdk/bridge'
import { bytesToHex, hexToBytes } from '../../../src/codec/hex'
import { readTransaction } from '../../../src/codec/transaction'
import { setVkeyWitnesses } from '../../../src/codec/witnessSet'
import { INITIAL_HEAD_STATE } from '../../../src/bridge/head/reducer'
import { TxTracker } from '../../../src/bridge/txs/TxTracker'
import type { TrackerContext } from '../../../src/bridge/txs/TxTracker'
import { isSameTransaction, toTxRefs } from '../../../src/bridge/txs/txRefs'
import { hashOf, sampleTx } from '../../support/sampleTx'
import {
  confirmedSnapshot,
  HEAD_ID,
  once,
  output,
  ScriptedNode,
  send,
  snapshotConfirmed
} from '../../support/scriptedNode'

const stored = { headId: HEAD_ID, timestamp: '2026-01-01T00:00:00Z' }
let seq = 1_000

/** The transaction with another signature: the same id, other bytes. */
function copyOf<T extends { cborHex: string }>(tx: T, salt = 7): T {
  const witness = { vkey: new Uint8Array(32).fill(salt), signature: new Uint8Array(64).fill(salt) }
  return { ...tx, cborHex: bytesToHex(setVkeyWitnesses(readTransaction(hexToBytes(tx.cborHex)), [witness])) }
}

const txValid = ({ txId }: { txId: string }): unknown => ({
  tag: 'TxValid',
  transactionId: txId,
  seq: seq++,
  ...stored
})
const txInvalid = (transaction: object, reason: string, headId = HEAD_ID): unknown => ({
  tag: 'TxInvalid',
  transaction,
  utxo: { [`${hashOf(1)}#0`]: output('addr_test1x', 5) },
  validationError: { reason },
  seq: seq++,
  ...stored,
  headId
})

describe('two texts of a transaction', () => {
  const tx = copyOf(sampleTx(), 1)
  const parts = tx.cborHex.slice(2)

  it.each<[string, string, boolean]>([
    ['in capitals', tx.cborHex.toUpperCase(), true],
    ['in an array of unknown length', `9f${parts}ff`, true],
    ['with another witness', copyOf(sampleTx(), 2).cborHex, false],
    ['without its witness', sampleTx().cborHex, false],
    ['with both witnesses', copyOf(tx, 2).cborHex, false],
    ['marked as invalid', `${tx.cborHex.slice(0, -4)}f4f6`, false],
    ['with auxiliary data', `${tx.cborHex.slice(0, -2)}a0`, false],
    ['that cannot be read', 'ff', false]
  ])('are the same transaction, or not, %s', (_how, other, same) => {
    expect(isSameTransaction(tx.cborHex, other)).toBe(same)
  })
})

describe('a refusal of a copy with other witnesses', () => {
  const tx = copyOf(sampleTx(), 1)
  const copy = copyOf(tx, 2)
  let node: ScriptedNode
  let bridge: LayerBridge
  beforeEach(async () => {
    node = await new ScriptedNode().start()
    const utxo = { [`${hashOf(1)}#0`]: output('addr_test1x', 5) }
    node.routes['GET /snapshot'] = { body: confirmedSnapshot(1, { utxo }) }
    bridge = new LayerBridge({ url: node.url, autoReconnect: true, reconnectInterval: 5 })
    await bridge.connect()
    await bridge.querySnapshotUtxo()
  })
  afterEach(async () => {
    await bridge.disconnect()
    await node.stop()
  })

  const outcome = (options = {}): Promise<any> => bridge.submitTxSync(tx, options).catch((error: unknown) => error)
  const script = (...messages: unknown[]): void => {
    node.onInput = (_input, socket) => {
      for (const message of messages) send(socket, message)
    }
  }

  it('settles nothing: the transaction is confirmed, and no step calls it invalid', async () => {
    const states: string[] = []
    bridge.events.on('onTxProgress', ({ state }) => states.push(state))
    script(
      txInvalid(copy, 'MissingVKeyWitnessesUTXOW'),
      txInvalid(sampleTx(), 'unsigned'),
      txValid(tx),
      snapshotConfirmed(2, { confirmed: [tx], seq: seq++ })
    )
    expect(await outcome()).toMatchObject({ isConfirmed: true })
    expect(states).toEqual(['submitted', 'valid', 'confirmed'])
  })

  it('does not hide the refusal of its own bytes', async () => {
    script(txInvalid(copy, 'a copy'), txInvalid({ ...tx, cborHex: `9f${tx.cborHex.slice(2)}ff` }, 'its own'))
    expect(await outcome()).toMatchObject({ tag: 'TxInvalid', reason: 'its own', outcome: 'none' })
  })

  it.each(['CommandFailed', 'RejectedInputBecauseUnsynced'])('settles nothing as %s either', async (tag) => {
    script({ tag, clientInput: { tag: 'NewTx', transaction: copy }, state: { tag: 'Open', contents: {} }, drift: 1 })
    void once(bridge, tag).then(() =>
      setTimeout(() => node.send(snapshotConfirmed(2, { confirmed: [tx], seq: seq++ })), 200)
    )
    expect(await outcome()).toMatchObject({ isConfirmed: true })
  })

  it('settles nothing when it names another head, even with the same bytes', async () => {
    script(txInvalid(tx, 'of the head before', 'ab'.repeat(28)), snapshotConfirmed(2, { confirmed: [tx], seq: seq++ }))
    expect(await outcome()).toMatchObject({ isConfirmed: true })
  })

  it('is not what the history says of it after a gap', async () => {
    const done = outcome({ timeout: 3_000 })
    await node.until(() => node.inputs.length === 1)
    node.routes['GET /snapshot'] = { body: confirmedSnapshot(9) }
    node.onConnection = (socket, query) => {
      if (query.includes('history=yes')) send(socket, txInvalid(copy, 'a copy'))
      send(socket, { tag: 'Greetings', me: { vkey: 'ab' }, headStatus: 'Open', hydraHeadId: HEAD_ID })
    }
    node.cut()
    expect(await done).toMatchObject({ outcome: 'unknown' })
  })

  it('is not its verdict over HTTP, where the reply does not say which of them was refused', async () => {
    node.routes['POST /transaction'] = async () => {
      node.send(txInvalid(copy, 'a copy'))
      await once(bridge, 'TxInvalid')
      setTimeout(() => node.send(txValid(tx), snapshotConfirmed(2, { confirmed: [tx], seq: seq++ })), 1_200)
      return { status: 400, body: { tag: 'SubmitTxInvalid', validationError: 'a copy' } }
    }
    expect(await bridge.submitL2Tx(tx)).toEqual({ tag: 'SubmitTxSubmitted' })
  })

  it('sent half signed by this bridge before does not settle the whole one, sent after', async () => {
    const [half, whole] = [sampleTx(), tx]
    script(txInvalid(half, 'missing'))
    expect(await bridge.submitTxSync(half).catch((error: unknown) => error)).toMatchObject({ tag: 'TxInvalid' })
    // The node tries for half a second: its second word on the first comes when the second is on its way.
    script(txInvalid(half, 'missing'), txValid(whole), snapshotConfirmed(2, { confirmed: [whole], seq: seq++ }))
    expect(await outcome()).toMatchObject({ isConfirmed: true })
  })
})

describe('a refused transaction', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it.each([
    ['ten minutes', 1_000, 600_000],
    ['its own bound, when that is later,', 3_600_000, 3_600_000]
  ])('is watched for a late confirmation for %s', (_how_long, watchMs, untilMs) => {
    const late: number[] = []
    const tx = sampleTx()
    const tracker = new TxTracker({
      emitter: {
        emit: (name: string, { snapshotNumber }: { snapshotNumber: number }) =>
          name === 'onLateConfirmation' && late.push(snapshotNumber)
      },
      cache: { has: () => true, current: true },
      connector: { capabilities: { partial: false } },
      head: () => INITIAL_HEAD_STATE,
      reconcile: () => undefined
    } as unknown as TrackerContext)
    const follow = (): void => {
      tracker.follow(
        { ...toTxRefs(tx.txId, tx.cborHex), outputCount: 0, cborHex: tx.cborHex, watchMs },
        () => undefined,
        () => undefined
      )
    }
    const say = (message: object): void => tracker.onPayload(message as never)
    const refuse = (): void =>
      say({
        tag: 'TxInvalid',
        headId: HEAD_ID,
        transaction: tx,
        utxo: { [`${hashOf(1)}#0`]: {} },
        validationError: { reason: 'no' }
      })
    follow()
    refuse()
    jest.advanceTimersByTime(untilMs - 1)
    say(snapshotConfirmed(2))
    say(snapshotConfirmed(3, { confirmed: [tx] }))
    expect(late).toEqual([3])
  })
})
