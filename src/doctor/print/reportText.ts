import { numberOf } from '../judge/finding.js'
import type { Finding, FindingEvidence } from '../types.js'
import type { HeadReport } from '../checkHead.js'

const MARKS: Readonly<Record<Finding['severity'], string>> = {
  block: 'BLOCK',
  warn: 'warn ',
  unknown: '?    ',
  ok: 'ok   '
}
/** Number of references that the text shows; the JSON has up to 50. */
const SHOWN_REFS = 5

/**
 * Returns a report as text for people: a line for each finding; for those that are not in order the figures and the
 * next step follow.
 *
 * @example
 * ```ts no-run
 * import { checkHead, reportText } from 'layer-sdk/doctor'
 * console.log(reportText(await checkHead({ head: 'ws://127.0.0.1:4001' })))
 * ```
 */
export function reportText(report: Omit<HeadReport, 'facts'>): string {
  const { head, node, findings, exit, verdict, at } = report
  const lines = [
    `Head ${head ?? 'none'}, node ${node ?? 'of an unknown version'}, ${new Date(at).toISOString()}`,
    '',
    ...findings.flatMap(findingLines),
    ''
  ]
  if (exit !== null) lines.push(...exitLines(exit), '')
  const counts = (['block', 'warn', 'unknown', 'ok'] as const).map(
    (severity) => `${findings.filter((each) => each.severity === severity).length} ${severity}`
  )
  return [...lines, `Verdict: ${verdict} (${counts.join(', ')})`].join('\n')
}

function findingLines({ severity, code, what, evidence, remedy, refs, omitted }: Finding): string[] {
  const first = `${MARKS[severity]}  ${code}: ${what}`
  if (severity === 'ok') return [first]
  const figures = Object.entries(evidence).map(([name, value]) => `${name} ${evidenceText(value)}`)
  const shown = refs.slice(0, SHOWN_REFS)
  const left = refs.length - shown.length + omitted
  return [
    first,
    ...(figures.length === 0 ? [] : [`       ${figures.join(', ')}`]),
    ...shown.map((ref) => `       - ${ref}`),
    ...(left > 0 ? [`       - and ${left} more`] : []),
    `       To do: ${remedy}`
  ]
}

function evidenceText(value: FindingEvidence): string {
  return Array.isArray(value) ? (value.length === 0 ? 'none' : value.join('; ')) : String(value)
}

function exitLines({ outputs, chunks, fees, secondsToMoney, blocked }: NonNullable<HeadReport['exit']>): string[] {
  const range = (least: unknown, most: unknown): string => (least === most ? String(least) : `${least} to ${most}`)
  const ada = (lovelace: bigint): string => (Number(lovelace) / 1_000_000).toFixed(1)
  const time =
    secondsToMoney === null ? 'an unknown time' : `${range(secondsToMoney.least, secondsToMoney.most)} s from the close`
  return [
    `Exit by estimate: ${numberOf(outputs, 'output')} in ${range(chunks.least, chunks.most)} ${chunks.most === 1 ? 'step' : 'steps'} of fanout,`,
    `  fees of ${range(ada(fees.least), ada(fees.most))} ada, ${time}`,
    ...(blocked.length === 0 ? [] : [`  Not reached: ${blocked.length} outputs or more, from ${blocked[0]} on`])
  ]
}

/**
 * Returns the report as JSON: bigint quantities are written as texts. The facts are left out, since they are a document
 * of their own.
 *
 * @example
 * ```ts no-run
 * import { checkHead, reportToJson } from 'layer-sdk/doctor'
 * console.log(reportToJson(await checkHead({ head: 'ws://127.0.0.1:4001' })))
 * ```
 */
export function reportToJson(report: Omit<HeadReport, 'facts'> & { readonly facts?: unknown }): string {
  const { facts: _, ...rest } = report
  return JSON.stringify(rest, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
