import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesBelow, ROOT } from '../support/markdown'

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...filesBelow('docs', '.md')]
const withoutCode = (text: string) => text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')
const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[`*]/g, '')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s/g, '-')
const anchorsOf = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map((match) => slug(match[1]!))

it.each(pages)('every link of %s leads somewhere', (page) => {
  const text = withoutCode(readFileSync(join(ROOT, page), 'utf8'))
  const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1]!)
    .filter((link) => !/^(https?|mailto):/.test(link))
    .filter((link) => {
      const [path, anchor] = link.split('#') as [string, string?]
      const target = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path)
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
    })
  expect(broken).toEqual([])
})

it('names no path of a machine and no registry host', () => {
  for (const page of pages)
    expect(readFileSync(join(ROOT, page), 'utf8')).not.toMatch(/\/work\/|\/root\/|\/home\/\w|registry\.npmjs/)
})
