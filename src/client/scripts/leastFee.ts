import { readVkeyWitnesses } from '../../codec/witnessSet.js'
import { bytesToHex } from '../../codec/hex.js'
import { decimalPrice, priceOfUnits } from '../../codec/unitPrice.js'
import { blake2b224 } from '../../hash/blake2b.js'
import { referenceScriptFee } from '../../tx/inner.js'
import type { TxInput, UTxO } from '../../types/utxo.js'
import type { TotalUnits } from './checkScripts.js'
import type { HeadParameters } from './headParameters.js'
import type { TxWithOutputs } from './resolveTx.js'
import { paymentOf } from './resolveTx.js'

/** `[key of 32 bytes, signature of 64 bytes]` */
const WITNESS_BYTES = 101
/** Key, tag 258 and array header of a set of witnesses that is not there yet. */
const WITNESS_SET_BYTES = 5

/**
 * Returns the least fee that the head accepts, lovelace, for the transaction once it contains these units in its
 * redeemers, that fee, and the signatures of the keys that its inputs, collateral and required signers name. Signatures
 * that native scripts demand do not count.
 *
 * @see cardano-ledger, Conway, `getMinFeeTx`
 */
export function leastFee(tx: TxWithOutputs, units: readonly TotalUnits[], { number }: HeadParameters): bigint {
  const [perByte, fixed] = [BigInt(number('txFeePerByte')), BigInt(number('txFeeFixed'))]
  const spent = [...tx.inputs, ...tx.referenceInputs].flatMap((input) => tx.outputs.get(nameOf(input)) ?? [])
  const rest =
    fixed +
    priceOfUnits(
      units,
      decimalPrice(number('executionUnitPrices.priceMemory', 0)),
      decimalPrice(number('executionUnitPrices.priceSteps', 0))
    ) +
    referenceScriptFee(spent, number('minFeeRefScriptCostPerByte', 0))
  const size = sizeBytes(tx, units)
  const declared = headBytes(tx.body.fee)
  // The fee stands in the transaction: its size and the fee settle after a step or two.
  for (let fee = 0n, last = -1n; ; last = fee) {
    fee = perByte * BigInt(size - declared + headBytes(fee)) + rest
    if (fee <= last) return last
  }
}

const nameOf = ({ txHash, index }: TxInput): string => `${txHash}#${index}`

function sizeBytes(tx: TxWithOutputs, units: readonly TotalUnits[]): number {
  const { bytes } = tx.spans
  const declared = tx.witnesses.redeemers.reduce((sum, { mem, cpu }) => sum + headBytes(mem) + headBytes(cpu), 0)
  const evaluated = units.reduce((sum, { mem, cpu }) => sum + headBytes(mem) + headBytes(cpu), 0)
  // The ledger leaves out the byte that says whether scripts succeed.
  const witnessed = bytes.length - 1 - declared + evaluated
  const present = readVkeyWitnesses(tx.spans)
  const signed = new Set(present.map(({ vkey }) => bytesToHex(blake2b224(vkey))))
  const demanded = demandedKeys(tx)
  const missing = [...demanded].filter((key) => !signed.has(key)).length
  // Builders draft with as many signatures of zeros as there will be.
  const more = Math.min(missing, Math.max(0, demanded.size - present.length))
  return more === 0 ? witnessed : witnessed + more * WITNESS_BYTES + (present.length === 0 ? WITNESS_SET_BYTES : 0)
}

function demandedKeys({ body, inputs, outputs }: TxWithOutputs): Set<string> {
  const keys = new Set(body.requiredSigners)
  for (const input of [...inputs, ...body.collateral]) {
    const utxo: UTxO | undefined = outputs.get(nameOf(input))
    const payment = utxo === undefined ? undefined : paymentOf(utxo)
    if (payment?.kind === 'key') keys.add(payment.hash)
  }
  return keys
}

/** Bytes of a CBOR integer. */
function headBytes(value: bigint): number {
  if (value < 24n) return 1
  if (value < 0x100n) return 2
  if (value < 0x10000n) return 3
  return value < 0x1_0000_0000n ? 5 : 9
}
