// Writes sbom.cdx.json into a folder (default dist/): a CycloneDX bill of materials of what the package brings to its
// users.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, ROOT } from './entries.mjs'
import { run } from './run.mjs'

const sbom = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']))
const { name, dependencies } = readJson('package.json')

// Keep what our dependencies lead to: npm's own --omit drops packages that a development dependency shares.
const dependsOn = new Map(sbom.dependencies.map((entry) => [entry.ref, entry.dependsOn]))
const kept = new Set()
const keep = (ref) => {
  if (kept.has(ref)) return
  kept.add(ref)
  dependsOn.get(ref)?.forEach(keep)
}
const root = sbom.metadata.component
const direct = dependsOn.get(root['bom-ref']).filter((ref) => ref.slice(0, ref.lastIndexOf('@')) in dependencies)
direct.forEach(keep)
sbom.components = sbom.components.filter((component) => kept.has(component['bom-ref']))
sbom.dependencies = [
  { ref: root['bom-ref'], dependsOn: direct },
  ...sbom.dependencies.filter(({ ref }) => kept.has(ref))
]

// Two builds of the same sources must be equal to the byte: no time, no random number, no machine, no name of the
// folder.
delete sbom.serialNumber
delete sbom.metadata.timestamp
delete sbom.metadata.lifecycles
root.name = name
sbom.metadata.tools = [{ vendor: 'npm', name: 'cli' }]
for (const component of sbom.components) {
  component.externalReferences = component.externalReferences?.filter(({ type }) => type !== 'distribution')
  component.properties = component.properties?.filter(({ name }) => name !== 'cdx:npm:package:path')
}
writeFileSync(join(process.argv[2] ?? join(ROOT, 'dist'), 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)
