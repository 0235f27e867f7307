// The gateway under load, beside a node that sends everything to everybody: snapshots of 106 KB five times a second, 50
// payments a second. Each part of it, node, gateway and clients, is a process of its own. About two minutes. The rows
// over Redis need redis-server in the PATH.
import { measure, startRedis } from './support/gatewayRun.mjs'

const LOADS = {
  direct: { mode: 'direct', count: 1_000, edges: 0 },
  address: { mode: 'address', count: 1_000, edges: 1 },
  delta: { mode: 'delta', count: 1_000, edges: 1 },
  address5000: { mode: 'address', count: 5_000, edges: 1 }
}
/** Rows that are near their goals: judged by the median of this many runs. */
const RUNS = 3
const REPEATED = ['address', 'address5000']
const REDIS_LOADS = {
  deltaRedis: { mode: 'delta', count: 1_000, edges: 2 },
  delta2000Redis: { mode: 'delta', count: 2_000, edges: 2 }
}

export async function run() {
  const measured = {}
  for (const [name, load] of Object.entries(LOADS)) {
    const runs = []
    while (runs.length < (REPEATED.includes(name) ? RUNS : 1)) runs.push(await measure(load))
    measured[name] = { ...runs[0], runs }
  }
  const redis = await startRedis()
  try {
    if (redis !== null)
      for (const [name, load] of Object.entries(REDIS_LOADS))
        measured[name] = await measure({ ...load, redis: redis.url })
  } finally {
    await redis?.stop()
  }
  // What the page on sizing is written from.
  console.error(
    JSON.stringify(measured, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value), 2)
  )
  return rows(measured)
}

/** Bytes of one more client: what 5,000 have more than 1,000, in each run. */
const marginal = (few, many) =>
  many.runs.map(({ memory }, i) => (memory * 5_000 - few.runs[i].memory * 1_000) / 4_000 / 1_024)

/** A row's figure and its spread. */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return { middle: sorted[Math.floor(sorted.length / 2)], spread: [sorted[0], sorted.at(-1)] }
}

function rows({ direct, address, delta, address5000, deltaRedis = null, delta2000Redis = null }) {
  const of3 = (name, unit, values, target, holds) => {
    const { middle, spread } = median(values)
    return { ...alone(`${name}, median of ${values.length} runs`, unit, middle, target, holds), spread }
  }
  const against = (name, unit, ours, rival, rivalName, target, holds) => {
    const ratio = ours === null || rival === null ? null : ours / rival
    return {
      name: `Gateway: ${name}`,
      unit,
      ours,
      rival,
      rivalName,
      ratio,
      target,
      pass: ours !== null && holds(ours, ratio)
    }
  }
  const alone = (name, unit, ours, target, holds) => against(name, unit, ours, null, null, target, holds)
  const DIRECT = 'direct broadcast'
  const needs = redisNote(deltaRedis)
  return [
    against(
      'p99 of a snapshot, 1,000 clients of an address each',
      'ms',
      address.p99,
      direct.p99,
      DIRECT,
      'reported',
      () => true
    ),
    of3(
      'p99 of a snapshot, 5,000 clients of an address each',
      'ms',
      address5000.runs.map(({ p99 }) => p99),
      '<= 50 ms',
      (ms) => ms <= 50
    ),
    of3(
      'memory of one more client, 5,000 against 1,000',
      'KB',
      marginal(address, address5000),
      '<= 20 KB',
      (kb) => kb <= 20
    ),
    against(
      'p99 of a snapshot, 1,000 clients of deltas',
      'ms',
      delta.p99,
      direct.p99,
      DIRECT,
      '< 500 ms',
      (ms) => ms < 500
    ),
    against(
      'share delivered, 1,000 clients of an address each',
      '',
      address.delivered,
      direct.delivered,
      DIRECT,
      '1',
      (share) => share === 1
    ),
    against(
      'share delivered, 1,000 clients of deltas',
      '',
      delta.delivered,
      direct.delivered,
      DIRECT,
      '1',
      (share) => share === 1
    ),
    against(
      `p99 of a snapshot, 1,000 clients of deltas, two edges over Redis${needs}`,
      'ms',
      deltaRedis?.p99 ?? null,
      delta.p99,
      'one process',
      '<= 1.5 x',
      (_, ratio) => ratio <= 1.5
    ),
    alone(
      `p99 of a snapshot, 2,000 clients of deltas, two edges over Redis${needs}`,
      'ms',
      delta2000Redis?.p99 ?? null,
      '< 500 ms',
      (ms) => ms < 500
    )
  ]
}

const redisNote = (measured) => (measured === null ? ' (needs redis-server)' : '')
