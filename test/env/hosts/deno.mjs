// Deno with npm specifiers.
import * as root from 'npm:layer-sdk'
import * as blaze from 'npm:layer-sdk/blaze'
import * as bridge from 'npm:layer-sdk/bridge'
import * as client from 'npm:layer-sdk/client'
import * as devnode from 'npm:layer-sdk/devnode'
import * as lucid from 'npm:layer-sdk/lucid'
import * as mesh from 'npm:layer-sdk/mesh'
import * as providers from 'npm:layer-sdk/providers'
import * as tx from 'npm:layer-sdk/tx'
import * as utils from 'npm:layer-sdk/utils'
import * as verify from 'npm:layer-sdk/verify'
import * as wallet from 'npm:layer-sdk/wallet'
import { report } from './report.mjs'

await report({ root, wallet, utils, providers, tx, verify, bridge, client, devnode, mesh, lucid, blaze }, Deno.args[0])
