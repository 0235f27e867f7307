import { NODE_OPTIONS_2_4 } from './2.4.js'
import type { NodeOption } from './NodeOption.js'
import { option } from './NodeOption.js'

/**
 * Options of hydra-node 2.3.0, the facts of hydra-node/src/Hydra/Options.hs and Config.hs at its tag, as a difference
 * from those of 2.4: there is no `--deposit-activation` yet, and `--blockfrost-query-timeout` is still there.
 */
export const NODE_OPTIONS_2_3: readonly NodeOption[] = [
  ...NODE_OPTIONS_2_4.filter(({ since }) => since !== '2.4'),
  option('blockfrost-query-timeout', 'natural', 'blockfrost', {
    default: '30',
    config: 'chain.backend.query-timeout',
    subcommands: ['publish-scripts'],
    until: '2.4'
  })
]
