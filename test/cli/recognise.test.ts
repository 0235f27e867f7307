import { main } from '../../src/cli/main'
import type { RunningDevNode } from '../../src/devnode'
import { startDevNode } from '../../src/devnode'
import { depositAddress } from '../../src/devnode/inner'
import { submitDeposit } from '../devnode/harness'

const NONE = 'ab'.repeat(28)

interface Run {
  code: number
  out: string[]
  errors: string[]
}

/** Runs the command in this process; `until` ends a watch. */
async function run(args: readonly string[], until: (run: Run) => boolean = () => true): Promise<Run> {
  const found: Run = { code: -1, out: [], errors: [] }
  found.code = await main(['recognise', ...args], {
    version: '1.2.3',
    out: (text) => found.out.push(text),
    error: (text) => found.errors.push(text),
    stopped: async () => {
      while (!until(found)) await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
  return found
}

describe('layer-sdk recognise', () => {
  let node: RunningDevNode
  let options: string[]
  const wallet = (): string => node.keys[0]!.address
  const indexer = (): string[] => ['--provider', node.indexerUrl!]
  const kupo = (): string[] => ['--kupo', node.kupoUrl!]

  beforeAll(async () => {
    const probe = await startDevNode({ port: 0 })
    const { address } = probe.keys[0]!
    await probe.stop()
    node = await startDevNode({
      port: 0,
      open: true,
      accumulator: 'real',
      inHead: [{ address, lovelace: 20_000_000 }],
      timings: { depositDelayMs: 60_000, depositPeriodMs: 600_000 }
    })
    options = [node.headId!, '--endpoint', node.httpUrl, '--address', address]
    // The head's output on the base ledger follows a block after the snapshot.
    const isSettled = async (): Promise<boolean> => (await run([...options, ...kupo()])).out.join().includes('settled')
    while (!(await isSettled())) await new Promise((resolve) => setTimeout(resolve, 20))
  })
  afterAll(() => node.stop())

  it('shows what the wallet has in the head and by what it is proven, over both sources', async () => {
    for (const source of [indexer(), kupo()]) {
      const { code, out, errors } = await run([...options, ...source])
      expect([code, errors]).toEqual([0, []])
      expect(out.join('\n')).toMatch(
        /^State {6}VERIFIED_IN_HEAD\nHead {7}[0-9a-f]{56}\nAvailable {2}20 ada\nSnapshot {3}1 \(version 0\)\nEvidence {3}head output [0-9a-f]{64}#0, 1 signatures by rule 2\.4, outputs recomputed, version settled, backed, beyond the text: U1\nEndpoint {3}http:\/\/127\.0\.0\.1:\d+ {2}verified\nAs of {6}\S+Z, slot \d+$/
      )
    }
    const { out } = await run([...options, ...kupo(), '--json'])
    expect(JSON.parse(out.join())).toMatchObject({
      state: 'VERIFIED_IN_HEAD',
      inHead: { available: [{ unit: 'lovelace', quantity: '20000000' }], complete: true },
      evidence: { signatures: 1, set: 'recomputed' }
    })
  })

  it('ends with 1 where it cannot verify, and with 0 where there is no head', async () => {
    expect(await run([...options, ...kupo(), '--strict'])).toMatchObject({
      code: 1,
      out: [expect.stringMatching(/^State {6}UNVERIFIABLE: stale\n/)]
    })
    const silent = [node.headId!, '--endpoint', 'http://127.0.0.1:9', '--address', wallet(), ...kupo()]
    expect(await run(silent)).toMatchObject({ code: 1, out: [expect.stringContaining('unreachable')] })
    const none = await run([NONE, ...options.slice(1), ...indexer()])
    expect([none.code, none.out.join()]).toEqual([0, expect.stringMatching(/^State {6}NO_HEAD\nHead/)])
  })

  it('ends with 1 where the base ledger does not answer: that is no answer about the head', async () => {
    const { code, out, errors } = await run([...options, '--kupo', 'http://127.0.0.1:9'])
    expect([code, out, errors.length]).toEqual([1, [], 1])
    const { code: watched, errors: told } = await run([...options, '--kupo', 'http://127.0.0.1:9', '--watch'])
    expect([watched, told.length]).toEqual([1, 1])
  }, 60_000)

  it('lists the deposits of the wallet with the time from which they can be recovered', async () => {
    const [utxo] = node.baseUtxos(wallet())
    const txId = await submitDeposit(node, node.keys[0]!, utxo!)
    const source = [...indexer(), '--deposit-address', depositAddress(0)]
    const lines = async (): Promise<string> => (await run([...options, ...source])).out.join()
    while (!(await lines()).includes('Deposit')) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await lines()).toMatch(
      new RegExp(`\\nDeposit {4}${txId} {2}[\\d,]+ ada {2}waiting, recoverable from \\S+Z\\n`)
    )
  })

  it('prints each change with --watch until it is ended, and ends with the code of the last answer', async () => {
    let isMuted = false
    const { code, out } = await run(
      [...options, ...kupo(), '--watch', '--interval', '50', '--json'],
      ({ out: lines }) => {
        // The endpoint shows another form of snapshot from now on.
        if (!isMuted) node.faults.unknownSnapshotForm = true
        isMuted = true
        return lines.length === 2
      }
    )
    node.faults.unknownSnapshotForm = false
    expect([code, out.map((line) => JSON.parse(line).reason)]).toEqual([1, [null, 'newer-version']])
    expect(JSON.parse(out[1]!)).toMatchObject({ state: 'UNVERIFIABLE', lastVerified: { snapshot: { number: 1 } } })
  }, 60_000)

  it.each([
    [[], 'recognise needs one HEADID'],
    [['AB'.repeat(28)], 'recognise needs one HEADID'],
    [[NONE, NONE], 'recognise needs one HEADID'],
    [[NONE], '--address is missing'],
    [[NONE, '--address', 'nobody', '--endpoint', 'http://127.0.0.1:9', '--kupo', 'x'], 'not a valid Cardano address'],
    [[NONE, '--address', 'WALLET'], '--endpoint is missing'],
    [[NONE, '--address', 'WALLET', '--endpoint', 'http://127.0.0.1:9'], '--provider or --kupo'],
    [
      [NONE, '--address', 'WALLET', '--endpoint', 'http://127.0.0.1:9', '--kupo', 'http://a', '--provider', 'http://b'],
      'one of them'
    ],
    [[NONE, '--address', 'WALLET', '--endpoint', 'http://127.0.0.1:9', '--kupo', 'nowhere'], 'baseUrl'],
    [[NONE, '--address', 'WALLET', '--endpoint', 'ftp://x', '--kupo', 'http://127.0.0.1:9'], 'endpoints'],
    [
      [NONE, '--address', 'WALLET', '--endpoint', 'http://x', '--kupo', 'http://x', '--network', 'x'],
      '--network needs'
    ],
    [
      [NONE, '--address', 'WALLET', '--endpoint', 'http://x', '--kupo', 'http://x', '--network', 'mainnet'],
      'of another network than mainnet'
    ],
    [['--interval', '0', '--watch'], 'recognise needs one HEADID'],
    [
      [NONE, '--address', 'WALLET', '--endpoint', 'http://x', '--kupo', 'http://x', '--interval', '5'],
      '--interval needs at least 1 ms, and --watch.'
    ],
    [[NONE, '--watsh'], "Unknown option '--watsh'. Did you mean --watch?"]
  ])('%j is explained in a sentence, with exit code 2', async (args, sentence) => {
    const { code, out, errors } = await run(args.map((each) => (each === 'WALLET' ? wallet() : each)))
    expect([code, out, errors]).toEqual([2, [], [expect.stringContaining(sentence), 'Try: layer-sdk recognise --help']])
  })
})
