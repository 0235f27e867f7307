import type { TxOutJson, UTxOObject } from '../shapes.js'
import { addressOf, eachAmount, parseInputKey } from '../wire/utxo.js'

/** Outputs that come and go together. */
export interface UtxoChange {
  readonly added: readonly (readonly [key: string, output: TxOutJson])[]
  readonly removed: readonly string[]
}

/** Whether a change changes nothing. */
export function isEmpty({ added, removed }: UtxoChange): boolean {
  return added.length === 0 && removed.length === 0
}

/** An address with many outputs: their keys and their sum are kept up to date. */
interface Holding {
  readonly address: string
  readonly keys: Set<string>
  readonly balance: Map<string, bigint>
}

/** Up to so many outputs of an address are summed when they are asked for: most addresses have few, and sums take memory. */
const FEW = 4
const KEY_HASH_CHARACTERS = 64
const HASH_SIGN = 35

/** The outputs of a head, with what each address holds. An output never changes, so what is known is never looked at again. */
export class UtxoIndex {
  readonly #outputs = new Map<string, TxOutJson>()
  /** Key of the only output, a few keys, or a holding. */
  readonly #addresses = new Map<string, string | readonly string[] | Holding>()

  /** Number of outputs. */
  get size(): number {
    return this.#outputs.size
  }

  has(key: string): boolean {
    return this.#outputs.has(key)
  }

  get(key: string): TxOutJson | undefined {
    return this.#outputs.get(key)
  }

  entries(): IterableIterator<[string, TxOutJson]> {
    return this.#outputs.entries()
  }

  addresses(): string[] {
    return [...this.#addresses.keys()]
  }

  /** Keys of the outputs of an address. */
  keysOf(address: string): readonly string[] {
    const held = this.#addresses.get(address)
    if (held === undefined) return []
    if (typeof held === 'string') return [held]
    return 'balance' in held ? [...held.keys] : held
  }

  /** Sum of the outputs of an address: a Map of the caller's own. */
  balanceOf(address: string): Map<string, bigint> {
    const held = this.#addresses.get(address)
    if (held === undefined) return new Map()
    if (typeof held === 'object' && 'balance' in held) return new Map(held.balance)
    const balance = new Map<string, bigint>()
    for (const key of typeof held === 'string' ? [held] : held) add(balance, this.#outputs.get(key)!)
    return balance
  }

  /** What leads from here to the given outputs. */
  diff(utxo: UTxOObject, more: UTxOObject | null = null): UtxoChange {
    const added: [string, TxOutJson][] = []
    const outputs = this.#outputs
    let kept = 0
    for (const key in utxo) {
      if (outputs.has(key)) kept++
      else added.push([key, utxo[key]!])
    }
    if (more !== null) {
      for (const key in more) {
        if (Object.hasOwn(utxo, key)) continue
        if (outputs.has(key)) kept++
        else added.push([key, more[key]!])
      }
    }
    const removed: string[] = []
    if (kept < outputs.size) {
      for (const key of outputs.keys()) if (!Object.hasOwn(utxo, key) && (more === null || !Object.hasOwn(more, key))) removed.push(key)
    }
    return { added, removed }
  }

  /**
   * Applies a change as a whole, or not at all.
   *
   * @throws {@link ProtocolError} when an added output cannot be read.
   */
  apply({ added, removed }: UtxoChange): void {
    if (this.#outputs.size > 0) {
      for (const [key, output] of added) checkOutput(key, output)
      for (const key of removed) this.#remove(key)
      for (const [key, output] of added) this.#add(key, output)
      return
    }
    // From nothing: checked while adding, since going back is easy.
    try {
      for (const [key, output] of added) {
        checkKey(key)
        this.#add(key, output)
      }
    } catch (error) {
      this.clear()
      throw error
    }
  }

  clear(): void {
    this.#outputs.clear()
    this.#addresses.clear()
  }

  #add(key: string, output: TxOutJson): void {
    if (this.#outputs.has(key)) return
    const address = addressOf(output, key)
    const held = this.#addresses.get(address)
    if (held === undefined) {
      eachAmount(output.value, () => undefined)
      this.#addresses.set(address, key)
    } else if (typeof held === 'object' && 'balance' in held) {
      add(held.balance, output)
      held.keys.add(key)
      output.address = held.address
    } else {
      eachAmount(output.value, () => undefined)
      const keys = typeof held === 'string' ? [held] : held
      // One text for all outputs of the address.
      const same = this.#outputs.get(keys[0]!)!.address
      output.address = same
      this.#outputs.set(key, output)
      this.#addresses.set(same, keys.length < FEW ? [...keys, key] : this.#sum(same, [...keys, key]))
    }
    this.#outputs.set(key, output)
  }

  #sum(address: string, keys: readonly string[]): Holding {
    const balance = new Map<string, bigint>()
    for (const key of keys) add(balance, this.#outputs.get(key)!)
    return { address, keys: new Set(keys), balance }
  }

  #remove(key: string): void {
    const output = this.#outputs.get(key)
    if (output === undefined) return
    this.#outputs.delete(key)
    const { address } = output
    const held = this.#addresses.get(address)
    if (held === undefined || typeof held === 'string') this.#addresses.delete(address)
    else if ('balance' in held) {
      held.keys.delete(key)
      add(held.balance, output, -1n)
      if (held.keys.size <= 2) this.#addresses.set(address, [...held.keys])
    } else {
      const left = held.filter((other) => other !== key)
      this.#addresses.set(address, left.length === 1 ? left[0]! : left)
    }
  }
}

function add(balance: Map<string, bigint>, output: TxOutJson, sign = 1n): void {
  eachAmount(output.value, (unit, quantity) => {
    const sum = (balance.get(unit) ?? 0n) + sign * quantity
    if (sum === 0n) balance.delete(unit)
    else balance.set(unit, sum)
  })
}

/** Most keys are looked at digit by digit; the others say what is wrong with them. */
function checkKey(key: string): void {
  let at = KEY_HASH_CHARACTERS
  if (key.charCodeAt(at) === HASH_SIGN) {
    do at++
    while (key.charCodeAt(at) >= 48 && key.charCodeAt(at) <= 57)
  }
  if (at < key.length || at < KEY_HASH_CHARACTERS + 2 || at > KEY_HASH_CHARACTERS + 10) parseInputKey(key)
}

function checkOutput(key: string, output: TxOutJson): void {
  checkKey(key)
  addressOf(output, key)
  eachAmount(output.value, () => undefined)
}
