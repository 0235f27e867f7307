import { parseJson } from '../../bridge/index.js'
import type { UTxO } from '../../client/index.js'

const TIMEOUT_MS = 30_000

/** An unspent output as Kupo writes it; its integers may be beyond 2^53. */
interface Match {
  readonly transaction_id: string
  readonly output_index: number
  readonly address: string
  readonly value: { readonly coins: number | bigint; readonly assets: Readonly<Record<string, number | bigint>> }
  readonly datum_hash: string | null
  readonly script_hash: string | null
}

/**
 * Reads outputs of the local head's base ledger from the page's own server (Kupo's interface), without those that have
 * a datum or a script: no command here spends them.
 */
export async function queryBaseLedger(base: string, address: string): Promise<UTxO[]> {
  const response = await fetch(`${base}/matches/${encodeURIComponent(address)}?unspent`, {
    signal: AbortSignal.timeout(TIMEOUT_MS)
  })
  if (!response.ok) throw new Error(`The base ledger answered with HTTP ${response.status}.`)
  const matches = parseJson(await response.text()) as Match[]
  return matches.filter(({ datum_hash, script_hash }) => datum_hash === null && script_hash === null).map(toUtxo)
}

function toUtxo({ transaction_id: txHash, output_index: index, address, value }: Match): UTxO {
  // Kupo sets policy and name apart with a point.
  const assets = Object.entries(value.assets).map(([unit, quantity]) => ({
    unit: unit.replace('.', ''),
    quantity: String(quantity)
  }))
  return {
    input: { txHash, index },
    output: { address, amount: [{ unit: 'lovelace', quantity: String(value.coins) }, ...assets] }
  }
}
