import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { parseJson } from '../../codec/json.js'
import type { HeadFacts, HeadReport, PlannedStep } from '../../doctor/inner.js'
import {
  checkDecommit,
  checkHead,
  diagnose,
  verdictExitCode,
  inOrder,
  readHeadFacts,
  reportText,
  reportToJson,
  doctorVerdict
} from '../../doctor/inner.js'
import { IndexerProvider, RpcProvider } from '../../providers/index.js'
import type { Fetcher } from '../../types/provider.js'
import type { Terminal } from '../terminal.js'
import { ExitWithCode, CommandFailure, inOneLine, parseCommand, UsageError } from '../usage.js'

const OPTIONS = {
  url: { type: 'string', multiple: true },
  provider: { type: 'string' },
  fuel: { type: 'string' },
  metrics: { type: 'string' },
  before: { type: 'string' },
  facts: { type: 'string' },
  save: { type: 'string' },
  strict: { type: 'boolean' },
  json: { type: 'boolean' }
} as const

const MAX_FACTS_BYTES = 512 * 1_024 * 1_024
const MAX_FILE_BYTES = 1_024 * 1_024

/** `layer-sdk doctor`: checks if a head can be closed and paid out. It only reads, and sends no commands. */
export async function doctor(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, OPTIONS)
  const { before, txCbor } = plannedStep(values.before, positionals)
  if ((values.url === undefined) === (values.facts === undefined))
    throw new UsageError('Either --url or --facts is needed: the node, e.g. ws://127.0.0.1:4001, or saved facts.')
  const report = values.facts === undefined ? await gather(values, before) : await judge(factsOf(values.facts), before)
  if (values.save !== undefined) save(values.save, report.facts)
  const whole = txCbor === null ? report : await withDecommit(report, txCbor)
  terminal.out(values.json === true ? reportToJson(whole) : reportText(whole))
  const exitCode = verdictExitCode(whole.verdict, values.strict === true)
  if (exitCode !== 0) throw new ExitWithCode(exitCode)
}

function plannedStep(
  text: string | undefined,
  [file, ...more]: readonly string[]
): { before: PlannedStep | undefined; txCbor: string | null } {
  const needsFile = text === 'decommit'
  if (text !== undefined && text !== 'close' && text !== 'decommit')
    throw new UsageError(`--before needs close or decommit, not "${text}".`)
  if (more.length > 0 || (file !== undefined && !needsFile))
    throw new UsageError(`Unexpected argument '${more[0] ?? file}'.`)
  if (needsFile && file === undefined)
    throw new UsageError('--before decommit needs the FILE of its transaction: CBOR hex, or a text envelope.')
  return { before: text, txCbor: file === undefined ? null : txOf(file) }
}

async function gather(
  values: { url?: string[]; provider?: string; fuel?: string; metrics?: string },
  before: PlannedStep | undefined
): Promise<HeadReport> {
  const [head, ...peers] = values.url ?? []
  const provider = values.provider === undefined ? undefined : providerOfFile(values.provider)
  return checkHead({
    head: head!,
    peers,
    ...(provider && { provider }),
    ...(values.fuel !== undefined && { fuelAddress: values.fuel }),
    ...(values.metrics !== undefined && { metricsUrl: values.metrics }),
    ...(before && { before })
  })
}

async function judge(facts: HeadFacts, before: PlannedStep | undefined): Promise<HeadReport> {
  const diagnosis = await diagnose(facts, before && { before })
  const { greetings, head } = facts.nodes[0]!
  const headId = 'value' in head ? head.value.headId : 'value' in greetings ? greetings.value.headId : null
  return {
    at: facts.at,
    head: headId,
    node: 'value' in greetings ? greetings.value.nodeVersion : null,
    verdict: doctorVerdict(diagnosis.findings),
    ...diagnosis,
    facts
  }
}

async function withDecommit(report: HeadReport, txCbor: string): Promise<HeadReport> {
  // Findings of the decommit stand for those of the same codes about the head alone.
  const decommitFindings = await checkDecommit({ facts: report.facts, txCbor })
  const codes = new Set(decommitFindings.map(({ code }) => code))
  const findings = inOrder([...decommitFindings, ...report.findings.filter(({ code }) => !codes.has(code))])
  return { ...report, findings, verdict: doctorVerdict(findings) }
}

/** Reads a file of at most `maxBytes`. @throws CommandFailure that names the file, but quotes none of its text */
function read(path: string, maxBytes: number): string {
  try {
    if (statSync(path).size > maxBytes) throw new CommandFailure(`The file ${path} is larger than ${maxBytes} bytes.`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`The file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`)
  }
}

function factsOf(path: string): HeadFacts {
  return readHeadFacts(read(path, MAX_FACTS_BYTES))
}

function txOf(path: string): string {
  const text = read(path, MAX_FILE_BYTES).trim()
  if (/^[0-9a-f]+$/i.test(text)) return text
  try {
    const { cborHex } = parseJson(text) as { cborHex?: unknown }
    if (typeof cborHex === 'string') return cborHex
  } catch {
    // Named below.
  }
  throw new CommandFailure(`The file ${path} holds no transaction: CBOR hex, or JSON with cborHex.`)
}

/** Returns the base ledger provider that a JSON file describes. No error repeats its API key. @throws CommandFailure */
export function providerOfFile(path: string): Fetcher {
  const wrong = (cause?: unknown): CommandFailure =>
    new CommandFailure(
      `The file ${path} names no provider: {"kind": "indexer", "url", "apiKey", "network"} or {"kind": "rpc", "url", "network"}.${cause === undefined ? '' : ` ${inOneLine(cause)}`}`
    )
  let file: { kind?: unknown; url?: unknown; apiKey?: unknown; network?: unknown }
  try {
    file = parseJson(read(path, MAX_FILE_BYTES)) as typeof file
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw wrong()
  }
  const { kind, url, apiKey, network } = file ?? {}
  try {
    if (kind === 'rpc' && typeof url === 'string')
      return new RpcProvider({ apiEndpoint: url, network: network as 'preprod' }).fetcher
    if (kind === 'indexer' && typeof apiKey === 'string')
      return new IndexerProvider({
        apiKey,
        network: network as 'preprod',
        ...(typeof url === 'string' && { baseUrl: url })
      }).fetcher
  } catch (error) {
    throw wrong(error)
  }
  throw wrong()
}

function save(path: string, facts: HeadFacts): void {
  try {
    writeFileSync(path, JSON.stringify(facts), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new CommandFailure(
      code === 'EEXIST' ? `The file ${path} exists; name another one.` : `The file ${path} cannot be written (${code}).`
    )
  }
}
