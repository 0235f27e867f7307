// Writes etc/<entry>.api.md, the reviewed record of every public name; with --check, fails when one is stale.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'
import { libraryEntries, readJson, ROOT } from './entries.mjs'

const check = process.argv.includes('--check')
const base = readJson('api-extractor.json')
mkdirSync(join(ROOT, 'etc'), { recursive: true })

let failed = false
for (const name of Object.keys(libraryEntries)) {
  const entryPoint = join(ROOT, 'dist', `${name}.d.ts`)
  const configObject = {
    ...base,
    projectFolder: ROOT,
    mainEntryPointFilePath: entryPoint,
    compiler: { overrideTsconfig: { ...base.compiler.overrideTsconfig, files: [entryPoint] } },
    apiReport: {
      ...base.apiReport,
      reportFileName: `${name}.api.md`,
      reportFolder: join(ROOT, 'etc'),
      reportTempFolder: join(ROOT, '.cache', 'api')
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
