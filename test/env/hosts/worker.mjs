// workerd: one request runs the scenario.
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

export default {
  async fetch(request) {
    if (request.method === 'GET') return Response.json({ hasNode: typeof process !== 'undefined' })
    const env = await request.json()
    return Response.json(
      await run(
        { root, wallet, utils, providers, tx, verify, bridge, client, devnode, mesh, lucid, blaze },
        { ...env, control: controlOf(env) }
      )
    )
  }
}
