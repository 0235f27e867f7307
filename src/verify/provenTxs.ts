import { equalBytes } from '../codec/bytes.js'
import { bytesToHex } from '../codec/hex.js'
import { isAuthorized } from './authorized.js'
import type { ReadTx } from './readTx.js'
import { readTx } from './readTx.js'

/** Outputs by key, as the parties hash them; undefined at Byron addresses. */
export interface OutputView {
  has(key: string): boolean
  get(key: string): Uint8Array | undefined
}

type KeyedBytes = Iterable<readonly [key: string, data: Uint8Array | undefined]>

/** A snapshot that all parties have signed, and the transactions that its sender states. */
export interface SaidTransition {
  /** Outputs of an earlier verified snapshot of the head; null where none is known. */
  readonly before: OutputView | null
  /** Outputs of the verified snapshot. */
  readonly after: OutputView
  /** Outputs of `before` that are not in `after`. */
  readonly gone: KeyedBytes
  /** Outputs of `after` that are not in `before`; not read when `gone` is empty. */
  readonly added: KeyedBytes
  /** Its transactions, which no party signs as such. */
  readonly confirmed: readonly unknown[]
}

/** Facts about the transactions that the outputs prove. */
export interface ProvenTxs {
  /** Ids of the transactions whose effect the outputs prove. */
  readonly proven: ReadonlySet<string>
  /**
   * Key of an added output that equals one that is gone, although no transaction of its owner has spent that one: the
   * sender may only have changed its reference. Null when there is none.
   */
  readonly renamed: string | null
}

/**
 * Finds the transactions whose effect signed outputs prove: none of their inputs is among the outputs, and each of
 * their own outputs is, or was spent by a transaction that is proven too.
 *
 * References (`txHash#index`) are not signed, so the sender could present an old output as that of a new transaction.
 * An output that equals one that is gone is therefore no proof, unless a transaction signed by its owner has spent that
 * one.
 */
export async function provenTxs({ before, after, confirmed, ...changes }: SaidTransition): Promise<ProvenTxs> {
  const txs = confirmed.map(readTx).filter((tx) => tx !== null)
  const spenderOf = new Map(txs.flatMap((tx) => tx.spent.map((key) => [key, tx] as const)))
  const removedKeys = byContent(changes.gone)
  const authorized = authorizations(txs, before)
  const isExplained = async (content: string): Promise<boolean> => {
    for (const key of removedKeys.get(content) ?? []) {
      const spender = spenderOf.get(key)
      if (spender === undefined || !(await authorized(spender))) return false
    }
    return true
  }
  const proven = new Set<string>()
  // Children come after their parents.
  for (const tx of [...txs].reverse()) {
    if (tx.spent.some((key) => after.has(key))) continue
    if (await holds(tx)) proven.add(tx.txId)
  }
  return { proven, renamed: await renamedOutput() }

  async function holds(tx: ReadTx): Promise<boolean> {
    let evidence = false
    for (const [key, output] of tx.made) {
      if (after.has(key)) {
        const signedOutput = after.get(key)
        if (signedOutput === undefined || output === undefined) continue
        if (!equalBytes(signedOutput, output)) return false
        evidence ||= await isExplained(bytesToHex(signedOutput))
        continue
      }
      const spender = spenderOf.get(key)
      if (spender === undefined || !proven.has(spender.txId) || !(await authorized(spender))) return false
      evidence = true
    }
    return evidence
  }

  async function renamedOutput(): Promise<string | null> {
    if (removedKeys.size === 0) return null
    for (const [key, output] of changes.added) {
      if (output === undefined) continue
      const content = bytesToHex(output)
      if (removedKeys.has(content) && !(await isExplained(content))) return key
    }
    return null
  }
}

/** Groups the keys of outputs by the outputs' bytes. */
function byContent(outputs: KeyedBytes): Map<string, string[]> {
  const keys = new Map<string, string[]>()
  for (const [key, output] of outputs) {
    if (output === undefined) continue
    const content = bytesToHex(output)
    keys.set(content, [...(keys.get(content) ?? []), key])
  }
  return keys
}

/**
 * Creates the function that tells whether the owners of its inputs have signed a transaction. Each transaction is
 * checked once, and only when it is asked for.
 */
function authorizations(txs: readonly ReadTx[], before: OutputView | null): (tx: ReadTx) => Promise<boolean> {
  const made = new Map(txs.flatMap((tx) => [...tx.made]))
  const results = new Map<ReadTx, Promise<boolean>>()
  return (tx) => {
    const found = results.get(tx) ?? isAuthorized(tx, (key) => made.get(key) ?? before?.get(key))
    results.set(tx, found)
    return found
  }
}
