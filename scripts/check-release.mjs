// What must be so before a release: npm runs it before it publishes (`prepublishOnly`).
// Usage: node scripts/check-release.mjs [folder]   (default: the package itself)
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from './entries.mjs'

const folder = process.argv[2] === undefined ? ROOT : resolve(process.argv[2])
const { version, homepage, bugs, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const problems = []

// RFC 6761: names below .invalid exist nowhere. Where the sources are kept is decided with the first release.
for (const [field, url] of [
  ['homepage', homepage],
  ['bugs.url', bugs?.url],
  ['repository.url', repository?.url]
]) {
  if (typeof url !== 'string' || url === '') problems.push(`package.json has no ${field}.`)
  else if (!/^(git\+)?https:\/\/[^/]+\/./.test(url)) problems.push(`${field} is no https URL: ${url}`)
  else if (/^(git\+)?https:\/\/[^/]*\.(invalid|example|test|localhost)(:\d+)?\//.test(url))
    problems.push(`${field} is a placeholder: ${url}. Write where the sources are kept.`)
}

const changes = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')
if (!changes.includes(`\n## [${version}]`)) problems.push(`CHANGELOG.md has no section of version ${version}.`)

if (problems.length > 0) {
  console.error(`Version ${version} cannot be published:\n${problems.map((problem) => `- ${problem}`).join('\n')}`)
  process.exit(1)
}
console.log(`Version ${version} can be published.`)
