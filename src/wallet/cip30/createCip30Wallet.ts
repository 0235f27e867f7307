import { addressToString, parseAddress } from '../../codec/address.js'
import { BodyEntries } from '../../codec/bodyEntries.js'
import { CborReader, MAJOR } from '../../codec/cbor/reader.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { assertNoRepeatedEntries } from '../../codec/repeatedEntries.js'
import {
  readTransaction,
  toTransactionBytes,
  transactionHash,
  transactionId,
  type TransactionSpans
} from '../../codec/transaction.js'
import { readVkeyWitnesses, type VkeyWitness } from '../../codec/witnessSet.js'
import { verify } from '../../crypto/inner.js'
import { describeValue } from '../../errors/base.js'
import { WalletCip30Error } from '../../errors/cip30.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { MissingSignersError } from '../../errors/wallet.js'
import type { Cip30Api, Cip30Wallet, Cip30WalletOptions } from './cip30.js'
import { decodeUtxo } from './cip30Utxo.js'
import { queryWith, submitWith } from '../options.js'
import { payloadBytes } from '../signing/signData.js'
import { hashOfKey, requiredKeyHashes, withWitnesses } from '../signing/witnesses.js'

/** Wraps a browser wallet's API object in the methods of this package's own wallets. */
export function createCip30Wallet(api: Cip30Api, { fetcher, submitter }: Cip30WalletOptions): Cip30Wallet {
  const signTx = async (txCbor: string, partialSign = false): Promise<string> => {
    if (typeof partialSign !== 'boolean') throw new InvalidArgumentError('partialSign', 'true or false', partialSign)
    const transaction = readTransaction(toTransactionBytes(txCbor))
    assertNoRepeatedEntries(transaction.bytes, new BodyEntries(transaction))
    const response = await callWallet('signTx', async () => api.signTx(bytesToHex(transaction.bytes), partialSign))
    return withResponse(transaction, response, partialSign)
  }
  const getChangeAddress = async (): Promise<string> =>
    toBech32('getChangeAddress', await callWallet('getChangeAddress', async () => api.getChangeAddress()))
  return {
    getChangeAddress,
    getAddresses: async () => {
      const used: unknown = await callWallet('getUsedAddresses', async () => api.getUsedAddresses())
      if (!Array.isArray(used)) throw new WalletCip30Error('getUsedAddresses', describeValue(used))
      return [...new Set([await getChangeAddress(), ...used.map((address) => toBech32('getUsedAddresses', address))])]
    },
    getNetworkId: async () => {
      const id: unknown = await callWallet('getNetworkId', async () => api.getNetworkId())
      if (id === 0 || id === 1) return id
      throw new WalletCip30Error('getNetworkId', describeValue(id))
    },
    getPaymentAddress: getChangeAddress,
    getRewardAddress: async () =>
      toBech32(
        'getRewardAddresses',
        (await callWallet('getRewardAddresses', async () => api.getRewardAddresses()))?.[0]
      ),
    signTx,
    signTxs: async (txCbors, partialSign = false) => {
      if (!Array.isArray(txCbors)) throw new InvalidArgumentError('txCbors', 'an array of transactions', txCbors)
      const signed: string[] = []
      // One after another: a browser wallet shows one dialog at a time.
      for (const txCbor of txCbors) signed.push(await signTx(txCbor, partialSign))
      return signed
    },
    signData: async (address, payload) => {
      const [addressHex, payloadHex] = [
        bytesToHex(parseAddress(address, 'address').bytes),
        bytesToHex(payloadBytes(payload))
      ]
      const response = await callWallet('signData', async () => api.signData(addressHex, payloadHex))
      return {
        signature: bytesToHex(responseBytes('signData', response?.signature)),
        key: bytesToHex(responseBytes('signData', response?.key))
      }
    },
    submitTx: async (tx) => {
      if (submitter) return submitWith(submitter, tx)
      const id = await callWallet('submitTx', async () => api.submitTx(tx))
      return bytesToHex(typedResponse('submitTx', 'a transaction id', () => hexToBytes(id, 'The response', 32)))
    },
    queryUTxOs: async (address) => {
      if (fetcher && address != null) return queryWith(fetcher, address)
      const items = (await callWallet('getUtxos', async () => api.getUtxos())) ?? []
      if (!Array.isArray(items)) throw new WalletCip30Error('getUtxos', describeValue(items))
      const utxos = items.map((item) =>
        typedResponse('getUtxos', 'an unspent output', () => decodeUtxo(hexToBytes(item)))
      )
      return address == null ? utxos : utxos.filter(({ output }) => output.address === address)
    }
  }
}

async function callWallet<T>(operation: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    // CIP-30 errors are objects { code, info }, or { maxSize } for a page that is too far.
    const { code, info, message } = (typeof cause === 'object' && cause !== null ? cause : { info: cause }) as Record<
      string,
      unknown
    >
    const text = typeof info === 'string' ? info : typeof message === 'string' ? message : 'no reason given'
    throw new WalletCip30Error(operation, text, typeof code === 'number' ? code : null, cause)
  }
}

/** Reads a response of the browser wallet. One that cannot be read becomes a {@link WalletCip30Error}. */
function typedResponse<T>(operation: string, expected: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new WalletCip30Error(operation, `a response that is not ${expected}`, null, cause)
  }
}

const responseBytes = (operation: string, response: unknown): Uint8Array =>
  typedResponse(operation, 'hex', () => hexToBytes(response as string))

const toBech32 = (operation: string, response: unknown): string =>
  typedResponse(operation, 'an address', () => addressToString(hexToBytes(response as string)))

/** Adds the browser wallet's signatures to a transaction after verifying each; returns CBOR hex. */
function withResponse(transaction: TransactionSpans, response: unknown, partialSign: boolean): string {
  const id = transactionHash(transaction)
  const witnesses = returnedWitnesses(transaction, response)
  if (!witnesses.every(({ vkey, signature }) => verify(signature, id, vkey))) {
    throw new WalletCip30Error('signTx', `a signature that is not of transaction ${bytesToHex(id)}`)
  }
  const signed = withWitnesses(transaction, id, witnesses)
  if (!partialSign) {
    const present = new Set(readVkeyWitnesses(readTransaction(signed)).map(({ vkey }) => hashOfKey(vkey)))
    const missing = [...requiredKeyHashes(transaction)].filter((hash) => !present.has(hash))
    if (missing.length > 0) throw new MissingSignersError(missing)
  }
  return bytesToHex(signed)
}

/**
 * Reads the signatures from a wallet's response: a witness set as CIP-30 requires, or the whole transaction, which some
 * wallets return.
 */
function returnedWitnesses(transaction: TransactionSpans, response: unknown): VkeyWitness[] {
  return typedResponse('signTx', 'a witness set', () => {
    const bytes = hexToBytes(response as string)
    const reader = new CborReader(bytes, 'The witness set')
    if (reader.peekMajor() === MAJOR.ARRAY) {
      const whole = readTransaction(bytes)
      if (transactionId(whole) !== transactionId(transaction)) reader.fail('the same transaction', 'another', 0)
      return readVkeyWitnesses(whole)
    }
    const witnessSet = reader.skip()
    reader.finish()
    return readVkeyWitnesses({ ...transaction, bytes, witnessSet })
  })
}
