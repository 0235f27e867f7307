// Runs the scenario and prints its result. Nothing ends the process: what the package leaves behind would keep it
// alive.
import { controlOf } from './control.mjs'
import { run } from './scenario.mjs'

export async function report(sdk, text) {
  const env = JSON.parse(text)
  console.log(`RESULT ${JSON.stringify(await run(sdk, { ...env, control: controlOf(env) }))}`)
}
