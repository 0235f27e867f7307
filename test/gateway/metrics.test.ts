import { createGateway, memoryLog } from 'layer-sdk/gateway'
import type { GatewayLog } from 'layer-sdk/gateway'
import { ready, serve, until } from './support'
import type { Served } from './support'

/** What docs/guides/gateway.md promises of `/metrics`. */
const NAMES = [
  'clients',
  'messages_total',
  'bytes_total',
  'lag_seconds',
  'log_delay_seconds',
  'verdicts_total',
  'refusals_total',
  'drops_total',
  'resyncs_total',
  'log_readable',
  'lease_held'
]

describe('the metrics of a gateway', () => {
  let served: Served
  beforeAll(async () => {
    served = await serve({ metrics: { port: 0 } })
  })
  afterAll(() => served.stop())

  const read = async (): Promise<{ text: string; value: (name: string) => number }> => {
    const text = await (await fetch(served.gateway.metricsUrl!)).text()
    return {
      text,
      value: (name) =>
        Number(new RegExp(`^layer_gateway_${name.replace(/[{}"/]/g, '\\$&')} (.+)$`, 'm').exec(text)?.[1])
    }
  }

  it('have every figure of the guide, each with its help, in the form that Prometheus reads', async () => {
    const { text } = await read()
    for (const name of NAMES)
      expect(text).toMatch(
        new RegExp(`^# HELP layer_gateway_${name} .+\\n# TYPE layer_gateway_${name} (gauge|counter)$`, 'm')
      )
    for (const line of text.trim().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? \d+(\.\d+)?(e-?\d+)?)$/)
  })

  it('count a payment of a client, and say what its snapshot took to the sockets and through the log', async () => {
    const { head } = served
    const bridge = await served.bridge({ mode: 'delta' })
    const before = await read()
    expect(
      await bridge.submitTxSync(await head.payment(head.wallets[1]!.getAddressBech32(), 2_000_000n))
    ).toMatchObject({ isConfirmed: true })
    await until(
      'the snapshot is counted',
      async () => (await read()).value('verdicts_total{outcome="confirmed"}') === 1
    )
    const { value } = await read()
    expect(value('clients{head="/",mode="delta"}')).toBe(1)
    expect(value('lease_held{head="/"}')).toBe(1)
    expect(value('messages_total')).toBeGreaterThan(before.value('messages_total'))
    expect(value('bytes_total') - before.value('bytes_total')).toBeGreaterThan(500)
    expect(value('snapshot_number{head="/"}')).toBe(bridge.lastSnapshotNumber)
    for (const name of ['lag_seconds{head="/"}', 'log_delay_seconds{head="/"}']) {
      expect(value(name)).toBeGreaterThanOrEqual(0)
      expect(value(name)).toBeLessThan(30)
    }
  })

  it('show the delay of a log that is slow', async () => {
    const log = memoryLog()
    const slow: GatewayLog = {
      ...log,
      async append(...args) {
        await new Promise((resolve) => setTimeout(resolve, 300))
        return log.append(...args)
      }
    }
    const gateway = await createGateway({
      port: 0,
      log: slow,
      metrics: { port: 0 },
      heads: [{ path: '/', upstream: served.head.node.url }]
    })
    try {
      await ready(gateway)
      const text = await (await fetch(gateway.metricsUrl!)).text()
      expect(Number(/^layer_gateway_log_delay_seconds\{head="\/"\} (.+)$/m.exec(text)![1])).toBeGreaterThanOrEqual(0.29)
    } finally {
      await gateway.stop()
      await log.close()
    }
  })
})
