import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { LayerBridge } from 'layer-sdk/bridge'
import { hashOf } from '../support/sampleTx'
import { expectNoHang } from '../support/timing'
import { outcomeOf, withHead } from './support/faultyHead'
import type { FaultyHead } from './support/faultyHead'
import { FaultyHttp, rawReply } from './support/faultyHttp'
import type { RawAnswer } from './support/faultyHttp'
import { faultRow } from './support/matrix'
import type { Repetition } from './support/matrix'

const KEY = 'hub-key-4410d2'
const STATUSES = [408, 429, 500, 502, 503, 504]
/** Deadline of a request in row 27, ms; on a loaded machine it is met late, so the tests allow twenty times as much. */
const REQUEST_TIMEOUT_MS = 150
const CAP_BYTES = 100_000

/** What the cache says, to be compared before and after. */
function cached({ bridge, alice, bob }: FaultyHead): unknown {
  return {
    utxo: bridge.snapshotUtxoArray(),
    number: bridge.lastSnapshotNumber,
    sums: [alice, bob].map(({ address }) => bridge.getAddressBalance(address))
  }
}

/** Bodies that never are the whole, valid answer they pretend to be. */
const BROKEN: readonly (readonly [name: string, code: string, answer: RawAnswer])[] = [
  ['no headers', 'BRIDGE_TIMEOUT', () => undefined],
  [
    'a body that drips',
    'BRIDGE_TIMEOUT',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n{')
      // Far more often than any idle limit.
      const timer = setInterval(() => socket.write(' '), 5)
      socket.on('close', () => clearInterval(timer))
    }
  ],
  [
    'a reset in mid body',
    'BRIDGE_REQUEST',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{"tag":"ConfirmedSnapshot"', () =>
        setTimeout(() => socket.resetAndDestroy(), 5)
      )
    }
  ],
  [
    'a Content-Length beyond the body',
    'BRIDGE_REQUEST',
    rawReply('200 OK', '{"tag":"InitialSnapshot","headId":"ab"}', ['Content-Length: 5000'])
  ],
  [
    'a Content-Length short of the body',
    'BRIDGE_PROTOCOL',
    rawReply('200 OK', '{"tag":"InitialSnapshot","headId":"ab"}', ['Content-Length: 20'])
  ],
  [
    'no Content-Length and an early end',
    'BRIDGE_PROTOCOL',
    rawReply('200 OK', '{"tag":"ConfirmedSnapshot","snapshot":{"utxo":{', [])
  ],
  [
    'a gzip bomb',
    'BRIDGE_MESSAGE_TOO_LARGE',
    rawReply('200 OK', gzipSync(Buffer.alloc(30_000_000, 0x20)), ['Content-Encoding: gzip'])
  ],
  [
    'gzip that is none',
    'BRIDGE_REQUEST',
    rawReply('200 OK', 'not compressed at all', ['Content-Encoding: gzip', 'Content-Length: 21'])
  ],
  ['a body beyond the cap', 'BRIDGE_MESSAGE_TOO_LARGE', rawReply('200 OK', `{"x":"${'y'.repeat(CAP_BYTES)}"}`)],
  ['HTML with 200', 'BRIDGE_PROTOCOL', rawReply('200 OK', '<html><body>Welcome</body></html>')],
  ['nothing with 200', 'BRIDGE_PROTOCOL', rawReply('200 OK', '')],
  ['another value with 200', 'BRIDGE_PROTOCOL', rawReply('200 OK', 'null')],
  [
    "another head's form",
    'BRIDGE_PROTOCOL',
    rawReply('200 OK', '{"tag":"ConfirmedSnapshot","snapshot":{"headId":7},"signatures":{"multiSignature":[]}}')
  ]
]
/** Failures of the network are tried again, refusals of the content are not. */
const attemptsOf = (code: string): number => (code === 'BRIDGE_REQUEST' ? 3 : 1)

/** Every kind of redirect to another origin, for a request that carries a key. */
async function redirected({ injected, wire }: Pick<Repetition, 'injected' | 'wire'>): Promise<void> {
  const http = await new FaultyHttp().start()
  const other = await new FaultyHttp().start()
  other.answer = rawReply('200 OK', '{"tag":"Idle"}')
  const bridge = new LayerBridge({ url: `${http.origin.replace('http', 'ws')}/?X-Api-Key=${KEY}` })
  try {
    for (const status of [301, 302, 303, 307, 308]) {
      http.answer = rawReply(`${status} Elsewhere`, '', [`Location: ${other.origin}/head`, 'Content-Length: 0'])
      injected()
      const error = await outcomeOf(bridge.headInfo())
      expect(error).toMatchObject({ code: 'BRIDGE_REQUEST', status })
      expect(inspect(error)).not.toContain(KEY)
    }
    wire('requests with the key', http.requests.filter((text) => text.includes(KEY)).length, 5)
    wire('requests at the other origin', other.requests.length, 0)
  } finally {
    await bridge.disconnect()
    await http.stop()
    await other.stop()
  }
}

