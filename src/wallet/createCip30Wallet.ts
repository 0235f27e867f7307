import { addressToString, parseAddress } from '../codec/address.js'
import { CborReader, MAJOR } from '../codec/cbor/reader.js'
import { bytesToHex, hexToBytes } from '../codec/hex.js'
import { readTransaction, toTransactionBytes, transactionHash, transactionId, type TransactionSpans } from '../codec/transaction.js'
import { addVkeyWitnesses, readVkeyWitnesses, type VkeyWitness } from '../codec/witnessSet.js'
import { verify } from '../crypto/ed25519.js'
import { describeValue } from '../errors/base.js'
import { WalletCip30Error } from '../errors/cip30.js'
import { MissingSignersError } from '../errors/wallet.js'
import type { Cip30Api, Cip30Wallet, Cip30WalletOptions } from './cip30.js'
import { decodeUtxo } from './cip30Utxo.js'
import { payloadBytes } from './signData.js'
import { demandedKeyHashes, hashOfKey } from './witnesses.js'

/** The methods of a browser wallet's object under the names of this package's own wallets. */
export function createCip30Wallet(api: Cip30Api, { fetcher, submitter }: Cip30WalletOptions): Cip30Wallet {
  const signTx = async (txCbor: string, partialSign = false): Promise<string> => {
    const transaction = readTransaction(toTransactionBytes(txCbor))
    const answer = await ask('signTx', async () => api.signTx(bytesToHex(transaction.bytes), partialSign))
    return withWitnesses(transaction, answer, partialSign)
  }
  return {
    getNetworkId: async () => ask('getNetworkId', async () => api.getNetworkId()),
    getPaymentAddress: async () => toBech32('getChangeAddress', await ask('getChangeAddress', async () => api.getChangeAddress())),
    getRewardAddress: async () => toBech32('getRewardAddresses', (await ask('getRewardAddresses', async () => api.getRewardAddresses()))?.[0]),
    signTx,
    signTxs: async (txCbors, partialSign = false) => {
      const signed: string[] = []
      // One after another: a browser wallet shows one question at a time.
      for (const txCbor of txCbors) signed.push(await signTx(txCbor, partialSign))
      return signed
    },
    signData: async (address, payload) => {
      const [addressHex, payloadHex] = [bytesToHex(parseAddress(address).bytes), bytesToHex(payloadBytes(payload))]
      const answer = await ask('signData', async () => api.signData(addressHex, payloadHex))
      return { signature: bytesToHex(answerBytes('signData', answer?.signature)), key: bytesToHex(answerBytes('signData', answer?.key)) }
    },
    submitTx: async (tx) => (submitter === undefined ? ask('submitTx', async () => api.submitTx(tx)) : submitter.submitTx(tx)),
    queryUTxOs: async (address) => {
      if (fetcher !== undefined && address !== undefined) return fetcher.fetchAddressUTxOs(address)
      const items = (await ask('getUtxos', async () => api.getUtxos())) ?? []
      if (!Array.isArray(items)) throw new WalletCip30Error('getUtxos', describeValue(items))
      const utxos = items.map((item) => decodeUtxo(answerBytes('getUtxos', item)))
      return address === undefined ? utxos : utxos.filter(({ output }) => output.address === address)
    }
  }
}

async function ask<T>(operation: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    // CIP-30 errors are objects { code, info }, or { maxSize } for a page that is too far.
    const { code, info, message } = (typeof cause === 'object' && cause !== null ? cause : { info: cause }) as Record<string, unknown>
    const text = typeof info === 'string' ? info : typeof message === 'string' ? message : 'no reason given'
    throw new WalletCip30Error(operation, text, typeof code === 'number' ? code : null, cause)
  }
}

function answerBytes(operation: string, answer: unknown): Uint8Array {
  try {
    return hexToBytes(answer as string, 'The answer')
  } catch (cause) {
    throw new WalletCip30Error(operation, 'an answer that is not hex', null, cause)
  }
}

function toBech32(operation: string, answer: unknown): string {
  try {
    return addressToString(answerBytes(operation, answer))
  } catch (cause) {
    throw new WalletCip30Error(operation, 'an answer that is not an address', null, cause)
  }
}

/** The transaction with the browser wallet's signatures, each verified. */
function withWitnesses(transaction: TransactionSpans, answer: unknown, partialSign: boolean): string {
  const id = transactionHash(transaction)
  const witnesses = answeredWitnesses(transaction, answerBytes('signTx', answer))
  if (!witnesses.every(({ vkey, signature }) => verify(signature, id, vkey))) {
    throw new WalletCip30Error('signTx', `a signature that is not of transaction ${bytesToHex(id)}`)
  }
  const signed = addVkeyWitnesses(transaction, witnesses)
  if (!partialSign) {
    const present = new Set(readVkeyWitnesses(readTransaction(signed)).map(({ vkey }) => hashOfKey(vkey)))
    const missing = [...demandedKeyHashes(transaction)].filter((hash) => !present.has(hash))
    if (missing.length > 0) throw new MissingSignersError(missing)
  }
  return bytesToHex(signed)
}

/** CIP-30 says a witness set; some wallets answer with the whole transaction. */
function answeredWitnesses(transaction: TransactionSpans, bytes: Uint8Array): VkeyWitness[] {
  try {
    const reader = new CborReader(bytes, 'The witness set')
    if (reader.peekMajor() === MAJOR.ARRAY) {
      const whole = readTransaction(bytes)
      if (transactionId(whole) !== transactionId(transaction)) reader.fail('the same transaction', 'another', 0)
      return readVkeyWitnesses(whole)
    }
    const witnessSet = reader.skip()
    reader.finish()
    return readVkeyWitnesses({ ...transaction, bytes, witnessSet })
  } catch (cause) {
    throw new WalletCip30Error('signTx', 'an answer that is not a witness set', null, cause)
  }
}
