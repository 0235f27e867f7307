import { CborReader } from '../../codec/cbor/reader.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { minLovelace } from '../../codec/txOutput.js'
import { type OptionNames, readOptions } from '../../codec/options.js'
import { LOVELACE } from '../../codec/value.js'
import { described } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { TxInput } from '../../types/utxo.js'
import type { GenesisOutput } from './funds.js'
import { genesisOutputs } from './funds.js'
import { LedgerEntry } from '../rules/utxoSet.js'
import type { LedgerParameters } from '../rules/LedgerParameters.js'
import type { GenesisCborUTxO, GenesisEntry, GenesisUTxO } from '../settings/options.js'
import { isObject } from '../json/isObject.js'

const STATED: OptionNames<GenesisUTxO> = {
  address: true,
  lovelace: true,
  amount: true,
  datum: true,
  datumHash: true,
  scriptRef: true
}
const CBOR: OptionNames<GenesisCborUTxO> = { input: true, output: true }
const FORMS = 'entries { address, lovelace }, { address, amount }, { input, output: CBOR hex } or a UTxO map of a node'

/**
 * Reads outputs in any of the forms that `genesis` and `inHead` accept, mixed.
 *
 * @param name - the option, for errors.
 * @param seen - references of outputs that are there already; those of these outputs join them.
 * @throws {@link InvalidArgumentError} on an unknown form or member, on two outputs with one reference (the second
 * would replace the first), or as {@link genesisOutputs}.
 */
export function readGenesis(
  name: 'genesis' | 'inHead',
  entries: readonly GenesisEntry[],
  networkId: 0 | 1,
  seen: Set<string> = new Set()
): GenesisOutput[] {
  const outputs = Array.from(entries, (entry, i) => genesisOutputs(readEntry(`${name}[${i}]`, entry), networkId)).flat()
  for (const output of outputs) {
    if (!(output instanceof LedgerEntry)) continue
    if (seen.has(output.ref)) throw new InvalidArgumentError(name, 'each output once', described(`${output.ref} twice`))
    seen.add(output.ref)
  }
  return outputs
}

/** Checks that an entry has known members only, because a misspelt one would fund something else. */
function readEntry(name: string, entry: GenesisEntry): GenesisEntry {
  if (!isObject(entry)) throw new InvalidArgumentError(name, FORMS, entry)
  if ('input' in entry) {
    const { input, output } = withoutNulls(readOptions(entry as unknown as GenesisCborUTxO, CBOR, name))
    return { input: typeof input === 'string' ? readInput(`${name}.input`, input) : input, output }
  }
  if (!('address' in entry)) return entry
  const stated = withoutNulls(readOptions(entry as unknown as GenesisUTxO, STATED, name))
  for (const [one, other] of [
    ['lovelace', 'amount'],
    ['datum', 'datumHash']
  ] as const) {
    if (one in stated && other in stated) throw new InvalidArgumentError(name, `${one} or ${other}`, described('both'))
  }
  return stated
}

/** Reads a reference: `hash#index`, or the input's CBOR as hex. */
function readInput(name: string, text: string): TxInput {
  const [, txHash, index] = /^([\da-f]{64})#(\d{1,9})$/i.exec(text) ?? []
  if (txHash !== undefined) return { txHash: txHash.toLowerCase(), index: Number(index) }
  try {
    const reader = new CborReader(hexToBytes(text))
    const input = { txHash: '', index: -1 }
    reader.eachItem((at) => {
      if (at === 0) input.txHash = bytesToHex(reader.readBytes())
      else if (at === 1 && input.index < 0) input.index = reader.readSafeUint()
      else reader.fail('two members', 'more')
    })
    reader.finish()
    if (input.index >= 0 && input.txHash.length === 64) return input
  } catch {
    /* refused below */
  }
  throw new InvalidArgumentError(name, "{ txHash, index }, 'txHash#index', or the input as CBOR hex", text)
}

/** Returns an entry without the null members that JavaScript callers pass for omitted ones. */
function withoutNulls<T extends object>(entry: T): T {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value != null)) as T
}

/** Rejects outputs that no head accepts: the node drafts no deposit of them. @throws {@link InvalidArgumentError} */
export function assertDepositable(
  name: string,
  entries: readonly LedgerEntry[],
  { coinsPerUtxoByte }: LedgerParameters
): void {
  for (const { output, payment, value } of entries) {
    if (payment === null)
      throw new InvalidArgumentError(name, 'addresses that are not Byron ones, which no head takes', output.address)
    const least = minLovelace(output, coinsPerUtxoByte)
    const lovelace = value.get(LOVELACE) ?? 0n
    if (lovelace < least) throw new InvalidArgumentError(name, `at least ${least} lovelace in each output`, lovelace)
  }
}
