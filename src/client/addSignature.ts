import { parseAddress } from '../codec/address.js'
import { readTransaction, toTransactionBytes } from '../codec/transaction.js'
import { decodeTransactionBody } from '../codec/transactionBody.js'
import { ScriptInputError } from '../errors/scripts.js'
import { signersOf } from '../tx/inner.js'
import type { ClientContext } from './ClientContext.js'
import type { OwnTx } from './ownTx.js'
import { inputsOf } from './parsedTx.js'

/**
 * True when a signed transaction lacks a signature that this wallet can add: of a key that has to sign, or that a
 * native script without enough signatures names. Inputs that the head does not know are ignored.
 */
export function lacksOwnSignature({ account }: ClientContext, { cborHex, pending }: OwnTx): boolean {
  const credentials = (account.addresses ?? []).flatMap((address) => {
    const { payment, stake } = parseAddress(address)
    return [payment, stake]
  })
  const keys = new Set(credentials.flatMap((each) => (each?.kind === 'key' ? [each.hash] : [])))
  if (keys.size === 0) return false
  const knownInputs = pending.inputs.filter(({ output }) => output.address !== '')
  const { signers, scripts } = signersOf(cborHex, knownInputs)
  const open = new Set(scripts.flatMap(({ satisfied, keyHashes }) => (satisfied ? [] : keyHashes)))
  return signers.some(({ keyHash, signed, needed }) => !signed && keys.has(keyHash) && (needed || open.has(keyHash)))
}

/**
 * Checks that each key that has to sign a transaction with scripts has done so. Inputs that the head does not know are
 * ignored.
 *
 * @param signed - the transaction as it would be sent: CBOR hex
 * @throws {@link ScriptInputError} `signature-missing`, naming the keys, the inputs of scripts and their hashes
 */
export function assertScriptSignatures(context: ClientContext, { pending }: OwnTx, signed: string): void {
  const { collateral } = decodeTransactionBody(readTransaction(toTransactionBytes(signed)))
  const isKnown = ({ output }: (typeof pending.inputs)[number]): boolean => output.address !== ''
  const knownInputs = [...pending.inputs, ...inputsOf(context, { inputs: collateral })].filter(isKnown)
  const { missing, signers } = signersOf(signed, knownInputs)
  if (missing.length === 0) return
  const locked = pending.inputs.filter(isKnown).flatMap(({ input, output }) => {
    const payment = parseAddress(output.address).payment
    return payment?.kind === 'script' ? [{ input: `${input.txHash}#${input.index}`, scriptHash: payment.hash }] : []
  })
  const reasonsOf = (keyHash: string): string =>
    (signers.find((each) => each.keyHash === keyHash)?.reasons ?? [])
      .map(({ kind, subject }) => (subject === null ? kind : `${kind} ${subject}`))
      .join(', ')
  throw new ScriptInputError(
    'signature-missing',
    'A key that has to sign the transaction has not, and this wallet cannot.',
    locked.length === 1 ? locked[0]! : {},
    {
      expected: `signatures of ${missing.map((keyHash) => `${keyHash} (${reasonsOf(keyHash)})`).join(', ')}`,
      got:
        locked.length === 1
          ? 'none of them'
          : `none of them, for ${locked.map(({ input, scriptHash }) => `${input} (${scriptHash})`).join(', ')}`
    }
  )
}
