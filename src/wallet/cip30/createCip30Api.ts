import { addressToString, parseAddress } from '../../codec/address.js'
import { CborReader } from '../../codec/cbor/reader.js'
import { CborWriter } from '../../codec/cbor/writer.js'
import { bytesToHex, hexToBytes, isHex } from '../../codec/hex.js'
import { readTransaction, toTransactionBytes } from '../../codec/transaction.js'
import { addValue, decodeValue, encodeValue, LOVELACE, type Value, valueFromAmounts } from '../../codec/value.js'
import { readVkeyWitnesses } from '../../codec/witnessSet.js'
import { isLayerError } from '../../errors/base.js'
import type { UTxO } from '../../types/utxo.js'
import type { Account } from '../keys/Account.js'
import type { Cip30FullApi, Cip30Paginate, Cip30Request, Cip30Source, ToCip30Options } from './cip30.js'
import { Cip30ApiError, Cip30PaginateError } from './cip30Errors.js'
import { encodeUtxo } from './cip30Utxo.js'

/** Error codes of CIP-30. */
const API_ERROR = { INVALID_REQUEST: -1, INTERNAL: -2 } as const
const TX_SIGN_ERROR = { PROOF_GENERATION: 1, USER_DECLINED: 2 } as const
const DATA_SIGN_ERROR = { PROOF_GENERATION: 1, ADDRESS_NOT_PK: 2, USER_DECLINED: 3 } as const
const TX_SEND_ERROR = { REFUSED: 1, FAILURE: 2 } as const
/** CIP-30: a wallet need not offer more collateral than this, lovelace. */
const MAX_COLLATERAL = 5_000_000n

/**
 * Runs a method and converts its errors to those of CIP-30; `codeOf` maps the package's error code to one of CIP-30.
 */
async function answer<T>(
  run: () => Promise<T>,
  codeOf: (code: string) => number = () => API_ERROR.INTERNAL
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Cip30ApiError || error instanceof Cip30PaginateError) throw error
    const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
    const isInput = isLayerError(error) && String(code).startsWith('INPUT_')
    throw new Cip30ApiError(
      isInput ? API_ERROR.INVALID_REQUEST : codeOf(String(code)),
      typeof message === 'string' ? message : 'unknown'
    )
  }
}

