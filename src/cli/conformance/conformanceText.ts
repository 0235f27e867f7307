import { stringifyJson } from '../../codec/json.js'
import type { ConformanceReport, LifeDifference } from '../../conformance/inner.js'
import { withoutSecrets } from '../recording/withoutSecrets.js'

/** Maximum number of characters that are shown of a message. */
const MAX_SHOWN = 2_000

/** Returns the report as text for people, of several lines. */
export function conformanceText({ nodeVersion, equal, differs, notTried }: ConformanceReport): string {
  const counts = Object.entries(equal).filter(([, count]) => count > 0)
  return [
    `node       ${nodeVersion ?? 'of an unknown version'}`,
    `equal      ${counts.map(([aspect, count]) => `${aspect} ${count}`).join(', ') || 'none'}`,
    ...differs.flatMap((difference) => [
      `differs    ${difference.aspect}, ${difference.step}: ${difference.what}`,
      `           local head  ${shown(difference.local)}`,
      `           node        ${shown(difference.node)}`
    ]),
    ...notTried.map(({ step, reason }) => `not tried  ${step}: ${reason}`),
    `${differs.length} ${differs.length === 1 ? 'difference' : 'differences'}.`
  ].join('\n')
}

/** Returns the report as JSON, with both messages of each difference. */
export function conformanceJson({ nodeVersion, equal, differs, notTried }: ConformanceReport): object {
  const rows = differs.map(({ aspect, step, what, local, node }) => ({
    aspect,
    step,
    what,
    local: shown(local),
    node: shown(node)
  }))
  return { node: nodeVersion, equal, differs: rows, notTried }
}

/** Returns a message or answer as one line, shortened and without secrets. */
function shown(side: LifeDifference['node']): string {
  if (side === null) return 'none'
  const text = withoutSecrets(stringifyJson('tag' in side ? side.message : side.body))
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
  return 'tag' in side ? cut : `${side.route} ${side.status} ${cut}`
}
