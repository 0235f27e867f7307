// workerd: one request runs the scenario.
import * as root from 'layer-sdk'
import * as bridge from 'layer-sdk/bridge'
import * as devnode from 'layer-sdk/devnode'
import * as providers from 'layer-sdk/providers'
import * as tx from 'layer-sdk/tx'
import * as utils from 'layer-sdk/utils'
import * as verify from 'layer-sdk/verify'
import * as wallet from 'layer-sdk/wallet'
import { controlOf } from './control.mjs'
import { run } from './scenario.mjs'

export default {
  async fetch(request) {
    if (request.method === 'GET') return Response.json({ hasNode: typeof process !== 'undefined' })
    const env = await request.json()
    return Response.json(await run({ root, wallet, utils, providers, tx, verify, bridge, devnode }, { ...env, control: controlOf(env) }))
  }
}
