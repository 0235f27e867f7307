import { join as joinClient, until } from '../gateway/support'
import { describeWithRedis, RedisServer } from '../gateway/log/RedisServer'
import { CliProgram } from '../support/cliProgram'
import type { ProgramRun } from '../support/cliProgram'
import { codeBlocks } from '../support/markdown'
import { startHead } from '../support/openHead'
import type { Head } from '../support/openHead'

/** The commands of the guide that start processes with roles, as arguments of `layer-sdk`. */
const commands = codeBlocks('docs/guides/gateway.md')
  .filter(({ language, code }) => language === 'sh' && code.includes('--role'))
  .map(({ code }) => /layer-sdk (gateway .+)$/.exec(code.trim())![1]!.split(' '))

describeWithRedis('the processes that the guide "Scaling out" starts', () => {
  const program = new CliProgram()
  let redis: RedisServer
  let head: Head
  let runs: { role: string; url: string; run: ProgramRun }[]

  beforeAll(async () => {
    await program.build()
    redis = await new RedisServer().start()
    head = await startHead()
    runs = await Promise.all(
      commands.map(async (args) => {
        const actual = args.map((each, i) => {
          if (args[i - 1] === '--head') return head.node.url
          if (args[i - 1] === '--redis') return redis.url
          return args[i - 1] === '--port' ? '0' : each
        })
        const run = program.launch(...actual)
        const line = await run.line(/^layer-sdk gateway \S+ http/)
        return { role: args[args.indexOf('--role') + 1]!, url: line.split(' ').at(-1)!, run }
      })
    )
  }, 120_000)
  afterAll(async () => {
    for (const { run } of runs) run.kill('SIGKILL')
    await Promise.all(runs.map(({ run }) => run.exit))
    await head.stop()
    await redis.stop()
    program.remove()
  }, 60_000)

  const edges = (): string[] => runs.filter(({ role }) => role === 'edge').map(({ url }) => url)
  const ready = (url: string): Promise<void> =>
    until('it is ready', async () => (await fetch(`${url}/health/ready`)).status === 200, 60_000)
  const pay = async (lovelace: bigint): Promise<number> => {
    await head.bridge.submitTxSync(await head.payment(head.wallets[1]!.getAddressBech32(), lovelace))
    return head.bridge.lastSnapshotNumber
  }

  it('are two cores and three edges, and every edge serves the head', async () => {
    expect(runs.map(({ role }) => role)).toEqual(['core', 'core', 'edge', 'edge', 'edge'])
    await Promise.all(edges().map(ready))
    const number = await pay(1_000_000n)
    for (const url of edges()) {
      await until(
        'the snapshot has come',
        async () => ((await (await fetch(`${url}/hydra/snapshot/last-seen`)).json()) as any).data.lastSeen === number
      )
    }
  }, 120_000)

  it('lose nothing when an edge, the core and Redis are killed', async () => {
    const [first, second] = edges() as [string, string]
    const client = await joinClient(`${first}/hydra`, { mode: 'delta' })
    const { headId, number } = await client.tagged('GatewaySnapshot')
    runs.find(({ url }) => url === first)!.run.kill('SIGKILL')
    await until('the socket is gone', () => !client.socket.connected)
    await pay(1_100_000n)
    const again = await joinClient(`${second}/hydra`, { mode: 'delta', since: { headId, number } })
    await until('what was missed', () =>
      again.events.some(({ data }) => data.delta?.number === head.bridge.lastSnapshotNumber)
    )
    expect(again.events.filter(({ data }) => data.tag === 'GatewaySnapshot')).toEqual([])

    const core = runs.find(({ role, run }) => role === 'core' && run.lines.some((line) => line.includes('lease')))!
    core.run.kill('SIGKILL')
    const afterCore = await pay(1_200_000n)
    // The lease of the one that was killed runs out after 10 seconds.
    await until(
      'the next core has caught up',
      () => again.events.some(({ data }) => data.delta?.number === afterCore),
      60_000
    )

    await redis.kill()
    await until('it is not ready', async () => (await fetch(`${second}/health/ready`)).status === 503, 30_000)
    expect(again.socket.connected).toBe(true)
    await redis.start()
    await ready(second)
    const last = await pay(1_300_000n)
    await until(
      'the last snapshot',
      () => again.events.some(({ data }) => data.delta?.number === last || data.number === last),
      60_000
    )
    const steps = again.events
      .filter(({ data }) => data.tag === 'SnapshotConfirmed')
      .map(({ data }) => data.delta.number as number)
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b))
    again.socket.disconnect()
  }, 240_000)

  it('drain when they are told to stop', async () => {
    const { run } = runs.find(({ url }) => url === edges().at(-1))!
    run.kill('SIGTERM')
    expect(await run.exit).toBe(0)
    expect(run.lines.at(-1)).toBe('Stopped.')
  }, 60_000)
})
