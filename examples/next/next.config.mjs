import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
// Next reads nothing outside of its root. In the clone layer-sdk is a link that leads out of this folder: the root is
// the clone then.
const linked = realpathSync(join(here, 'node_modules', 'layer-sdk'))
const root = here.startsWith(linked) ? linked : here

export default { turbopack: { root }, outputFileTracingRoot: root }
