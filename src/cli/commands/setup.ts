import type { Terminal } from '../terminal.js'
import { notOneOf } from '../usage.js'

type Step = (args: readonly string[], terminal: Terminal) => void | Promise<void>

/** Steps by name. None of them starts, stops or calls a process; only preflight connects to a node, to read it. */
const STEPS: Readonly<Record<string, () => Promise<Step>>> = {
  keys: async () => (await import('./setup/keyFiles.js')).makeKeys,
  head: async () => (await import('./setup/headFiles.js')).makeHeadFile,
  merge: async () => (await import('./setup/headFiles.js')).mergeFiles,
  parameters: async () => (await import('./setup/headFiles.js')).makeParameters,
  arguments: async () => (await import('./setup/nodeOptions.js')).printArguments,
  check: async () => (await import('./setup/nodeOptions.js')).checkNodeOptions,
  preflight: async () => (await import('./setup/preflight.js')).preflight
}

/** `layer-sdk setup STEP`: makes and checks the files with which the nodes of a new head are started. */
export async function setup(args: readonly string[], terminal: Terminal): Promise<void> {
  const [step = '', ...rest] = args
  if (!Object.hasOwn(STEPS, step)) throw notOneOf('setup', Object.keys(STEPS), step)
  await (
    await STEPS[step]!()
  )(rest, terminal)
}
