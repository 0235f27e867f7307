import { useEffect, useState } from 'preact/hooks'
import type { LedgerSources } from '../model/explorer.js'
import { useSession } from './context.js'

/** Transactions that are decoded at a time: thousands at once would block the page. */
const STEP = 150
const PAUSE_MS = 20

/** Logs and outputs of the session, for the pages of the ledger; a change of them renders again. */
export function useSources(): LedgerSources {
  const session = useSession()
  void session.revision
  const { txs, book, funds, life, client } = session
  const utxos = session.outputs.value?.utxos ?? []
  const [, next] = useState(0)
  const isIndexed = book.index(STEP)
  useEffect(() => {
    if (isIndexed) return
    const timer = setTimeout(() => next((step) => step + 1), PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return { txs, book, funds, life, utxos, isArriving: (ref) => client.bridge.isArriving(ref) }
}
