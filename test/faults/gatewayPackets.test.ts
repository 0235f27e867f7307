import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fullRun } from '../support/scale'
import type { GatewayCase, GatewayOutcome } from './support/client'
import { ClientPeer } from './support/clientPeer'
import { BAD_OPENS, BAD_PROBES, MALFORMED, MALFORMED_BODIES } from './support/malformedPackets'
import type { Effect } from './support/malformedPackets'
import { faultRow } from './support/matrix'
import { PacketGateway } from './support/PacketGateway'
import type { RedirectedRequest, Spoiled } from './support/PacketGateway'

const SECRET = 'Bearer eyJhbGciOi-46-secret'
const WEBSOCKET = ['websocket']
const POLLING = ['polling']
const BOTH = ['polling', 'websocket']

interface Row {
  readonly what: string
  readonly transports: string[] | undefined
  readonly spoiled: Spoiled
  readonly effect: Effect | undefined
}

const shown = (frame: string | Buffer): string =>
  typeof frame === 'string' ? JSON.stringify(frame.slice(0, 60)) : `bytes ${frame.subarray(0, 8).toString('hex')}`

/**
 * The cases of the table: every packet at every moment, over one transport, and the same over the other one. Before the
 * open packet, where all of them do the same, `npm test` takes the handshakes and a quarter of the others.
 */
function packetRows(): [Row[], Row[]] {
  const rows: [Row[], Row[]] = [[], []]
  const add = (part: number, transports: string[] | undefined, spoiled: Spoiled, effect: Effect | undefined): void => {
    rows[part]!.push({
      what: `${(transports ?? ['default']).join('+')}, ${spoiled.moment}: ${shown(spoiled.frame!)}`,
      transports,
      spoiled,
      effect
    })
  }
  MALFORMED.forEach(({ frame, effect }, at) => {
    for (const [part, transports] of [
      [at % 2, undefined],
      [(at + 1) % 2, POLLING]
    ] as const) {
      const isOpen = BAD_OPENS.includes(String(frame))
      // Two handshakes are as wrong as one that cannot be used, so before the open packet, or in its place, each of
      // them ends the attempt.
      if (fullRun || isOpen || at % 8 < 2)
        add(part, transports, { moment: 'before open', frame, instead: isOpen }, 'ends')
      add(part, transports, { moment: 'before CONNECT', frame }, effect['before CONNECT'])
      add(part, transports, { moment: 'in session', frame }, effect['in session'])
    }
  })
  for (const { frame, effect } of MALFORMED_BODIES) {
    add(0, POLLING, { moment: 'before open', frame, body: true }, 'ends')
    add(0, POLLING, { moment: 'before CONNECT', frame, body: true }, effect['before CONNECT'])
    add(0, POLLING, { moment: 'in session', frame, body: true }, effect['in session'])
  }
  // The upgrade fails; whether the session goes on over polling or begins anew is all the same.
  for (const frame of BAD_PROBES) add(0, BOTH, { moment: 'probe', frame }, undefined)
  return rows
}

/**
 * Every redirect of every request; in `npm test` each request with each status and each location, though not with every
 * pair of them.
 */
function redirectRows(foreign: string): Row[] {
  const statuses = [301, 302, 303, 307, 308]
  const locations = [
    undefined,
    '',
    'http://[',
    '//',
    'http://127.0.0.1:99999/',
    '/elsewhere',
    '?redirected=1',
    'own',
    `${foreign}/base`,
    'file:///etc/passwd'
  ]
  const rows: Row[] = []
  for (const request of ['handshake', 'poll', 'post', 'upgrade'] as RedirectedRequest[]) {
    for (const [row, status] of statuses.entries()) {
      for (const location of locations.filter((_, column) => fullRun || (row + column) % statuses.length === 0)) {
        const transports = request === 'upgrade' ? WEBSOCKET : POLLING
        rows.push({
          what: `${request} answered ${status} with ${location ?? 'no location'}`,
          transports,
          spoiled: { redirect: { request, status, location } },
          effect: 'ends'
        })
      }
    }
  }
  return rows
}

