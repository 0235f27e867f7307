// A page, or a dedicated worker: asks its own origin what to do, and tells it the result.
import * as root from 'layer-sdk'
import * as blaze from 'layer-sdk/blaze'
import * as bridge from 'layer-sdk/bridge'
import * as client from 'layer-sdk/client'
import * as devnode from 'layer-sdk/devnode'
import * as lucid from 'layer-sdk/lucid'
import * as mesh from 'layer-sdk/mesh'
import * as providers from 'layer-sdk/providers'
import * as tx from 'layer-sdk/tx'
import * as utils from 'layer-sdk/utils'
import * as verify from 'layer-sdk/verify'
import * as wallet from 'layer-sdk/wallet'
import { controlOf } from './control.mjs'
import { run } from './scenario.mjs'

const violations = []
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  violations.push(`${violatedDirective} ${blockedURI}`)
)

async function main() {
  const env = await (await fetch('/env.json')).json()
  const result = await run(
    { root, wallet, utils, providers, tx, verify, bridge, client, devnode, mesh, lucid, blaze },
    { ...env, control: controlOf(env) }
  )
  result.violations = [...violations]
  try {
    // The policy is in force: this is what it forbids.
    new Function('return 1')()
    result.violations.push('eval was allowed')
  } catch {
    /* as it should be */
  }
  return result
}

// Not awaited at the top: a chunk that is loaded later, and shares code with this one, would wait for it to end (rollup
// puts the shared code here).
main()
  .catch((error) => ({ checks: [{ name: 'start', ok: false, error: String(error?.stack ?? error) }], values: {} }))
  .then((result) => fetch('/result', { method: 'POST', body: JSON.stringify(result) }))
