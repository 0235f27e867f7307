// Node with CommonJS.
const root = require('layer-sdk')
const blaze = require('layer-sdk/blaze')
const bridge = require('layer-sdk/bridge')
const client = require('layer-sdk/client')
const devnode = require('layer-sdk/devnode')
const lucid = require('layer-sdk/lucid')
const mesh = require('layer-sdk/mesh')
const providers = require('layer-sdk/providers')
const tx = require('layer-sdk/tx')
const utils = require('layer-sdk/utils')
const verify = require('layer-sdk/verify')
const wallet = require('layer-sdk/wallet')

import('./report.mjs').then(({ report }) =>
  report({ root, wallet, utils, providers, tx, verify, bridge, client, devnode, mesh, lucid, blaze }, process.argv[2])
)
