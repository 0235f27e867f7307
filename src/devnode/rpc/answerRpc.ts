import { CborReader } from '../../codec/cbor/reader.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import type { ScriptRef, TxInput, UTxO } from '../../types/utxo.js'
import type { BaseChain } from '../ledger/BaseChain.js'
import { isObject, parseBody } from '../wire/clientInput.js'
import type { JsonValue } from '../wire/jsonText.js'
import { JsonText, toJson } from '../wire/jsonText.js'
import type { PreparedTx } from '../ledger/preparedTx.js'
import { prepareTx } from '../ledger/preparedTx.js'
import { refOf } from '../ledger/utxoSet.js'
import { stringifyJson } from '../../codec/json.js'

/** A failure of the JSON-RPC call. */
class RpcFailure extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Ogmios' codes by the ledger's constructor names. */
const REFUSAL_CODES: readonly (readonly [string, number])[] = [
  ['InvalidWitnessesUTXOW', 3100],
  ['MissingVKeyWitnessesUTXOW', 3101],
  ['MissingScriptWitnessesUTXOW', 3102],
  ['ScriptWitnessNotValidatingUTXOW', 3103],
  ['ExtraneousScriptWitnessesUTXOW', 3104],
  ['MissingTxBodyMetadataHash', 3105],
  ['MissingTxMetadata', 3106],
  ['ConflictingMetadataHash', 3107],
  ['InvalidMetadata', 3108],
  ['BadInputsUTxO', 3117],
  ['OutsideValidityIntervalUTxO', 3118],
  ['MaxTxSizeUTxO', 3119],
  ['OutputTooBigUTxO', 3120],
  ['InputSetEmptyUTxO', 3121],
  ['FeeTooSmallUTxO', 3122],
  ['ValueNotConservedUTxO', 3123],
  ['WrongNetwork', 3124],
  ['BabbageOutputTooSmallUTxO', 3125]
]
const UNEXPECTED_MEMPOOL_ERROR = 3997

/** Answers one JSON-RPC 2.0 request as Ogmios v6 does, as far as wallets and the `RpcProvider` ask. */
export async function answerRpc(body: string, chain: BaseChain): Promise<string> {
  let id: JsonValue = null
  let method: JsonValue = null
  try {
    const request = parseBody(body)
    if (!isObject(request) || typeof request['method'] !== 'string') throw new RpcFailure(-32600, 'Invalid request.')
    method = request['method']
    id = new JsonText(stringifyJson(request['id'] ?? null))
    return toJson({ jsonrpc: '2.0', method, result: await call(method, request['params'], chain), id })
  } catch (error) {
    const code = error instanceof RpcFailure ? error.code : -32700
    return toJson({ jsonrpc: '2.0', method, error: { code, message: (error as Error).message }, id })
  }
}

function call(method: string, params: unknown, chain: BaseChain): JsonValue | Promise<JsonValue> {
  switch (method) {
    case 'queryLedgerState/utxo':
      return queryUtxo(isObject(params) ? params : {}, chain)
    case 'queryLedgerState/protocolParameters':
      return parametersJson(chain)
    case 'queryNetwork/tip':
    case 'queryLedgerState/tip':
      return { slot: chain.tip.slot, id: chain.tip.hash }
    case 'queryNetwork/blockHeight':
      return chain.tip.slot
    case 'submitTransaction':
      return submit(isObject(params) ? params : {}, chain)
    default:
      throw new RpcFailure(-32601, `The local base ledger does not know the method ${method}.`)
  }
}

function queryUtxo({ addresses, outputReferences }: Readonly<Record<string, unknown>>, chain: BaseChain): JsonValue {
  if (Array.isArray(addresses)) return chain.unspent(({ output }) => addresses.includes(output.address)).map(utxoJson)
  if (!Array.isArray(outputReferences)) return chain.unspent().map(utxoJson)
  return outputReferences.flatMap((reference: unknown) => {
    const input = inputOf(reference)
    const entry = chain.get(refOf(input))
    return entry === undefined ? [] : utxoJson(entry)
  })
}

function inputOf(reference: unknown): TxInput {
  const { transaction, index } = isObject(reference) ? reference : {}
  return { txHash: isObject(transaction) ? String(transaction['id']) : '', index: Number(index) }
}

function utxoJson({ input, output }: UTxO): JsonValue {
  const value: Record<string, Record<string, JsonValue>> = {}
  for (const { unit, quantity } of output.amount) {
    const [policy, name] = unit === 'lovelace' ? ['ada', 'lovelace'] : [unit.slice(0, 56), unit.slice(56)]
    value[policy!] = { ...value[policy!], [name!]: new JsonText(quantity) }
  }
  const { datumHash, inlineDatum, scriptRef } = output
  const script = scriptRef && scriptJson(scriptRef)
  return { transaction: { id: input.txHash }, index: input.index, address: output.address, value, datumHash, datum: inlineDatum, script }
}

/** A Plutus script is named by its own bytes, without the byte string that holds them in an output. */
function scriptJson({ language, cborHex }: ScriptRef): JsonValue {
  if (language === 'native') return { language, cbor: cborHex }
  return { language: language.replace('PlutusV', 'plutus:v'), cbor: bytesToHex(new CborReader(hexToBytes(cborHex)).readBytes()) }
}

function parametersJson({ parameters: protocolParameters }: BaseChain): JsonValue {
  const lovelace = (amount: unknown): JsonValue => ({ ada: { lovelace: amount as number } })
  const models: Record<string, JsonValue> = {}
  for (const [language, costs] of Object.entries(protocolParameters['costModels'] as Record<string, JsonValue>)) {
    models[language.replace('PlutusV', 'plutus:v')] = costs
  }
  return {
    minFeeCoefficient: protocolParameters['txFeePerByte'] as number,
    minFeeConstant: lovelace(protocolParameters['txFeeFixed']),
    minFeeReferenceScripts: { base: 15, range: 25600, multiplier: 1.2 },
    maxTransactionSize: { bytes: protocolParameters['maxTxSize'] as number },
    maxValueSize: { bytes: protocolParameters['maxValueSize'] as number },
    minUtxoDepositCoefficient: protocolParameters['utxoCostPerByte'] as number,
    minUtxoDepositConstant: lovelace(0),
    stakeCredentialDeposit: lovelace(protocolParameters['stakeAddressDeposit']),
    stakePoolDeposit: lovelace(protocolParameters['stakePoolDeposit']),
    plutusCostModels: models,
    version: protocolParameters['protocolVersion'] as JsonValue
  }
}

async function submit({ transaction }: Readonly<Record<string, unknown>>, chain: BaseChain): Promise<JsonValue> {
  let tx: PreparedTx
  try {
    tx = prepareTx(hexToBytes(isObject(transaction) ? String(transaction['cbor']) : ''))
  } catch (error) {
    throw new RpcFailure(-32602, `The transaction cannot be read. ${(error as Error).message}`)
  }
  const [reason] = await chain.submit(tx)
  if (reason === undefined) return { transaction: { id: tx.txId } }
  const code = REFUSAL_CODES.find(([name]) => reason.includes(name))?.[1] ?? UNEXPECTED_MEMPOOL_ERROR
  throw new RpcFailure(code, reason)
}
