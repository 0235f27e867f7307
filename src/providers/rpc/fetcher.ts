import type { NetworkName } from '../../constants.js'
import { ProviderResponseError } from '../../errors/provider.js'
import type { Fetcher, ProtocolParameters, RequestOptions } from '../../types/provider.js'
import type { ScriptRef, UTxO } from '../../types/utxo.js'
import { assertAddress, assertAsset, assertRefs } from '../shared/arguments.js'
import { costModels } from '../shared/parameters.js'
import type { ResponseReader } from '../shared/ResponseReader.js'
import type { RpcCall, RpcOutcome } from './client.js'
import { toRpcError } from './errors.js'
import { LANGUAGES, nativeScriptCbor, wrapBytes } from '../shared/scripts.js'

/**
 * Maximum number of rounds in which `fetchTip` requests tip and height again because the newest block has changed
 * between.
 */
const MAX_TIP_ROUNDS = 10

/** Sends a reading call and resolves with its result. */
export type RpcQuery = (
  method: string,
  params?: unknown,
  options?: RequestOptions
) => Promise<{ result: unknown; read: ResponseReader }>

/**
 * Returns the function that sends reading calls over a transport. An error object becomes a {@link ProviderRpcError}.
 */
export function createQuery(call: (call: RpcCall) => Promise<RpcOutcome>, url: string): RpcQuery {
  return async (method, params, options) => {
    const outcome = await call({ method, params, repeatable: true, signal: options?.signal })
    if ('failure' in outcome) throw toRpcError({ method, url }, outcome.failure)
    return outcome
  }
}

/** Creates the fetcher of `RpcProvider`, for Ogmios v6.14 and v7.0. */
export function createRpcFetcher(query: RpcQuery, network: NetworkName): Fetcher {
  return {
    async fetchAddressUTxOs(address, asset, options) {
      const unit = asset === undefined ? 'lovelace' : assertAsset(asset)
      const { result, read } = await query(
        'queryLedgerState/utxo',
        { addresses: [assertAddress(address, network)] },
        options
      )
      return read.list(result, '').flatMap((entry) => {
        const utxo = readUtxo(entry, read)
        return utxo.output.amount.some((amount) => amount.unit === unit) ? utxo : []
      })
    },
    async fetchUTxOs(refs, options) {
      const requestedRefs = assertRefs(refs)
      if (requestedRefs.size === 0) return []
      const { result, read } = await query(
        'queryLedgerState/utxo',
        outputReferences([...requestedRefs.values()]),
        options
      )
      const found = new Map(
        read.list(result, '').map((entry) => {
          const utxo = readUtxo(entry, read)
          return [`${utxo.input.txHash}#${utxo.input.index}` as string, utxo] as const
        })
      )
      for (const key of found.keys()) read.check(requestedRefs.has(key), 'transaction.id', 'a requested output', key)
      return [...requestedRefs.keys()].flatMap((key) => found.get(key) ?? [])
    },
    async fetchProtocolParameters(options) {
      const { result, read } = await query('queryLedgerState/protocolParameters', undefined, options)
      return readParameters(read.object(result, ''), read)
    },
    async fetchTip(options) {
      let tip = await query('queryNetwork/tip', undefined, options)
      for (let round = 0; ; round++) {
        const height = await query('queryNetwork/blockHeight', undefined, options)
        const after = await query('queryNetwork/tip', undefined, options)
        const { read } = after
        const [before, { slot, id }] = [tip, after].map(({ result }) => read.object(result, '')) as [
          Record<string, unknown>,
          Record<string, unknown>
        ]
        // A block between the two requests would give the height of another block.
        if (before['id'] === id) {
          return {
            slot: read.whole(slot, 'slot'),
            hash: read.hex(id, 'id', 32),
            height: height.read.whole(height.result, 'blockHeight')
          }
        }
        read.check(
          round < MAX_TIP_ROUNDS,
          'id',
          'a block that stays the newest while its height is requested (is the node catching up?)',
          id
        )
        tip = after
      }
    }
  }
}

/** Parameters of `queryLedgerState/utxo` for outputs. */
export function outputReferences(refs: readonly { txHash: string; index: number }[]): unknown {
  return { outputReferences: refs.map(({ txHash, index }) => ({ transaction: { id: txHash }, index })) }
}

function readUtxo(value: unknown, read: ResponseReader): UTxO {
  const entry = read.object(value, '')
  const amounts = Object.entries(read.object(entry['value'], 'value')).flatMap(([policy, assets]) =>
    Object.entries(read.object(assets, 'value')).map(
      ([name, quantity]) => [policy === 'ada' ? name : policy + name, quantity] as const
    )
  )
  const utxo: UTxO = {
    input: {
      txHash: read.hex(read.object(entry['transaction'], 'transaction')['id'], 'transaction.id', 32),
      index: read.whole(entry['index'], 'index')
    },
    output: { address: read.text(entry['address'], 'address'), amount: read.amounts(amounts, 'value', (pair) => pair) }
  }
  if (entry['datum'] !== undefined) utxo.output.inlineDatum = read.hex(entry['datum'], 'datum')
  else if (entry['datumHash'] !== undefined) utxo.output.datumHash = read.hex(entry['datumHash'], 'datumHash', 32)
  if (entry['script'] !== undefined) utxo.output.scriptRef = readScript(read.object(entry['script'], 'script'), read)
  return utxo
}

function readScript({ language, cbor, json }: Record<string, unknown>, read: ResponseReader): ScriptRef {
  if (language === 'native')
    return { language, cborHex: cbor === undefined ? nativeScriptCbor(json, read) : read.hex(cbor, 'script.cbor') }
  const plutusLanguage = LANGUAGES.find((each) => each.replace('PlutusV', 'plutus:v') === language)
  if (!plutusLanguage)
    throw new ProviderResponseError(
      read.url,
      'script.language',
      'native, plutus:v1, plutus:v2 or plutus:v3',
      typeof language
    )
  // The hashed bytes; the CBOR of a script is a byte string of them.
  return { language: plutusLanguage, cborHex: wrapBytes(read.hex(cbor, 'script.cbor')) }
}

function readParameters(value: Record<string, unknown>, read: ResponseReader): ProtocolParameters {
  const number = (field: string, inner?: string): number => Number(big(field, inner))
  const big = (field: string, inner?: string): bigint => {
    const found = inner === undefined ? value[field] : read.object(value[field], field)[inner]
    return BigInt(read.quantity(found, field))
  }
  const lovelace = (field: string): bigint =>
    BigInt(read.quantity(read.object(read.object(value[field], field)['ada'], field)['lovelace'], field))
  const scriptFee = (value['minFeeReferenceScripts'] as { base?: unknown } | undefined)?.base
  const version = read.object(value['version'], 'version')
  return {
    minFeeA: number('minFeeCoefficient'),
    minFeeB: Number(lovelace('minFeeConstant')),
    maxTxSize: number('maxTransactionSize', 'bytes'),
    maxValueSize: number('maxValueSize', 'bytes'),
    coinsPerUtxoByte: big('minUtxoDepositCoefficient'),
    keyDeposit: lovelace('stakeCredentialDeposit'),
    poolDeposit: lovelace('stakePoolDeposit'),
    ...(typeof scriptFee === 'number' ? { minFeeRefScriptCostPerByte: scriptFee } : {}),
    costModels: costModels(value['plutusCostModels'], read),
    protocolVersion: {
      major: read.whole(version['major'], 'version.major'),
      minor: read.whole(version['minor'], 'version.minor')
    },
    raw: value
  }
}
