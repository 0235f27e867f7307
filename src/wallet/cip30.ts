import { CborReader, MAJOR } from '../codec/cbor/reader.js'
import { CborWriter } from '../codec/cbor/writer.js'
import { addressToString, parseAddress } from '../codec/address.js'
import { bytesToHex, hexToBytes } from '../codec/hex.js'
import { readTransaction, toTransactionBytes, transactionHash, transactionId, type TransactionSpans } from '../codec/transaction.js'
import { decodeTxOutput, encodeTxOutput } from '../codec/txOutput.js'
import { addVkeyWitnesses, readVkeyWitnesses, type VkeyWitness } from '../codec/witnessSet.js'
import { verify } from '../crypto/ed25519.js'
import { describeValue } from '../errors/base.js'
import { InvalidArgumentError } from '../errors/input.js'
import { MissingSignersError, WalletCip30Error } from '../errors/wallet.js'
import type { UTxO } from '../types/utxo.js'
import type { WalletProviderOptions } from './options.js'
import { type DataSignature, payloadBytes } from './signData.js'
import { demandedKeyHashes, hashOfKey } from './witnesses.js'

/** Page of a list, from 0. */
export interface Cip30Paginate {
  page: number
  limit: number
}

/** What a browser wallet gives a page after `enable()`. Addresses, values, outputs and transactions are CBOR or raw bytes in hex. @see CIP-30 */
export interface Cip30Api {
  getExtensions?(): Promise<{ cip: number }[]>
  getNetworkId(): Promise<number>
  /** Null when `amount` (CBOR value) cannot be reached. */
  getUtxos(amount?: string, paginate?: Cip30Paginate): Promise<string[] | null>
  getBalance(): Promise<string>
  getUsedAddresses(paginate?: Cip30Paginate): Promise<string[]>
  getUnusedAddresses(): Promise<string[]>
  getChangeAddress(): Promise<string>
  getRewardAddresses(): Promise<string[]>
  /** Resolves with a witness set. */
  signTx(tx: string, partialSign?: boolean): Promise<string>
  /** `payload` in hex. */
  signData(address: string, payload: string): Promise<DataSignature>
  submitTx(tx: string): Promise<string>
}

/** A browser wallet behind the methods of this package's own wallets. */
export interface Cip30Wallet {
  /** 0 on test networks, 1 on mainnet. */
  getNetworkId(): Promise<number>
  /** The wallet's change address: bech32. */
  getPaymentAddress(): Promise<string>
  /** The wallet's first reward address: bech32. */
  getRewardAddress(): Promise<string>
  /** The whole signed transaction: CBOR hex. Only the set of key witnesses differs from what came in. */
  signTx(txCbor: string, partialSign?: boolean): Promise<string>
  signTxs(txCbors: readonly string[], partialSign?: boolean): Promise<string[]>
  /** `address` in bech32; `payload`: hex digits of even length are bytes, other text is UTF-8. */
  signData(address: string, payload: string): Promise<DataSignature>
  /** Resolves with the transaction's id. */
  submitTx(signedTxCbor: string): Promise<string>
  /** Unspent outputs of the wallet, or those at one address. Without a `fetcher` only the wallet's own outputs are known. */
  queryUTxOs(address?: string): Promise<UTxO[]>
}

/** Options of {@link walletFromCip30}: what to use in place of the browser wallet's own provider. */
export type Cip30WalletOptions = Pick<WalletProviderOptions, 'fetcher' | 'submitter'>

/**
 * Gives a browser wallet the methods of {@link AppWallet}. Every answer is checked: a signature that is not one of the transaction's own
 * id is refused here, not by the ledger.
 *
 * All methods reject with {@link WalletCip30Error} when the browser wallet refuses or fails; `cip30Code` is then its error code.
 *
 * @param api - what `await window.cardano.<name>.enable()` resolves with.
 * @example
 * ```ts no-run
 * import { walletFromCip30 } from 'layer-sdk/wallet'
 * const wallet = walletFromCip30(await window.cardano.lace.enable())
 * const { signature, key } = await wallet.signData(await wallet.getPaymentAddress(), 'login 42')
 * ```
 * @see CIP-30
 */
export function walletFromCip30(api: Cip30Api, options: Cip30WalletOptions = {}): Cip30Wallet {
  if (typeof api !== 'object' || api === null) throw new InvalidArgumentError('api', 'what enable() of a browser wallet resolves with', api)
  const { fetcher, submitter } = options
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

/** One `[input, output]` of CIP-30. */
export function decodeUtxo(bytes: Uint8Array): UTxO {
  const reader = new CborReader(bytes, 'The unspent output')
  const outer = reader.readArrayHeader()
  const inner = reader.readArrayHeader()
  const input = { txHash: bytesToHex(reader.readBytes()), index: reader.readSafeUint() }
  if (inner < 0) reader.readBreak()
  const output = decodeTxOutput(reader)
  if (outer < 0) reader.readBreak()
  reader.finish()
  return { input, output }
}

/** An unspent output as `[input, output]`. */
export function encodeUtxo({ input, output }: UTxO): string {
  const writer = new CborWriter().array(2).array(2).bytes(hexToBytes(input.txHash, 'txHash', 32)).uint(input.index)
  return writer.raw(encodeTxOutput(output)).toHex()
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