/** Creates the CIP-30 API that `enable()` resolves with, for one account of a wallet. */
export function createCip30Api(
  wallet: Cip30Source,
  account: Account,
  approve: NonNullable<ToCip30Options['approve']>
): Cip30FullApi {
  const { accountIndex, addressIndex: keyIndex } = account
  const address = account.baseAddressBech32
  const addressHex = toHex(address)
  const confirm = async (request: Cip30Request, declined: number): Promise<void> => {
    // Exactly true: an answer object of a dialog, or the text 'no', is no consent.
    if ((await approve(request)) !== true) throw new Cip30ApiError(declined, 'The request was declined.')
  }
  const utxos = async (): Promise<UTxO[]> => wallet.queryUTxOs(address)
  return {
    getExtensions: async () => [],
    getNetworkId: async () => wallet.getNetworkId(),
    getUtxos: async (amount, paginate) =>
      answer(async () => {
        const all = await utxos()
        const chosen = amount == null ? all : reach(all, decodeAmount(amount))
        return chosen && page(chosen.map(encodeUtxo), paginate)
      }),
    getCollateral: async (params) =>
      answer(async () => {
        const coin = params?.amount == null ? MAX_COLLATERAL : decodeAmount(params.amount).get(LOVELACE)!
        if (coin > MAX_COLLATERAL)
          throw new Cip30ApiError(API_ERROR.INVALID_REQUEST, `The collateral is at most ${MAX_COLLATERAL} lovelace.`)
        const pure = (await utxos()).filter(
          ({ output }) => output.amount.length === 1 && output.scriptRef === undefined && !hasDatum(output)
        )
        return reach(pure, new Map([[LOVELACE, coin]]))?.map(encodeUtxo) ?? null
      }),
    getBalance: async () =>
      answer(async () => {
        const writer = new CborWriter()
        encodeValue(writer, sum(await utxos()))
        return writer.toHex()
      }),
    getUsedAddresses: async (paginate) => answer(async () => page([addressHex], paginate)),
    getUnusedAddresses: async () => [],
    getChangeAddress: async () => addressHex,
    getRewardAddresses: async () => [toHex(account.rewardAddressBech32)],
    signTx: async (tx, partialSign = false) =>
      answer(
        async () => {
          const isOwn = (vkey: Uint8Array): boolean =>
            [account.paymentKey.publicKeyHex, account.stakeKey.publicKeyHex].includes(bytesToHex(vkey))
          const txCbor = transactionHex(tx)
          await confirm({ method: 'signTx', txCbor, partialSign }, TX_SIGN_ERROR.USER_DECLINED)
          const signed = readTransaction(
            toTransactionBytes(await wallet.signTx(txCbor, partialSign, accountIndex, keyIndex))
          )
          const ownWitnesses = readVkeyWitnesses(signed).filter(({ vkey }) => isOwn(vkey))
          const writer = new CborWriter().map(1).uint(0).array(ownWitnesses.length)
          for (const { vkey, signature } of ownWitnesses) writer.array(2).bytes(vkey).bytes(signature)
          return writer.toHex()
        },
        () => TX_SIGN_ERROR.PROOF_GENERATION
      ),
    signData: async (signAddress, payload) =>
      answer(
        async () => {
          if (typeof payload !== 'string' || !isHex(payload))
            throw new Cip30ApiError(API_ERROR.INVALID_REQUEST, 'The payload is hex.')
          // CIP-30: an address is bech32 or raw bytes in hex.
          const text =
            typeof signAddress === 'string' && isHex(signAddress)
              ? addressToString(hexToBytes(signAddress))
              : signAddress
          const { payment, stake, type } = parseAddress(text, 'address')
          if ((type === 'reward' ? stake : payment)?.kind !== 'key')
            throw new Cip30ApiError(DATA_SIGN_ERROR.ADDRESS_NOT_PK, 'The address is not of a key.')
          await confirm({ method: 'signData', address: text, payloadHex: payload }, DATA_SIGN_ERROR.USER_DECLINED)
          return wallet.signData(text, payload, accountIndex, keyIndex)
        },
        () => DATA_SIGN_ERROR.PROOF_GENERATION
      ),
    submitTx: async (tx) =>
      answer(
        async () => {
          const txCbor = transactionHex(tx)
          await confirm({ method: 'submitTx', txCbor }, TX_SEND_ERROR.REFUSED)
          return wallet.submitTx(txCbor)
        },
        (code) => (code === 'WALLET_SUBMITTER_MISSING' ? TX_SEND_ERROR.REFUSED : TX_SEND_ERROR.FAILURE)
      )
  }
}

const toHex = (address: string): string => bytesToHex(parseAddress(address).bytes)

/** Returns a transaction as hex text, because a page could change a byte array between approval and signature. */
const transactionHex = (tx: string): string => bytesToHex(readTransaction(toTransactionBytes(tx)).bytes)

const hasDatum = ({ datumHash, inlineDatum }: UTxO['output']): boolean =>
  datumHash !== undefined || inlineDatum !== undefined

function decodeAmount(amount: string): Value {
  const reader = new CborReader(hexToBytes(amount, 'amount'), 'amount')
  const value = decodeValue(reader)
  reader.finish()
  return value
}

function sum(utxos: readonly UTxO[]): Value {
  const total: Value = new Map()
  for (const { output } of utxos) addValue(total, valueFromAmounts(output.amount))
  return total
}

/**
 * Selects outputs in their order until they reach a value, and skips outputs without any asset that is still missing.
 * Returns null when all together do not reach the value.
 */
function reach(utxos: readonly UTxO[], target: Value): UTxO[] | null {
  const lacking: Value = new Map([...target].filter(([, amount]) => amount > 0n))
  const chosen = utxos.filter(({ output }) => {
    const value = valueFromAmounts(output.amount)
    const helps = [...lacking.keys()].filter((unit) => value.has(unit))
    for (const unit of helps) {
      const left = lacking.get(unit)! - value.get(unit)!
      if (left > 0n) lacking.set(unit, left)
      else lacking.delete(unit)
    }
    return helps.length > 0
  })
  return lacking.size === 0 ? chosen : null
}

function page<T>(items: T[], paginate?: Cip30Paginate | null): T[] {
  if (paginate == null) return items
  const { page: number, limit } = paginate
  const isValid = Number.isSafeInteger(number) && number >= 0 && Number.isSafeInteger(limit) && limit > 0
  if (!isValid) throw new Cip30ApiError(API_ERROR.INVALID_REQUEST, 'page and limit are whole numbers.')
  const pages = Math.ceil(items.length / limit)
  if (number > 0 && number >= pages) throw new Cip30PaginateError(pages)
  return items.slice(number * limit, (number + 1) * limit)
}
