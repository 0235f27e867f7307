import type { NetworkName } from '../constants.js'
import type { Fetcher, ProtocolParameters, Tip } from '../types/provider.js'
import type { ScriptRef, UTxO } from '../types/utxo.js'
import { assertAddress, assertAsset, assertRefs } from './arguments.js'
import { bounded, mapFew } from './bounded.js'
import type { HttpClient } from './http.js'
import { sendHttp } from './http.js'
import { costModels } from './parameters.js'
import { AnswerReader } from './read.js'

const PAGE = 100
const MAX_SCRIPTS_KEPT = 500

type Get = (path: string, signal: AbortSignal) => Promise<{ value: unknown; read: AnswerReader }>
type FindScript = (hash: string) => Promise<ScriptRef>

/** An output as it was listed; its script is still to be fetched. */
interface Listed {
  utxo: UTxO
  scriptHash: string | null
}

/** The reading half of the Indexer. Blockfrost openapi 0.1.91. */
export function createIndexerFetcher(client: HttpClient, network: NetworkName): Fetcher {
  const scripts = new Map<string, ScriptRef>()

  /** The JSON answer, or undefined for 404: never seen. */
  const get: Get = async (path, signal) => {
    const answer = await sendHttp(client, { method: 'GET', path, repeatable: true, accept: [404], signal })
    const read = new AnswerReader(answer.url)
    // A 404 that is no JSON comes from another kind of server: a wrong baseUrl must not read as an empty wallet.
    const isAbsent = answer.status === 404
    const value = isAbsent && answer.text === '' ? undefined : read.parse(answer.text)
    return { read, value: isAbsent ? undefined : value }
  }
  const getObject = async (path: string, signal: AbortSignal | undefined): Promise<{ value: Record<string, unknown>; read: AnswerReader }> => {
    const { value, read } = await bounded({ signal }, (scope) => get(path, scope))
    return { read, value: read.object(value, '') }
  }
  const complete = (listed: readonly Listed[], signal: AbortSignal): Promise<UTxO[]> =>
    resolveScripts(listed, async (hash) => {
      const script = scripts.get(hash) ?? (await fetchScript(get, hash, signal))
      // Scripts never change under their hash; the oldest gives way.
      if (scripts.size >= MAX_SCRIPTS_KEPT) scripts.delete(scripts.keys().next().value!)
      scripts.set(hash, script)
      return script
    })

  return {
    async fetchAddressUTxOs(address, asset, options) {
      const unit = asset === undefined ? 'lovelace' : assertAsset(asset)
      const path = `/addresses/${assertAddress(address, network)}/utxos${unit === 'lovelace' ? '' : `/${unit}`}`
      return bounded({ signal: options?.signal }, async (signal) => {
        const listed = await listPages(get, path, signal)
        return complete(listed, signal)
      })
    },
    async fetchUTxOs(refs, options) {
      const wanted = [...assertRefs(refs).values()]
      return bounded({ signal: options?.signal }, async (signal) => {
        const ids = [...new Set(wanted.map((ref) => ref.txHash))]
        const found = await mapFew(ids, (id) => fetchUnspent(get, id, signal))
        const byTx = new Map(ids.map((id, i) => [id, found[i]!]))
        return complete(
          wanted.flatMap(({ txHash, index }) => byTx.get(txHash)!.filter(({ utxo }) => utxo.input.index === index)),
          signal
        )
      })
    },
    async fetchProtocolParameters(options) {
      const { value, read } = await getObject('/epochs/latest/parameters', options?.signal)
      return readParameters(value, read)
    },
    async fetchTip(options): Promise<Tip> {
      const { value, read } = await getObject('/blocks/latest', options?.signal)
      return { slot: read.whole(value['slot'], 'slot'), hash: read.hex(value['hash'], 'hash', 32), height: read.whole(value['height'], 'height') }
    }
  }
}

/**
 * All pages of a list. Its length is not announced: a page of fewer than 100 entries is the last. The second page is asked
 * for alone, the further ones three at a time, so at most two requests are in vain, and none below 200 entries.
 */
async function listPages(get: Get, path: string, signal: AbortSignal): Promise<Listed[]> {
  const listed = new Map<string, Listed>()
  let isLast = false
  for (let first = 1; !isLast; ) {
    const pages = Array.from({ length: first < 3 ? 1 : 3 }, (_, i) => first + i)
    const answers = await Promise.all(pages.map((page) => get(`${path}?order=asc&count=${PAGE}&page=${page}`, signal)))
    for (const { value, read } of answers) {
      // 404 says that the address was never used; after a first page it would say that the answers do not belong together.
      const entries = value === undefined && first === 1 ? [] : read.list(value, '')
      read.check(entries.length <= (isLast ? 0 : PAGE), '', isLast ? 'nothing after the last page' : `at most ${PAGE} entries`, entries)
      for (const entry of entries) {
        const each = readOutput(read.object(entry, ''), read)
        const { txHash, index } = each.utxo.input
        read.check(!listed.has(`${txHash}#${index}`), 'output_index', 'each output once (the list may have changed meanwhile: ask again)', index)
        listed.set(`${txHash}#${index}`, each)
      }
      isLast = entries.length < PAGE
    }
    first += pages.length
  }
  return [...listed.values()]
}

