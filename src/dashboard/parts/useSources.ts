import type { LedgerSources } from '../model/explorer.js'
import { useSession } from './context.js'

/** Logs and outputs of the session, for the pages of the ledger; a change of them renders again. */
export function useSources(): LedgerSources {
  const session = useSession()
  void session.revision
  const { txs, book, funds, life, client } = session
  const utxos = session.outputs.value?.utxos ?? []
  return { txs, book, funds, life, utxos, isArriving: (ref) => client.bridge.isArriving(ref) }
}
