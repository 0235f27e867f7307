import { addressFromBytes, addressToString, parseAddress } from '../../../codec/address.js'
import { hexToBytes } from '../../../codec/hex.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import { EPOCH_SLOTS, epochOf, NETWORK_MAGIC } from '../../chain/BaseChain.js'
import { entryRefOf } from '../../rules/utxoSet.js'
import { isObject } from '../../json/isObject.js'
import type { JsonValue } from '../../json/jsonText.js'
import { utcTime } from '../../wire/json/messages.js'
import { invalidRequest, RpcFailure } from './failure.js'
import { utxoJson } from './outputJson.js'
import { parametersJson } from './parameters.js'
import type { Params } from './Params.js'

/** The queries of the ledger's state and of the network, by method. */
export const QUERIES: ReadonlyMap<string, (params: Params, chain: BaseChain) => JsonValue> = new Map<
  string,
  (params: Params, chain: BaseChain) => JsonValue
>([
  ['queryLedgerState/utxo', queryUtxo],
  ['queryLedgerState/protocolParameters', (_params, { parameters }) => parametersJson(parameters)],
  ['queryLedgerState/tip', tipJson],
  ['queryLedgerState/epoch', (_params, { tip }) => epochOf(tip.slot).epoch],
  ['queryLedgerState/eraStart', () => BOUND_ZERO],
  ['queryLedgerState/eraSummaries', () => [{ start: BOUND_ZERO, parameters: ERA_PARAMETERS }]],
  ['queryLedgerState/rewardAccountSummaries', queryRewardAccounts],
  ['queryNetwork/tip', tipJson],
  ['queryNetwork/blockHeight', (_params, { tip }) => tip.slot],
  ['queryNetwork/startTime', (_params, { slotZeroMs }) => utcTime(slotZeroMs)],
  ['queryNetwork/genesisConfiguration', queryGenesis]
])

/** The ledger has been in one era since slot 0. */
const BOUND_ZERO = { time: { seconds: 0 }, slot: 0, epoch: 0 }
const SECURITY_PARAMETER = 2160
const ERA_PARAMETERS = {
  epochLength: EPOCH_SLOTS,
  slotLength: { milliseconds: 1000 },
  safeZone: 3 * SECURITY_PARAMETER
}

function tipJson(_params: Params, { tip }: BaseChain): JsonValue {
  return { slot: tip.slot, id: tip.hash }
}

function queryUtxo({ addresses, outputReferences }: Params, chain: BaseChain): JsonValue {
  if (addresses !== undefined) {
    if (!Array.isArray(addresses)) throw invalidRequest("field 'addresses' must be an array of addresses")
    const requestedAddresses = new Set(addresses.map(addressText))
    return chain.unspent(({ output }) => requestedAddresses.has(output.address)).map(utxoJson)
  }
  if (outputReferences === undefined) return chain.unspent().map(utxoJson)
  if (!Array.isArray(outputReferences))
    throw invalidRequest("field 'outputReferences' must be an array of { transaction: { id }, index }")
  const requestedRefs = new Set(outputReferences.map(referenceText))
  return [...requestedRefs]
    .map((ref) => chain.get(ref))
    .flatMap((entry) => (entry === undefined ? [] : [utxoJson(entry)]))
}

/** Returns an address as text; clients send it as bech32, base58 or hex. */
function addressText(address: unknown): string {
  try {
    if (typeof address !== 'string') throw invalidRequest('')
    if (/^[0-9a-f]+$/i.test(address) && address.length % 2 === 0)
      return addressToString(addressFromBytes(hexToBytes(address)).bytes)
    parseAddress(address)
    return address
  } catch {
    throw invalidRequest('an address is neither bech32, base58 nor hex')
  }
}

function referenceText(reference: unknown): string {
  const { transaction, index } = isObject(reference) ? reference : {}
  const id = isObject(transaction) ? transaction['id'] : undefined
  if (typeof id !== 'string' || !/^[0-9a-f]{64}$/i.test(id) || !Number.isSafeInteger(index)) {
    throw invalidRequest('an output reference must be { transaction: { id }, index }')
  }
  return entryRefOf({ txHash: id.toLowerCase(), index: index as number })
}

/** No stake is ever registered on the base ledger. */
function queryRewardAccounts({ keys = [], scripts = [] }: Params): JsonValue {
  if (!Array.isArray(keys) || !Array.isArray(scripts))
    throw invalidRequest("fields 'keys' and 'scripts' must be arrays of credentials")
  return []
}

function queryGenesis({ era }: Params, chain: BaseChain): JsonValue {
  if (era === 'shelley') return shelleyGenesis(chain)
  if (era !== 'byron' && era !== 'alonzo' && era !== 'conway')
    throw invalidRequest("field 'era' must be byron, shelley, alonzo or conway")
  throw new RpcFailure(2004, `The local head node has no genesis configuration of ${era}, only of shelley.`, {
    reason: 'There is none.'
  })
}

function shelleyGenesis({ networkId, slotZeroMs, parameters }: BaseChain): JsonValue {
  return {
    era: 'shelley',
    startTime: utcTime(slotZeroMs),
    networkMagic: NETWORK_MAGIC[networkId],
    network: networkId === 1 ? 'mainnet' : 'testnet',
    activeSlotsCoefficient: '1/1',
    securityParameter: SECURITY_PARAMETER,
    epochLength: EPOCH_SLOTS,
    slotsPerKesPeriod: 129_600,
    maxKesEvolutions: 62,
    slotLength: { milliseconds: 1000 },
    updateQuorum: 5,
    maxLovelaceSupply: 45_000_000_000_000_000n,
    initialParameters: parametersJson(parameters),
    initialDelegates: [],
    initialFunds: {},
    initialStakePools: { stakePools: {}, delegators: {} }
  }
}