/** What happened instead of what was to happen; null when all is well. */
function problemOf(
  row: Row,
  outcome: GatewayOutcome | undefined,
  { attempts, commands }: { attempts: number; commands: number }
): string | null {
  if (outcome === undefined) return `${row.what}: not tried any more`
  const { connect, errors, invalid, disconnects, uncaught, leaked, back } = outcome
  const typed = [...errors, ...invalid, ...(connect === 'true' ? [] : [connect])].every((code) =>
    /^(BRIDGE|INPUT)_[A-Z_]+$/.test(code)
  )
  const effect: Effect = attempts > 1 ? 'ends' : invalid.length > 0 ? 'reported' : 'ignored'
  const problems = [
    uncaught.length > 0 && `uncaught ${uncaught.join(' | ')}`,
    !back && 'never came back',
    !typed && 'an error without a code of ours',
    leaked && 'the token is in an error',
    connect !== 'true' && connect !== 'BRIDGE_CONNECT' && `connect() ended with ${connect}`,
    row.effect !== undefined && effect !== row.effect && `${effect}, expected ${row.effect}`,
    attempts > 2 && `${attempts} attempts`,
    commands > 2 && `${commands} commands`,
    // One for the connection that was lost, one for disconnect() at the end.
    disconnects > 2 && `${disconnects} disconnects`
  ].filter((problem) => problem !== false)
  return problems.length === 0
    ? null
    : `${row.what}: ${problems.join('; ')} ${JSON.stringify({ connect, errors, invalid })}`
}

describe('gateway faults at the level of packets', () => {
  it('has a table of more than sixty malformed packets, all different', () => {
    const names = MALFORMED.map(({ frame }) => (typeof frame === 'string' ? frame : `bytes ${frame.toString('hex')}`))
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    expect(names.length).toBeGreaterThan(60)
  })

  faultRow(
    {
      row: 46,
      repeats: 8,
      timeout: 240_000,
      fault:
        'malformed engine.io and socket.io packets from a gateway before open, before CONNECT, in session and as the answer to a probe, over WebSockets and polling; requests redirected with every kind of Location',
      expected:
        'nothing escapes into the process: a typed connect error, or a packet that is reported and skipped; autoReconnect goes on; no redirect is followed, no header reaches another origin'
    },
    async ({ index, injected, wire }) => {
      let foreignRequests = 0
      const foreign = createServer((_request, response) => {
        foreignRequests++
        response.end()
      })
      await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
      const gateway = await new PacketGateway().start()
      const [first, second] = packetRows()
      const redirects = redirectRows(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}`)
      // The repetitions share the table; the first eight take every packet and every redirect.
      const rows = (index % 16 < 8 ? [...first, ...redirects] : second).filter((_, at) => at % 8 === index % 8)
      const cases = rows.map(({ transports, spoiled }, at): GatewayCase => {
        gateway.add(`c${at}`, spoiled)
        return { name: `c${at}`, url: `${gateway.origin}/base`, path: `/c${at}/`, transports }
      })
      const peer = await ClientPeer.start('gateways', { cases, secret: SECRET })
      try {
        injected(rows.length)
        const outcomes = await peer.hear<GatewayOutcome[]>('result', 200_000)
        const problems = rows
          .map((row, at) => problemOf(row, outcomes[at], gateway.counts(`c${at}`)))
          .filter((problem) => problem !== null)
        expect(problems).toEqual([])
        // Nothing keeps the client alive, and nothing ended it before.
        expect(await peer.ended()).toEqual({ code: 0, signal: null })
        wire('requests that followed a redirect', gateway.strays, 0)
        wire('requests at another origin', foreignRequests, 0)
        wire('cases that came back', outcomes.filter(({ back }) => back).length, rows.length)
      } finally {
        await peer.stop()
        await gateway.stop()
        await new Promise<void>((resolve) => {
          foreign.close(() => resolve())
          foreign.closeAllConnections()
        })
      }
    }
  )
})
