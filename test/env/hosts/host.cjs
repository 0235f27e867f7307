// Node with CommonJS.
const root = require('layer-sdk')
const bridge = require('layer-sdk/bridge')
const devnode = require('layer-sdk/devnode')
const providers = require('layer-sdk/providers')
const tx = require('layer-sdk/tx')
const utils = require('layer-sdk/utils')
const verify = require('layer-sdk/verify')
const wallet = require('layer-sdk/wallet')

import('./report.mjs').then(({ report }) => report({ root, wallet, utils, providers, tx, verify, bridge, devnode }, process.argv[2]))
