import type { NodeOption } from './NodeOption.js'
import { option } from './NodeOption.js'

/**
 * Options of hydra-node 2.4, the facts of hydra-node/src/Hydra/Options.hs and Config.hs at commit ca8d19bca
 * (2026-08-21). The source of the tags 2.4.0 and 2.4.1 was not at hand: this list holds until a recording of
 * `hydra-node --help` of a released 2.4 says otherwise. `test/setup/nodeOptions.test.ts` compares it with a copy of the
 * source, where there is one.
 */
export const NODE_OPTIONS_2_4: readonly NodeOption[] = [
  option('quiet', 'flag', 'node', { short: 'q' }),
  option('node-id', 'text', 'node', { short: 'n', default: 'hydra-node-1' }),
  option('listen', 'host', 'node', { short: 'l', default: '0.0.0.0:5001' }),
  option('advertise', 'host', 'node'),
  option('peer', 'host', 'node', { short: 'P', repeats: true, config: 'peers' }),
  option('api-host', 'ip', 'node', { default: '127.0.0.1' }),
  option('api-port', 'port', 'node', { default: '4001' }),
  option('tls-cert', 'file', 'node'),
  option('tls-key', 'file', 'node'),
  option('monitoring-port', 'port', 'node'),
  option('hydra-signing-key', 'file', 'node', { default: 'hydra.sk' }),
  option('hydra-verification-key', 'file', 'node', { repeats: true, config: 'hydra-verification-keys' }),
  option('persistence-dir', 'file', 'node', { default: './' }),
  option('persistence-rotate-after', 'natural', 'node'),
  option('ledger-protocol-parameters', 'file', 'node', { default: 'protocol-parameters.json' }),
  option('use-system-etcd', 'flag', 'node'),
  option('api-transaction-timeout', 'seconds', 'node', { default: '300s' }),
  option('hydra-scripts-tx-id', 'txIds', 'cardano', { repeats: true }),
  option('network', 'network', 'cardano'),
  option('cardano-signing-key', 'file', 'cardano', { default: 'cardano.sk', subcommands: ['publish-scripts'] }),
  option('cardano-verification-key', 'file', 'cardano', { repeats: true, config: 'chain.cardano-verification-keys' }),
  option('start-chain-from', 'chainPoint', 'cardano'),
  option('contestation-period', 'seconds', 'cardano', { default: '43200s' }),
  option('deposit-period', 'seconds', 'cardano', { default: '3600s' }),
  option('deposit-activation', 'seconds', 'cardano', { default: '3600s', since: '2.4' }),
  // Half of the contestation period, unless it is given.
  option('unsynced-period', 'seconds', 'cardano'),
  option('mainnet', 'flag', 'direct', { config: 'chain.backend.mainnet', subcommands: ['publish-scripts'] }),
  option('testnet-magic', 'natural', 'direct', {
    default: '42',
    config: 'chain.backend.testnet-magic',
    subcommands: ['publish-scripts']
  }),
  option('node-socket', 'file', 'direct', {
    default: 'node.socket',
    config: 'chain.backend.node-socket',
    subcommands: ['publish-scripts']
  }),
  option('blockfrost', 'file', 'blockfrost', {
    default: 'blockfrost.txt',
    config: 'chain.backend.project-path',
    subcommands: ['publish-scripts']
  }),
  option('blockfrost-retry-timeout', 'natural', 'blockfrost', {
    default: '300',
    config: 'chain.backend.retry-timeout',
    subcommands: ['publish-scripts']
  }),
  option('offline-head-seed', 'hex', 'offline'),
  option('initial-utxo', 'file', 'offline', { default: 'utxo.json' }),
  option('ledger-genesis', 'file', 'offline'),
  option('config', 'file', 'program'),
  option('output-file', 'file', 'program', { default: 'hydra-key', run: false, subcommands: ['gen-hydra-key'] }),
  option('version', 'flag', 'program'),
  option('hydra-script-catalogue', 'flag', 'program')
]
