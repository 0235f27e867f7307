import { greetings, output, ScriptedNode, send, snapshotConfirmed } from '../support/scriptedNode'
import { fullRun } from '../support/scale'
import { ClientPeer } from './support/clientPeer'
import { HOSTILE_STEP } from './support/flood'
import { faultRow } from './support/matrix'

const MB = 1_000_000
const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'

/** Text of a megabyte that no other message has. */
const long = (salt: number): string =>
  salt
    .toString(16)
    .padStart(8, '0')
    .repeat(MB / 8)
/** Hex of so many digits that no other message has. */
const hex = (salt: number, digits: number): string => salt.toString(16).padStart(digits, '0')
const head = (salt: number): string => hex(salt, 56)

/** A megabyte of outputs, all of their own, in units or at addresses that no other message has. */
function outputs(salt: number, names: 'units' | 'addresses' | 'both'): string {
  const texts = Array.from({ length: 3_000 }, (_, index) => {
    const n = salt * 3_000 + index
    const address = names === 'units' ? ADDRESS : `addr_test1vz${n.toString(36).padStart(46, 'q')}`
    return `"${hex(n, 64)}#0":{"address":"${address}","value":{"lovelace":1000000${names === 'addresses' ? '' : `,"${hex(n, 56)}":{"${hex(n, 64)}":1}`}}}`
  })
  return `{${texts.join(',')}}`
}

const raw = (message: object, text = ''): string => JSON.stringify(message).replace('"@"', () => text)
const snapshot = (headId: string, number: number, fields: object, text = ''): string =>
  raw(snapshotConfirmed(number, { headId, seq: number, ...fields }), text)
const transaction = (txId: string, cborHex = '00'): object => ({ type: 'Tx ConwayEra', description: '', cborHex, txId })

/**
 * What the node says in the head of a round: each of its own kind, with names of a megabyte, or as long as they may be
 * and ever new.
 */
const KINDS: readonly ((salt: number, headId: string) => string)[] = [
  (salt, headId) => raw({ tag: 'HeadIsOpen', headId, utxo: '@', seq: salt }, outputs(salt, 'addresses')),
  (salt) => snapshot(long(salt), salt, {}),
  (salt) => raw({ tag: 'HeadIsFinalized', headId: long(salt), utxo: {} }),
  (salt) => raw({ tag: 'HeadIsOpen', headId: long(salt), parties: [] }),
  (salt) => raw(greetings({ hydraHeadId: long(salt) })),
  (salt, headId) =>
    snapshot(headId, salt, {
      utxo: { [`${hex(salt, 64)}#0`]: { address: ADDRESS, value: { [long(salt)]: { '': 1 } } } }
    }),
  (salt, headId) =>
    snapshot(headId, salt, {
      utxo: { [`${hex(salt, 64)}#0`]: { address: ADDRESS, value: { [hex(salt, 56)]: { [long(salt)]: 1 } } } }
    }),
  (salt, headId) => snapshot(headId, salt, { utxo: { [`${hex(salt, 64)}#0`]: output(long(salt), 1) } }),
  (salt, headId) => snapshot(headId, salt, { utxo: { [`${long(salt)}#0`]: output(ADDRESS, 1) } }),
  (salt) => raw({ tag: long(salt) }),
  (salt, headId) => raw({ tag: 'DecommitRequested', headId, decommitTx: transaction(long(salt)), utxoToDecommit: {} }),
  (salt, headId) =>
    raw({ tag: 'DecommitRequested', headId, decommitTx: transaction(hex(salt, 64), long(salt)), utxoToDecommit: {} }),
  (salt, headId) =>
    raw({
      tag: 'CommitRecorded',
      headId,
      utxoToCommit: {},
      pendingDeposit: long(salt),
      deadline: '2026-01-01T00:00:00Z'
    }),
  (salt, headId) => raw({ tag: 'TxValid', headId, transactionId: long(salt), transaction: transaction(long(salt)) }),
  (salt, headId) =>
    raw({ tag: 'TxInvalid', headId, transaction: transaction(hex(salt, 64)), validationError: { reason: long(salt) } }),
  (salt) => raw({ tag: 'CommandFailed', clientInput: { tag: long(salt) }, state: { tag: 'Idle' } }),
  (salt) => raw({ tag: 'PeerConnected', peer: long(salt) }),
  (salt, headId) => snapshot(headId, salt, { utxo: '@' }, outputs(salt, 'units')),
  (salt, headId) => snapshot(headId, salt, { utxo: '@' }, outputs(salt, 'addresses')),
  (salt, headId) => snapshot(headId, salt, { utxo: {}, utxoToCommit: '@' }, outputs(salt, 'both')),
  (salt, headId) =>
    snapshot(headId, salt, { utxo: null, confirmed: [{ txId: long(salt) }] }).replace('"utxo":null,', ''),
  (salt) => raw(greetings({ hydraHeadId: head(salt), snapshotUtxo: '@' }), outputs(salt, 'both'))
]

describe('a hostile node', () => {
  faultRow(
    {
      row: 49,
      fault:
        'messages of 1 MB (1,000 in the full run), each with new head ids, policies, asset names, addresses, output keys, tags, transaction, deposit and decommit ids',
      repeats: 1,
      timeout: 120_000,
      expected: 'the heap stays within 20 MB of the start: in their midst, after them, and after disconnect()'
    },
    async ({ injected, wire }) => {
      const node = await new ScriptedNode().start()
      const count = fullRun ? 1_000 : 220
      let headId = head(0)
      // A state that comes, and one that does not: what needs it waits.
      node.routes['GET /snapshot'] = () =>
        node.requests.length % 2 === 0 ? { body: { tag: 'InitialSnapshot', headId } } : 'hang'
      const peer = await ClientPeer.start('hostile', {
        until: count,
        options: { url: node.url, requestTimeout: 2_000 }
      })
      try {
        await peer.hear('ready')
        const [socket] = node.sockets
        let refused = 0
        for (let salt = 1; salt <= count; salt++) {
          const kind = salt % KINDS.length
          if (kind === 0) headId = head(salt)
          if (kind >= 1 && kind <= 8) refused++
          send(socket!, KINDS[kind]!(salt, headId))
          injected()
          // No faster than it is read, a few messages ahead: what waits in sockets is not what is measured.
          if (salt > HOSTILE_STEP && salt % HOSTILE_STEP === 0) await peer.hear(`heard ${salt - HOSTILE_STEP}`, 100_000)
          while (socket!.bufferedAmount > 4 * MB) await new Promise((resolve) => setImmediate(resolve))
        }
        const result = await peer.hear<{
          heard: number
          refused: number
          connected: boolean
          during: number
          after: number
          disconnected: number
        }>('result', 100_000)
        expect(result).toMatchObject({ heard: count, connected: true })
        expect(result.refused).toBeGreaterThanOrEqual(refused)
        for (const grown of [result.during, result.after, result.disconnected]) expect(grown).toBeLessThan(20 * MB)
        wire('messages sent and neither delivered nor refused', count - result.heard, 0)
        wire('WebSocket connections', node.queries.length, 1)
      } finally {
        await peer.stop()
        await node.stop()
      }
    }
  )
})
