// 20,000 clients of an address each, every one a socket of its own, at two edges over Redis: what the page on scale
// measures before it calculates. The head is that of the gateway's bench, so each of its 240 addresses has 83 clients: a
// payment is told to 83 of them, 4,150 a second. About a minute. Needs redis-server in the PATH and 20,000 open files.
import { measure, startRedis } from './support/gatewayRun.mjs'

const CLIENTS = 20_000
const EDGES = 2

export async function run() {
  const redis = await startRedis()
  if (redis === null)
    throw new Error('redis-server is not in the PATH; install it (Debian: apt-get install redis-server)')
  try {
    const load = await measure({ mode: 'address', count: CLIENTS, edges: EDGES, redis: redis.url })
    console.error(
      JSON.stringify(load, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value), 2)
    )
    return rows(load)
  } finally {
    await redis.stop()
  }
}

function rows({ p50, p99, delivered, repeated, memory, cpu }) {
  const row = (name, unit, ours, target, pass) => ({
    name: `20,000 clients, two edges over Redis: ${name}`,
    unit,
    ours,
    rival: null,
    rivalName: null,
    ratio: null,
    target,
    pass
  })
  return [
    row('share delivered', '', delivered, '1', delivered === 1),
    row('snapshots told twice', '', repeated, '0', repeated === 0),
    row('a snapshot, median', 'ms', p50, 'reported', true),
    row('p99 of a snapshot', 'ms', p99, '< 500 ms', p99 < 500),
    row('one core is busy for, each edge', '%', cpu * 100, 'reported', true),
    row('memory of a client', 'KB', memory / 1_024, '<= 40 KB', memory / 1_024 <= 40)
  ]
}
