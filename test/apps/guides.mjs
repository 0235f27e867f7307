// Code of the guides, as readers copy it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

/** The blocks of code below a heading of a guide, up to the next heading of the same level. */
export function codeBelow(guide, heading) {
  const page = readFileSync(new URL(`../../docs/guides/${guide}.md`, import.meta.url), 'utf8')
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const blocks = [...section.matchAll(/```\w+[^\n]*\n([\s\S]*?)```/g)].map(([, code]) => code)
  assert.ok(blocks.length > 0, `docs/guides/${guide}.md has code below ${heading}`)
  return blocks
}