describe('HTTP faults', () => {
  faultRow(
    {
      row: 26,
      fault: 'HTTP 408, 429, 500, 502, 503, 504, with Retry-After in seconds or as a date, or without',
      repeats: 7,
      expected:
        'GET is asked again, at most three times in all, after the time that Retry-After says; POST is asked once'
    },
    async ({ index, random, injected, wire }) => {
      const status = STATUSES[index % STATUSES.length]!
      await withHead({ bridge: { requestTimeout: 8_000 } }, async ({ node, bridge, counts, payment }) => {
        const asked = (route: string): number => node.counters.requests[route] ?? 0
        // Only on the route under test: the bridge may still look at the last snapshot after it has connected.
        const fail = (route: string, count: number, headers: Record<string, string> = {}): void => {
          node.faults.failRoutes = [route]
          node.faults.httpFailure = { status, body: '"busy"', headers }
          node.faults.failRequests = count
          injected(count)
        }
        const waits = index < 2
        const retryAfter = index === 0 ? '1' : index === 1 ? new Date(Date.now() + 2_000).toUTCString() : '0'
        fail('GET /protocol-parameters', 1, waits || random() < 0.5 ? { 'Retry-After': retryAfter } : {})
        const started = performance.now()
        expect(await bridge.getRawProtocolParameters()).toMatchObject({ txFeeFixed: 0 })
        // A date has whole seconds: two from now may be one and a bit.
        if (waits) expect(performance.now() - started).toBeGreaterThan(index === 0 ? 990 : 900)
        wire('GET answered at the second attempt', asked('GET /protocol-parameters'), 2)
        fail('GET /head', 5, { 'Retry-After': '0' })
        expect(await outcomeOf(bridge.headInfo())).toMatchObject({ code: 'BRIDGE_REQUEST', status, reason: 'busy' })
        wire('GET that never succeeds', asked('GET /head'), 3)
        fail('POST /commit', 1, { 'Retry-After': '0' })
        const before = asked('POST /commit')
        const data = { [`${hashOf(3)}#0`]: { address: node.keys[0]!.address, value: { lovelace: 1_000_000 } } }
        expect(await outcomeOf(bridge.commit(data))).toMatchObject({ code: 'BRIDGE_REQUEST', status })
        wire('POST /commit', asked('POST /commit') - before, 1)
        fail('POST /transaction', 1, { 'Retry-After': '0' })
        const tx = payment()
        // A server in between may have said it after the node had taken it: not known, unless it says that it did not.
        const verdict = await outcomeOf(bridge.submitL2Tx(tx, { timeout: 500 }))
        expect(verdict.code === 'BRIDGE_REQUEST' ? verdict : { ...verdict, outcome: verdict.outcome }).toMatchObject(
          status === 429 ? { status } : { tag: 'Timeout', outcome: 'unknown' }
        )
        wire('POST /transaction', counts().posts, 1)
        wire('NewTx at the node', counts().newTx, 0)
        expect(bridge.connected()).toBe(true)
      })
    }
  )

  faultRow(
    {
      row: 27,
      fault:
        'no headers, a body that drips, a reset in mid body, wrong lengths, a gzip bomb, HTML, nothing, another value, redirects',
      expected:
        'a typed error within the overall deadline, the body capped, no redirect followed with the key, the cache untouched',
      repeats: BROKEN.length + 1
    },
    async ({ index, injected, wire }) => {
      if (index % (BROKEN.length + 1) === BROKEN.length) return redirected({ injected, wire })
      const [name, code, answer] = BROKEN[index % (BROKEN.length + 1)]!
      const http = await new FaultyHttp().start()
      try {
        await withHead(
          {
            bridge: {
              fetch: http.fetch,
              requestTimeout: code === 'BRIDGE_TIMEOUT' ? REQUEST_TIMEOUT_MS : 5_000,
              maxMessageBytes: CAP_BYTES
            }
          },
          async (head) => {
            const { bridge, counts, payment } = head
            const before = cached(head)
            http.answer = answer
            injected()
            const started = performance.now()
            const error = await outcomeOf(bridge.querySnapshotUtxo())
            expect({ [name]: error.code }).toEqual({ [name]: code })
            if (code === 'BRIDGE_TIMEOUT') expectNoHang(REQUEST_TIMEOUT_MS, started)
            expect(cached(head)).toEqual(before)
            expect(bridge.connected()).toBe(true)
            wire('GET /snapshot', http.count('GET /snapshot'), attemptsOf(code))
            // A submission is never repeated; whether the node has it is not known.
            const verdict = await outcomeOf(bridge.submitL2Tx(payment(), { timeout: 500 }))
            expect(verdict).toMatchObject({ code: 'BRIDGE_SUBMIT', outcome: 'unknown' })
            wire('POST /transaction', http.count('POST /transaction'), 1)
            http.answer = null
            expect(Object.keys(await bridge.querySnapshotUtxo())).toHaveLength(1)
            wire('NewTx at the node', counts().newTx, 0)
            expect(cached(head)).toEqual(before)
          }
        )
      } finally {
        await http.stop()
      }
    }
  )
})
