import { parseAddress } from '../../codec/address.js'
import { LOVELACE, valueFromAmounts, valueToAmounts } from '../../codec/value.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { CborReader } from '../../codec/cbor/reader.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { decodeTxOutput, encodeTxOutput } from '../../codec/txOutput.js'
import type { Amount, TxInput, TxOutput } from '../../types/utxo.js'
import type { GenesisCborUTxO, GenesisEntry, GenesisUTxO } from '../settings/options.js'
import { isObject } from '../json/isObject.js'
import { statedOutput } from '../rules/utxoContent.js'
import { LedgerEntry } from '../rules/utxoSet.js'

/** Largest quantity that the ledger accepts. */
const MAX_QUANTITY = 2n ** 63n - 1n

/**
 * Returns an output with funds for an address.
 *
 * @throws {@link InvalidAddressError} @throws {@link InvalidArgumentError} when the address is of another network or
 * the funds are not an amount.
 */
export function fundedOutput(address: string, funds: unknown, networkId: 0 | 1): TxOutput {
  const output = { address, amount: amountsOf(funds) }
  assertNetwork(address, networkId)
  assertQuantities(output)
  return output
}

/** @throws {@link InvalidArgumentError} on more than the ledger accepts. */
function assertQuantities({ amount }: TxOutput): void {
  // 19 digits are enough for numbers beyond 2^63.
  const wrong = amount.find(({ quantity }) => quantity.length > 18 && BigInt(quantity) > MAX_QUANTITY)
  if (wrong !== undefined) throw new InvalidArgumentError('quantity', 'at most 2^63-1', wrong.quantity)
}

/** An output that the ledger starts with: an entry keeps its own reference, a bare output gets one from the node. */
export type GenesisOutput = LedgerEntry | TxOutput

/**
 * Returns the outputs of an entry of `genesis`. @throws as {@link fundedOutput}, and a codec error on bytes that are
 * not an output.
 */
export function genesisOutputs(entry: GenesisEntry, networkId: 0 | 1): GenesisOutput[] {
  if (!isObject(entry))
    throw new InvalidArgumentError(
      'genesis',
      'entries { address, lovelace }, { address, amount }, { input, output } or a UTxO map',
      entry
    )
  if ('address' in entry) return [statedGenesis(entry as unknown as GenesisUTxO, networkId)]
  if ('input' in entry) {
    const { input, output } = entry as unknown as GenesisCborUTxO
    const { txHash, index } = isObject(input) ? input : { txHash: '', index: -1 }
    return [checked(new LedgerEntry(inputOf(`${String(txHash)}#${String(index)}`), decodeOutput(output)), networkId)]
  }
  const readable = new Set<string>()
  return Object.entries(entry).map(([ref, json]) => {
    const { referenceScript, inlineDatum, inlineDatumRaw } = isObject(json) ? json : {}
    // An output that cannot be copied to the byte is rejected, never omitted.
    const isPartial = referenceScript != null || (inlineDatum != null && inlineDatumRaw == null)
    const output = isPartial ? null : statedOutput(json, readable)
    if (output === null)
      throw new InvalidArgumentError(
        `genesis[${ref}]`,
        'an output as the node writes it: { address, value, inlineDatumRaw }, without a reference script (which the form { input, output } takes)',
        json
      )
    return checked(new LedgerEntry(inputOf(ref), output), networkId)
  })
}

function statedGenesis(
  { address, amount, lovelace, datum, datumHash, scriptRef }: GenesisUTxO,
  networkId: 0 | 1
): TxOutput {
  const output = fundedOutput(address, amount ?? lovelace, networkId)
  if (datum !== undefined) output.inlineDatum = datum
  else if (datumHash !== undefined) output.datumHash = datumHash
  if (scriptRef !== undefined) output.scriptRef = scriptRef
  // An amount that cannot be written as an output fails here, and not in the middle of a head.
  return checked(new LedgerEntry({ txHash: '', index: 0 }, decodeOutput(bytesToHex(encodeTxOutput(output)))), networkId)
    .output
}

/**
 * Returns an entry, once it is checked: readable, its address prefix not of the other network, its quantities in range.
 */
function checked(entry: LedgerEntry, networkId: 0 | 1): LedgerEntry {
  const { output } = entry
  entry.assertReadable()
  if ((networkId === 0 ? /^(addr|stake)1/i : /^(addr|stake)_test1/i).test(output.address))
    throw otherNetwork(output.address, networkId)
  assertQuantities(output)
  return entry
}

function decodeOutput(cborHex: unknown): TxOutput {
  if (typeof cborHex !== 'string') throw new InvalidArgumentError('genesis.output', 'CBOR hex', cborHex)
  const reader = new CborReader(hexToBytes(cborHex, 'genesis.output'), 'The output')
  const output = decodeTxOutput(reader)
  reader.finish()
  return output
}

function inputOf(ref: string): TxInput {
  const match = /^([0-9a-f]{64})#(0|[1-9]\d{0,4})$/.exec(ref)
  if (match === null) throw new InvalidArgumentError('genesis', 'references txHash#index', ref)
  return { txHash: match[1]!, index: Number(match[2]) }
}

function amountsOf(funds: unknown): Amount[] {
  if (Array.isArray(funds) && funds.length > 0 && funds.every((entry) => typeof entry === 'object' && entry !== null)) {
    return valueToAmounts(valueFromAmounts(funds as Amount[]))
  }
  const whole = typeof funds === 'bigint' || Number.isSafeInteger(funds)
  if (!whole || (funds as bigint | number) <= 0)
    throw new InvalidArgumentError('lovelace', 'a whole number of lovelace above 0, or amounts', funds)
  return [{ unit: LOVELACE, quantity: String(funds) }]
}

/**
 * Checks that an address is of the network; Byron addresses of every network pass, as there is one kind of them only.
 */
function assertNetwork(text: string, networkId: 0 | 1): void {
  const address = parseAddress(text)
  if (address.type === 'byron' || address.networkId === networkId) return
  throw otherNetwork(text, networkId)
}

function otherNetwork(address: string, networkId: 0 | 1): InvalidArgumentError {
  return new InvalidArgumentError('address', `an address of network ${networkId}`, address)
}
