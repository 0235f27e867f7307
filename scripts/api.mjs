// Writes etc/<entry>.api.md, the reviewed record of every public name; with --check, fails when one is stale.
// A declaration stands in the report of the entry that owns it (scripts/api/owners.mjs); others import it from there.
// A declaration that no entry exports, and a public one needs, is an error in every report.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'
import { writeTrees } from './api/declarations.mjs'
import { readJson, ROOT } from './entries.mjs'

const check = process.argv.includes('--check')
const base = readJson('api-extractor.json')
const cache = join(ROOT, '.cache', 'api')
mkdirSync(join(ROOT, 'etc'), { recursive: true })

let failed = false
for (const [name, entryPoint] of Object.entries(writeTrees(join(cache, 'trees')))) {
  const configObject = {
    ...base,
    projectFolder: ROOT,
    mainEntryPointFilePath: entryPoint,
    compiler: { overrideTsconfig: { ...base.compiler.overrideTsconfig, files: [entryPoint] } },
    apiReport: {
      ...base.apiReport,
      reportFileName: `${name}.api.md`,
      reportFolder: join(ROOT, 'etc'),
      reportTempFolder: cache
    }
  }
  const config = ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: undefined,
    packageJsonFullPath: join(ROOT, 'package.json')
  })
  const result = Extractor.invoke(config, {
    localBuild: !check,
    messageCallback(message) {
      // The compiler's version and the wish to copy the report by hand are said once, by us.
      message.handled = true
      if (message.logLevel === 'error') console.error(`${name}: ${message.text}`)
    }
  })
  if (check && result.apiReportChanged)
    console.error(`etc/${name}.api.md is stale: run \`npm run api\`, read the difference and commit it.`)
  if (!check && result.apiReportChanged) console.log(`etc/${name}.api.md written`)
  failed ||= result.errorCount > 0 || (check && result.apiReportChanged)
}
process.exit(failed ? 1 : 0)
