import { addressToString, enterpriseAddress, parseAddress } from '../../codec/address.js'
import { LOVELACE, valueFromAmounts } from '../../codec/value.js'
import type { PreparedTx } from '../../devnode/inner.js'
import { depositAddress } from '../../devnode/inner.js'
import type { DevNode } from '../../devnode/index.js'
import { formatAda } from '../../utils/inner.js'

/** Payment as an event repeats it, with the names of its sender and receivers. */
export interface RepeatedPayment {
  readonly txId: string
  /** Name or address. */
  readonly from: string
  /** Amounts by receiver; empty when the transaction pays its sender only. */
  readonly to: readonly PaidOutput[]
}

/** Amount of one receiver. */
export interface PaidOutput {
  /** Name or address. */
  readonly to: string
  /** Lovelace, decimal. */
  readonly lovelace: string
  /** Number of different tokens besides the lovelace. */
  readonly assets: number
}

/** Looks up names (`alice`, `account 3`) of the test keys and accounts, so that output shows them for addresses. */
export class Names {
  readonly #byKeyHash = new Map<string, string>()
  readonly #byAddress = new Map<string, string>()
  readonly #networkId: 0 | 1

  constructor({ keys, accounts }: Pick<DevNode, 'keys' | 'accounts'>) {
    const networkId = [...keys, ...accounts][0]?.address.startsWith('addr1') === true ? 1 : 0
    this.#networkId = networkId
    this.#byAddress.set(depositAddress(networkId), 'deposit')
    for (const { name, address } of keys) this.#add(address, name)
    for (const { index, address } of accounts) this.#add(address, `account ${index}`)
  }

  /** Returns the name of the owner of an address, or the shortened address. */
  ofAddress(address: string): string {
    const name = this.#byAddress.get(address) ?? this.#byKeyHash.get(keyHashOf(address) ?? '')
    return name ?? shortened(address)
  }

  /** Returns the name of a key's owner, else its shortened address: one of `addresses`, or the enterprise address. */
  ofKey(keyHash: string, addresses: readonly string[]): string {
    const name = this.#byKeyHash.get(keyHash)
    if (name !== undefined) return name
    const ownerAddress = addresses.find((address) => keyHashOf(address) === keyHash)
    return shortened(
      ownerAddress ?? addressToString(enterpriseAddress(this.#networkId, { kind: 'key', hash: keyHash }))
    )
  }

  #add(address: string, name: string): void {
    this.#byKeyHash.set(keyHashOf(address)!, name)
  }
}

/** Derives a payment from a transaction: its signers are the senders, owners of other outputs the receivers. */
export function repeatedPaymentOf(tx: PreparedTx, names: Names): RepeatedPayment {
  const addresses = tx.outputs.map(({ output }) => output.address)
  const senders = [...tx.signers]
  const totals = new Map<string, Map<string, bigint>>()
  for (const { output } of tx.outputs) {
    if (tx.signers.has(keyHashOf(output.address) ?? '')) continue
    const to = names.ofAddress(output.address)
    const total = totals.get(to) ?? new Map<string, bigint>()
    for (const [unit, quantity] of valueFromAmounts(output.amount)) total.set(unit, (total.get(unit) ?? 0n) + quantity)
    totals.set(to, total)
  }
  return {
    txId: tx.txId,
    from:
      senders.length === 0
        ? 'unsigned'
        : [...new Set(senders.map((keyHash) => names.ofKey(keyHash, addresses)))].join(' and '),
    to: [...totals].map(([to, total]) => ({
      to,
      lovelace: String(total.get(LOVELACE) ?? 0n),
      assets: total.size - (total.has(LOVELACE) ? 1 : 0)
    }))
  }
}

/** Returns a payment as text: `alice -> bob 3 ada, carol 2 ada`. */
export function paymentText({ from, to }: RepeatedPayment): string {
  if (to.length === 0) return `${from} -> ${from}`
  const shown = to.slice(0, MAX_RECEIVERS).map((receipt) => `${receipt.to} ${amountText(receipt)}`)
  const more = to.length - shown.length
  return `${from} -> ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Returns an amount as text: `3 ada`, `3 ada and 2 tokens`. */
export function amountText({ lovelace, assets }: Pick<PaidOutput, 'lovelace' | 'assets'>): string {
  const tokens = assets === 0 ? '' : ` and ${assets} token${assets === 1 ? '' : 's'}`
  return `${formatAda(BigInt(lovelace))} ada${tokens}`
}

const MAX_RECEIVERS = 3

function keyHashOf(address: string): string | null {
  return parseAddress(address).payment?.hash ?? null
}

/** Returns an address shortened to its beginning and its last characters. */
function shortened(address: string): string {
  return address.length <= 24 ? address : `${address.slice(0, 15)}...${address.slice(-6)}`
}
