import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/markdown'

it('docs/errors.md has a section for every code, at the anchor that the messages name', () => {
  const codes = [...readFileSync(join(ROOT, 'src/errors/codes.ts'), 'utf8').matchAll(/^ {2}([A-Z0-9_]+): /gm)].map(
    (match) => match[1]!
  )
  // An anchor is the heading in lower case; an underscore stays.
  const anchors = [...readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').matchAll(/^## (.+)$/gm)].map((match) =>
    match[1]!.toLowerCase()
  )
  expect(codes.length).toBeGreaterThan(50)
  expect(codes.map((code) => code.toLowerCase()).filter((anchor) => !anchors.includes(anchor))).toEqual([])
  expect(new Set(anchors).size).toBe(anchors.length)
})
