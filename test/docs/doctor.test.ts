import { readFileSync } from 'node:fs'
import { main } from '../../src/cli/main'
import { DOCTOR_CODES } from '../../src/doctor'

const page = readFileSync('docs/guides/doctor.md', 'utf8')
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0]!, section] as const)
)

it('the guide has one section for each code, and no other', () => {
  expect([...sections.keys()]).toEqual(Object.keys(DOCTOR_CODES))
})

it.each(Object.entries(DOCTOR_CODES))('explain prints the section of %s', async (code, { meaning, remedy, source }) => {
  const out: string[] = []
  const terminal = {
    version: '1',
    out: (text: string) => void out.push(text),
    error: () => undefined,
    stopped: () => new Promise(() => undefined)
  }
  expect(await main(['explain', code.toUpperCase().replaceAll('-', '_')], terminal)).toBe(0)
  const printed = out.join('\n')
  const section = sections.get(code)!
  for (const text of [meaning, `To do: ${remedy}`, source]) {
    expect(section).toContain(text)
    expect(printed).toContain(text)
  }
  expect(printed).toContain(`/guides/doctor.html#${code}`)
  expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
  expect(source).toMatch(/^https:\/\/github\.com\//)
})
