import type { ListeningAddress, NodeSettings } from '../../settings/options.js'
import type { ProfileFeatures } from '../../settings/profiles.js'
import type { JsonValue } from '../../json/jsonText.js'
import { wholeSeconds } from '../../wire/json/messages.js'

/** A party whose configuration is shown. */
interface ConfiguredParty {
  readonly index: number
  readonly chain: { readonly options: NodeSettings; readonly features: ProfileFeatures }
  listensOn(): ListeningAddress
}

/**
 * Returns the body of GET /config: the options of the node, by the names of its configuration file.
 *
 * @see hydra-node/src/Hydra/Config.hs:482, renderConfig
 */
export function configJson({ index, chain: { options, features }, listensOn }: ConfiguredParty): JsonValue {
  const { parties, networkId, timings } = options
  const { host, port } = listensOn()
  const others = Array.from({ length: parties }, (_, i) => i + 1).filter((i) => i !== index + 1)
  const { contestationPeriodMs, depositPeriodMs, depositDelayMs, transactionTimeoutMs } = timings
  return {
    'node-id': 'layer-sdk-devnode',
    quiet: true,
    listen: `127.0.0.1:${5001 + index}`,
    'api-host': host,
    'api-port': port,
    'hydra-signing-key': `hydra-${index + 1}.sk`,
    'hydra-verification-keys': others.map((i) => `hydra-${i}.vk`),
    peers: others.map((i) => `127.0.0.1:${5000 + i}`),
    'persistence-dir': './',
    'ledger-protocol-parameters': 'protocol-parameters.json',
    'use-system-etcd': false,
    'api-transaction-timeout': wholeSeconds(transactionTimeoutMs),
    chain: {
      mode: 'cardano',
      'cardano-signing-key': `cardano-${index + 1}.sk`,
      'cardano-verification-keys': others.map((i) => `cardano-${i}.vk`),
      'contestation-period': wholeSeconds(contestationPeriodMs),
      'deposit-period': wholeSeconds(depositPeriodMs),
      'deposit-activation': features.depositActivation ? wholeSeconds(depositDelayMs) : undefined,
      'unsynced-period': wholeSeconds(contestationPeriodMs / 2),
      backend: {
        mode: 'direct',
        'node-socket': 'node.socket',
        ...(networkId === 1 ? { mainnet: true } : { 'testnet-magic': 1 })
      }
    }
  }
}
