import { DOCTOR_CODES } from '../../doctor/inner.js'
import type { FindingCode } from '../../doctor/inner.js'
import { doctorUrl, errorUrl } from '../../errors/links.js'
import { ERROR_INDEX } from '../explain/errorIndex.js'
import { REMEDIES } from '../explain/remedies.js'
import { nearest } from '../nearest.js'
import type { Terminal } from '../terminal.js'
import { parseCommand, UsageError } from '../usage.js'

const OPTIONS = { json: { type: 'boolean' } } as const

type Code = keyof typeof ERROR_INDEX & keyof typeof REMEDIES

/** The section of a code in docs/errors.md. */
interface Section {
  readonly code: string
  readonly name: string
  readonly meaning: string
  /** Members of the error, each with its meaning. */
  readonly fields: Readonly<Record<string, string>>
  readonly remedy: string
  readonly url: string
}

/** `layer-sdk explain`: prints the section of an error code, or lists all codes. */
export async function explain(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseCommand(args, OPTIONS)
  const [text, ...more] = positionals
  if (more.length > 0) throw new UsageError('explain needs one CODE, or none for the list.')
  const print = (sections: readonly Section[], plain: () => string): void =>
    terminal.out(values.json === true ? sections.map((each) => JSON.stringify(each)).join('\n') : plain())
  if (text === undefined) {
    const sections = codes().map(sectionOf)
    return print(sections, () => listOf(sections))
  }
  const finding = findingCode(text)
  if (finding !== null) return printFinding(finding, values.json === true, terminal)
  const section = sectionOf(codeOf(text))
  print([section], () => plainSection(section))
}

/** Returns the doctor's finding code that a text names, in any letter case; null for another text. */
function findingCode(text: string): FindingCode | null {
  const requestedCode = text.trim().toLowerCase().replaceAll('_', '-')
  return Object.hasOwn(DOCTOR_CODES, requestedCode) ? (requestedCode as FindingCode) : null
}

/** Prints the section of a code in docs/guides/doctor.md. */
function printFinding(code: FindingCode, json: boolean, terminal: Terminal): void {
  const { meaning, remedy, source } = DOCTOR_CODES[code]
  const url = doctorUrl(code)
  if (json) terminal.out(JSON.stringify({ code, meaning, remedy, source, url }))
  else terminal.out([code, '', meaning, '', `To do: ${remedy}`, '', `Source: ${source}`, '', url].join('\n'))
}

const codes = (): Code[] => Object.keys(ERROR_INDEX) as Code[]

/** Returns the error code that a text names, in any letter case. @throws UsageError that suggests the nearest code */
function codeOf(text: string): Code {
  const requestedCode = text.trim().toUpperCase().replaceAll('-', '_')
  const found = codes().find((code) => code === requestedCode)
  if (found !== undefined) return found
  const near = nearest(requestedCode, codes()) ?? nearest(text.trim().toLowerCase(), Object.keys(DOCTOR_CODES))
  const shown = text.length <= 40 ? `"${text}"` : `of ${text.length} characters`
  throw new UsageError(
    `There is no error code ${shown}. ${near === null ? 'All codes: layer-sdk explain.' : `Did you mean ${near}?`}`
  )
}

function sectionOf(code: Code): Section {
  return { code, ...ERROR_INDEX[code], remedy: REMEDIES[code], url: errorUrl(code) }
}

function plainSection({ code, name, meaning, fields, remedy, url }: Section): string {
  const members = Object.entries(fields).map(([field, text]) => `  ${field}: ${text}`)
  const lines = [`${code} (${name})`, '', meaning, '', `To do: ${remedy}`, '']
  if (members.length > 0) lines.push('Members of the error', ...members, '')
  return [...lines, url].join('\n')
}

function listOf(sections: readonly Section[]): string {
  const width = Math.max(...sections.map(({ code }) => code.length))
  return sections.map(({ code, meaning }) => `${code.padEnd(width)}  ${firstSentence(meaning)}`).join('\n')
}

const firstSentence = (text: string): string => /^.*?[.:;](?= |$)/.exec(text)?.[0].replace(/[:;]$/, '.') ?? text
