import { connect } from 'node:net'
import { createGateway } from 'layer-sdk/gateway'
import { startDevNode } from 'layer-sdk/devnode'
import { Troubles } from '../../src/gateway/Troubles'

const heads = (upstream: string): { path: string; upstream: string }[] => [{ path: '/', upstream }]

describe('the start of a gateway', () => {
  it('resolves once every head is served', async () => {
    const node = await startDevNode({ port: 0, rpcPort: null, open: true })
    const gateway = await createGateway({ port: 0, heads: heads(node.url) })
    expect([(await fetch(`${gateway.url}/health/ready`)).status, gateway.reasons]).toEqual([200, []])
    await gateway.stop()
    await node.stop()
    expect(gateway.reasons).toEqual(['the gateway is stopping'])
  })

  it('rejects with the reasons when a head is not served in time, and has stopped then', async () => {
    const lines: string[] = []
    const note = (line: string): void => void lines.push(line)
    const failed = createGateway({
      port: 5_871,
      heads: heads('ws://127.0.0.1:1/?key=SECRET'),
      readyTimeout: 300,
      logger: { info: note, warn: note }
    })
    const error: unknown = await failed.catch((reason: unknown) => reason)
    const reason = 'head /: the node cannot be reached (ECONNREFUSED)'
    expect(error).toMatchObject({ code: 'GATEWAY_NOT_READY', timeout: 300, reasons: [reason] })
    expect((error as Error).cause).toMatchObject({ code: 'BRIDGE_CONNECT' })
    expect(lines.filter((line) => line.includes('cannot'))).toEqual([reason])
    expect(JSON.stringify([lines, String(error)])).not.toContain('SECRET')
    const refused = await new Promise((resolve) =>
      connect(5_871, '127.0.0.1')
        .once('error', () => resolve(true))
        .once('connect', () => resolve(false))
    )
    expect(refused).toBe(true)
  })

  it('resolves at once where nothing is waited for, and says what is missing', async () => {
    const gateway = await createGateway({ port: 0, heads: heads('ws://127.0.0.1:1'), readyTimeout: 0 })
    const response = await fetch(`${gateway.url}/health/ready`)
    expect([response.status, await response.text()]).toEqual([503, ['unready', ...gateway.reasons].join('\n')])
    expect(gateway.reasons).toHaveLength(1)
    await gateway.stop()
  })

  it.each([-1, 0.5, NaN, 2 ** 31, '10'])('refuses to wait for %p', async (readyTimeout) => {
    await expect(
      createGateway({ port: 0, heads: heads('ws://127.0.0.1:1'), readyTimeout: readyTimeout as number })
    ).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT',
      argument: 'readyTimeout'
    })
  })
})

describe('the troubles of a head', () => {
  it('are reported when they begin and when they end, and not again within a minute', () => {
    jest.useFakeTimers()
    const lines: string[] = []
    const note = (line: string): void => void lines.push(line)
    const troubles = new Troubles('head /', { info: note, warn: note })
    const fail = (code: string): void => troubles.begin('log', { code })
    for (let n = 0; n < 3; n++) fail('EIO')
    troubles.end('log')
    fail('EIO')
    expect(troubles.reasonOf('log')).toBe('the log cannot be used (EIO)')
    troubles.end('log')
    jest.advanceTimersByTime(60_000)
    fail('EIO')
    troubles.end('log')
    fail('ENOSPC')
    const begun = (code: string): string => `head /: the log cannot be used (${code})`
    const ended = 'head /: the log can be used again'
    expect(lines).toEqual([begun('EIO'), ended, begun('EIO'), ended, begun('ENOSPC')])
    jest.useRealTimers()
  })
})
