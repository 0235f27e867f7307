import type { ConfirmedSnapshot } from '../../bridge/inner.js'
import { versionEvidence, versionWarning } from '../../bridge/inner.js'
import type { HeadClient } from '../../client/index.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, inOneLine, parseOptions } from '../usage.js'
import { expectationsOf, readExpected } from './expectations.js'
import { NODE_OPTIONS, payingClient, readKeyFile, timeoutOf, urlOf, withHead } from './headConnection.js'

const OPTIONS = {
  ...NODE_OPTIONS,
  pay: { type: 'string' },
  expect: { type: 'string' },
  'network-id': { type: 'string' }
} as const

/** Check of one route or message of the node that the package relies on. */
interface Check {
  readonly name: string
  /** Resolves with the result as text; rejects when the check fails. */
  run(): Promise<string>
}

/**
 * `layer-sdk compat`: checks a node's routes and messages with the decoders of this package, and prints the results.
 */
export async function compat(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, OPTIONS)
  const timeoutMs = timeoutOf(values)
  const key = values.pay === undefined ? null : readKeyFile(values.pay, values['network-id'] === '1' ? 1 : 0)
  const expected = values.expect === undefined ? {} : readExpected(values.expect)
  const report = new Report(terminal, values.json === true)
  try {
    await withHead(values, timeoutMs, async (client) => {
      client.bridge.events.on('onProtocolError', (error) => report.failed('message', error))
      const { nodeVersion } = client.status()
      report.held('connect', `node ${nodeVersion ?? 'of an unknown version'}: ${versionEvidence(nodeVersion)}`)
      const warning = versionWarning(nodeVersion)
      if (warning !== null) report.warned('version', warning)
      for (const check of readingChecks(client)) await report.run(check)
      const node = { url: urlOf(values), timeoutMs }
      for (const check of expectationsOf(expected, client, node)) await report.run(check)
      if (key === null) return
      const address = key.getAddressBech32()
      await report.run({
        name: 'pay',
        run: async () =>
          `confirmed in snapshot ${(await (await payingClient(client, key)).pay({ to: address, amount: 2_000_000n })).snapshotNumber}`
      })
    })
  } finally {
    key?.dispose()
  }
  report.finish()
}

function readingChecks({ bridge }: HeadClient): Check[] {
  const { headStatus } = bridge
  const checks: Check[] = [
    { name: 'headInfo', run: async () => head(await bridge.headInfo()) },
    { name: 'getProtocolParameters', run: async () => `min_fee_a ${(await bridge.getProtocolParameters()).min_fee_a}` },
    {
      name: 'getRawProtocolParameters',
      run: async () => {
        const models = Object.entries((await bridge.getRawProtocolParameters()).costModels ?? {})
        return `cost models ${models.map(([name, model]) => `${name} ${Object.keys(model as object).length}`).join(', ')}`
      }
    },
    { name: 'pendingDeposits', run: async () => String((await bridge.pendingDeposits()).length) }
  ]
  if (headStatus === 'Idle') return checks
  return [
    ...checks,
    { name: 'confirmedSnapshot', run: async () => snapshotNumber(await bridge.confirmedSnapshot()) },
    { name: 'inFlight', run: async () => `${(await bridge.inFlight()).txIds.length} transactions without a snapshot` },
    { name: 'querySnapshotUtxo', run: async () => `${Object.keys(await bridge.querySnapshotUtxo()).length} outputs` },
    { name: 'addressesInHead', run: async () => `${(await bridge.addressesInHead()).length} addresses` }
  ]
}

function snapshotNumber(found: ConfirmedSnapshot | null): string {
  return found?.tag === 'ConfirmedSnapshot' ? `number ${found.snapshot.number}` : 'none yet'
}

function head({ headStatus, headId }: { headStatus: string; headId: string | null }): string {
  return headId === null ? headStatus : `${headStatus}, ${headId}`
}

/** Runs checks, prints each result at once, and counts the checks that passed and failed. */
class Report {
  readonly #terminal: Terminal
  readonly #json: boolean
  #held = 0
  #failed = 0

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal
    this.#json = json
  }

  async run({ name, run }: Check): Promise<void> {
    try {
      this.held(name, await run())
    } catch (error) {
      this.failed(name, error)
    }
  }

  held(check: string, found: string): void {
    this.#held++
    this.#print(check, true, found)
  }

  /** Prints a check that passed with a warning. */
  warned(check: string, warning: string): void {
    this.#print(check, true, warning, 'warn')
  }

  failed(check: string, error: unknown): void {
    this.#failed++
    this.#print(check, false, inOneLine(error))
  }

  /** Ends the report. @throws CommandFailure when a check failed */
  finish(): void {
    const total = this.#held + this.#failed
    if (this.#failed > 0) throw new CommandFailure(`${this.#failed} of ${total} checks did not hold.`)
    if (!this.#json) this.#terminal.out(`All ${total} checks held.`)
  }

  #print(check: string, ok: boolean, found: string, mark = ok ? 'ok  ' : 'FAIL'): void {
    if (this.#json) this.#terminal.out(JSON.stringify({ check, ok, found }))
    else this.#terminal.out(`${mark}  ${check}: ${found}`)
  }
}
