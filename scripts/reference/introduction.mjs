// The introduction of an entry's page: the comment with `@packageDocumentation` at the top of its source.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { libraryEntries, ROOT } from '../entries.mjs'
import { sectionsOf } from './docText.mjs'

const GUIDE = /^docs\/(guides\/([\w-]+)\.md)$/

/** Markdown of a comment as an entry's page shows it: its text, then links to its guides and to the glossary. */
export function introductionOf(comment) {
  const sections = sectionsOf(comment)
  const guides = sections.filter(({ tag }) => tag === 'see').map(({ text }) => GUIDE.exec(text))
  if (guides.includes(null)) throw new Error(`A guide of an introduction is not docs/guides/NAME.md: ${comment}`)
  const links = guides.map(([, path, name]) => `[${name.replaceAll('-', ' ')}](../${path})`)
  return `${sections[0].text}\n\nGuides: ${links.join(', ')}. Terms: [glossary](../glossary.md).`
}

/** Introduction of each public entry, Markdown. @throws Error for an entry without one */
export const introductions = () =>
  new Map(
    Object.entries(libraryEntries).map(([entry, path]) => {
      const comment = /^\/\*\*[\s\S]*?\*\//.exec(readFileSync(join(ROOT, path), 'utf8'))?.[0] ?? ''
      if (!comment.includes('@packageDocumentation')) throw new Error(`${path} begins without @packageDocumentation.`)
      return [entry, introductionOf(comment)]
    })
  )