/** The unspent outputs of one transaction. */
async function fetchUnspent(get: Get, id: string, signal: AbortSignal): Promise<Listed[]> {
  const { value, read } = await get(`/txs/${id}/utxos`, signal)
  if (value === undefined) return []
  return read.list(read.object(value, '')['outputs'], 'outputs').flatMap((entry) => {
    const output = read.object(entry, 'outputs')
    const { consumed_by_tx: spentBy, collateral } = output
    read.check(spentBy === null || typeof spentBy === 'string', 'outputs.consumed_by_tx', 'a transaction id or null', spentBy)
    // A collateral output exists only where the scripts failed, and is then listed as a normal one.
    return spentBy !== null || collateral === true ? [] : [readOutput({ ...output, tx_hash: id }, read)]
  })
}

function readOutput(entry: Record<string, unknown>, read: AnswerReader): Listed {
  const { amount, data_hash: datumHash, inline_datum: inlineDatum, reference_script_hash: scriptHash } = entry
  const amounts = read.list(amount, 'amount').map((each) => {
    const { unit, quantity } = read.object(each, 'amount')
    return [unit, quantity] as const
  })
  const utxo: UTxO = {
    input: { txHash: read.hex(entry['tx_hash'], 'tx_hash', 32), index: read.whole(entry['output_index'], 'output_index') },
    output: { address: read.text(entry['address'], 'address'), amount: read.amounts(amounts, 'amount') }
  }
  // The hash of an inline datum is listed too, but is no part of the output.
  if (typeof inlineDatum === 'string') utxo.output.inlineDatum = read.hex(inlineDatum, 'inline_datum')
  else if (read.check(inlineDatum === null, 'inline_datum', 'hex or null', datumHash) !== null) utxo.output.datumHash = read.hex(datumHash, 'data_hash', 32)
  return { utxo, scriptHash: scriptHash === null ? null : read.hex(scriptHash, 'reference_script_hash', 28) }
}

async function resolveScripts(listed: readonly Listed[], find: FindScript): Promise<UTxO[]> {
  const hashes = [...new Set(listed.flatMap(({ scriptHash }) => scriptHash ?? []))]
  const found = await mapFew(hashes, find)
  const byHash = new Map(hashes.map((hash, i) => [hash, found[i]!]))
  for (const { utxo, scriptHash } of listed) if (scriptHash !== null) utxo.output.scriptRef = byHash.get(scriptHash)!
  return listed.map(({ utxo }) => utxo)
}

/** One request for a Plutus script: its hash tells the language. A native script has no CBOR there, only JSON. */
async function fetchScript(get: Get, hash: string, signal: AbortSignal): Promise<ScriptRef> {
  const [{ value, read }, scripts] = await Promise.all([get(`/scripts/${hash}/cbor`, signal), import('./scripts.js')])
  const { cbor } = read.object(value, '')
  if (cbor !== null) return scripts.scriptFromHash(read.hex(cbor, 'cbor'), hash, read)
  const native = await get(`/scripts/${hash}/json`, signal)
  return { language: 'native', cborHex: scripts.nativeScriptCbor(native.read.object(native.value, '')['json'], native.read) }
}

function readParameters(value: Record<string, unknown>, read: AnswerReader): ProtocolParameters {
  const number = (field: string): number => read.whole(value[field], field)
  const big = (field: string): bigint => BigInt(read.quantity(value[field], field))
  const scriptFee = value['min_fee_ref_script_cost_per_byte']
  return {
    minFeeA: number('min_fee_a'),
    minFeeB: number('min_fee_b'),
    maxTxSize: number('max_tx_size'),
    maxValueSize: number('max_val_size'),
    coinsPerUtxoByte: big('coins_per_utxo_size'),
    keyDeposit: big('key_deposit'),
    poolDeposit: big('pool_deposit'),
    ...(typeof scriptFee === 'number' ? { minFeeRefScriptCostPerByte: scriptFee } : {}),
    costModels: costModels(value['cost_models_raw'], read),
    protocolVersion: { major: number('protocol_major_ver'), minor: number('protocol_minor_ver') },
    raw: value
  }
}

