import { parseAddress } from '../../../codec/address.js'
import { decodeBech32 } from '../../../codec/bech32.js'
import { bytesToHex } from '../../../codec/hex.js'
import type { TxOutput } from '../../../types/utxo.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import { datumHashOf, scriptHashOf } from '../../rules/scriptHash.js'
import type { LedgerEntry } from '../../rules/utxoSet.js'
import type { JsonValue } from '../../json/jsonText.js'
import { IndexerFailure } from './reply.js'

/** An amount as the indexer writes it: lovelace first, quantities as text. */
export function amountJson({ amount }: Pick<TxOutput, 'amount'>): JsonValue {
  const lovelace = amount.find(({ unit }) => unit === 'lovelace') ?? { unit: 'lovelace', quantity: '0' }
  return [lovelace, ...amount.filter(({ unit }) => unit !== 'lovelace')].map(({ unit, quantity }) => ({
    unit,
    quantity
  }))
}

/** Members of an output in every list. */
export function blockfrostOutput({ input, output }: LedgerEntry): Record<string, JsonValue> {
  return {
    address: output.address,
    amount: amountJson(output),
    output_index: input.index,
    data_hash: datumHashOf(output),
    inline_datum: output.inlineDatum ?? null,
    reference_script_hash: scriptHashOf(output)
  }
}

/** An entry of GET /addresses/{address}/utxos. */
export function blockfrostUtxo(entry: LedgerEntry, chain: BaseChain): JsonValue {
  const tx = chain.history.get(entry.input.txHash)
  return {
    ...blockfrostOutput(entry),
    tx_hash: entry.input.txHash,
    tx_index: entry.input.index,
    block: chain.blockAt(tx?.slot ?? 0).hash
  }
}

/** The outputs that an address in a path stands for: those of the address, or all of a payment credential. */
export interface AddressFilter {
  readonly text: string
  readonly stake: { readonly kind: 'key' | 'script'; readonly hash: string } | undefined
  readonly script: boolean
  readonly byron: boolean
  matches(entry: LedgerEntry): boolean
}

const CREDENTIAL_PREFIXES = ['addr_vkh', 'script']
const HASH_BYTES = 28

/** @throws {@link IndexerFailure} on a text that is no address of the network. */
export function addressFilter(text: string, { networkId }: BaseChain): AddressFilter {
  const invalid = new IndexerFailure(400, 'Invalid address for this network or malformed address format.')
  try {
    if (CREDENTIAL_PREFIXES.some((prefix) => text.startsWith(`${prefix}1`))) {
      const { prefix, bytes } = decodeBech32(text)
      if (bytes.length !== HASH_BYTES) throw invalid
      const hash = bytesToHex(bytes)
      // Blockfrost looks for the hash alone, of any kind.
      return {
        text,
        stake: undefined,
        script: prefix === 'script',
        byron: false,
        matches: ({ payment }) => payment?.hash === hash
      }
    }
    const address = parseAddress(text)
    const elsewhere = address.type !== 'byron' && address.networkId !== networkId
    if (elsewhere || address.type === 'reward') throw invalid
    const { stake, payment, type } = address
    return {
      text,
      stake,
      script: payment?.kind === 'script',
      byron: type === 'byron',
      matches: ({ output }) => output.address === text
    }
  } catch {
    throw invalid
  }
}

/** True when an address has ever held anything, as far back as the history goes. */
export function wasUsed(filter: AddressFilter, chain: BaseChain): boolean {
  for (const entry of chain.outputs()) if (filter.matches(entry)) return true
  return false
}

/** Returns the sum of outputs, lovelace first. */
export function sumOf(entries: Iterable<LedgerEntry>): Map<string, bigint> {
  const sum = new Map([['lovelace', 0n]])
  for (const { value } of entries) for (const [unit, quantity] of value) sum.set(unit, (sum.get(unit) ?? 0n) + quantity)
  return sum
}
