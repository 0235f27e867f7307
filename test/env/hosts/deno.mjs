// Deno with npm specifiers.
import * as root from 'npm:layer-sdk'
import * as bridge from 'npm:layer-sdk/bridge'
import * as devnode from 'npm:layer-sdk/devnode'
import * as providers from 'npm:layer-sdk/providers'
import * as tx from 'npm:layer-sdk/tx'
import * as utils from 'npm:layer-sdk/utils'
import * as verify from 'npm:layer-sdk/verify'
import * as wallet from 'npm:layer-sdk/wallet'
import { report } from './report.mjs'

await report({ root, wallet, utils, providers, tx, verify, bridge, devnode }, Deno.args[0])
