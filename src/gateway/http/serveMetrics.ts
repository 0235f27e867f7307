import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GatewayPortError } from '../../errors/gateway.js'
import { isKnownHost } from '../access/isKnownHost.js'
import type { Core } from '../core/Core.js'
import type { HeadEdge } from '../edge/HeadEdge.js'
import type { Sockets } from '../edge/Sockets.js'
import type { Metrics } from '../Metrics.js'

/** Sources of the metrics. */
export interface Measured {
  readonly metrics: Metrics
  readonly edges: readonly HeadEdge[]
  readonly cores: readonly Core[]
  readonly sockets: Sockets
}

const HOST = '127.0.0.1'
const MODES = ['plain', 'full', 'delta', 'address'] as const

/** Serves `/metrics` to the local machine only. */
export async function serveMetrics(
  port: number,
  measured: Measured
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (!isKnownHost(request.headers.host)) return void response.writeHead(403).end()
    if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(metricsText(measured))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new GatewayPortError(HOST, port, error.code ?? 'unknown', error))
    )
    server.listen(port, HOST, resolve)
  })
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** Returns the metrics in the text format of Prometheus; the only labels from outside are the paths of heads. */
export function metricsText({ metrics, edges, cores, sockets }: Measured): string {
  const lines: string[] = []
  const add = (
    name: string,
    type: 'gauge' | 'counter',
    help: string,
    values: readonly (readonly [labels: string, value: number])[]
  ): void => {
    lines.push(`# HELP layer_gateway_${name} ${help}`, `# TYPE layer_gateway_${name} ${type}`)
    for (const [labels, value] of values) lines.push(`layer_gateway_${name}${labels} ${value}`)
  }
  add('connections', 'gauge', 'Clients that have joined.', [['', sockets.count]])
  add(
    'clients',
    'gauge',
    'Clients by head and mode.',
    edges.flatMap(({ context: { path }, fanout: { rooms } }) =>
      MODES.map((mode) => [`{head="${path}",mode="${mode}"}`, rooms[mode].size] as const)
    )
  )
  add('messages_total', 'counter', 'Messages sent.', [['', metrics.messages]])
  add('bytes_total', 'counter', 'Bytes of messages sent.', [['', metrics.bytes]])
  add('refusals_total', 'counter', 'Joins and commands refused.', [['', metrics.refusals]])
  add('drops_total', 'counter', 'Clients that fell behind.', [['', metrics.drops]])
  add('resyncs_total', 'counter', 'Whole snapshots sent besides the first.', [['', metrics.resyncs]])
  add('unreadable_records_total', 'counter', 'Records of the log that could not be read or followed.', [
    ['', metrics.unreadable]
  ])
  add(
    'verdicts_total',
    'counter',
    'Submissions by their end.',
    Object.entries(metrics.verdicts).map(([outcome, count]) => [`{outcome="${outcome}"}`, count])
  )
  add(
    'submissions',
    'gauge',
    'Submissions under way.',
    edges.map(({ context, submissions }) => [`{head="${context.path}"}`, submissions.underWay])
  )
  add(
    'upstream_connected',
    'gauge',
    'Whether the node is connected.',
    edges.map(({ context, view }) => [`{head="${context.path}"}`, view.head.connected ? 1 : 0])
  )
  add(
    'log_readable',
    'gauge',
    'Whether the log can be read.',
    edges.map(({ context, reading }) => [`{head="${context.path}"}`, reading ? 1 : 0])
  )
  add(
    'log_delay_seconds',
    'gauge',
    'What the newest record took from the core to this process.',
    edges.map(({ context, logDelayMs }) => [`{head="${context.path}"}`, logDelayMs / 1_000])
  )
  add(
    'lag_seconds',
    'gauge',
    'What the newest snapshot took from the core to the sockets of its clients.',
    edges.map(({ context, lagMs }) => [`{head="${context.path}"}`, lagMs / 1_000])
  )
  add(
    'snapshot_number',
    'gauge',
    'Number of the newest snapshot.',
    edges.map(({ context, view }) => [`{head="${context.path}"}`, view.head.position?.number ?? 0])
  )
  add(
    'unknown_rule',
    'gauge',
    'Whether the node is newer than the signatures that this package knows.',
    edges.map(({ context, rule }) => [`{head="${context.path}"}`, rule.unknown === null ? 0 : 1])
  )
  add(
    'lease_held',
    'gauge',
    'Whether this process is the core.',
    cores.map(({ name, active }) => [`{head="${name}"}`, active ? 1 : 0])
  )
  return `${lines.join('\n')}\n`
}
