import type { NetworkName } from '../../constants.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { Fetcher, Tip } from '../../types/provider.js'
import type { ScriptRef, UTxO } from '../../types/utxo.js'
import { assertAddress, assertAsset, assertRefs } from '../shared/arguments.js'
import { createSemaphore, withTimeLimit } from '../../net/abort.js'
import type { HttpClient } from '../shared/httpClient.js'
import { sendHttp } from '../shared/httpClient.js'
import { ResponseReader } from '../shared/ResponseReader.js'

const PAGE = 100
const MAX_SCRIPTS_KEPT = 500

type Get = (path: string, signal: AbortSignal) => Promise<{ value: unknown; read: ResponseReader }>
type FindScript = (hash: string) => Promise<ScriptRef>

/** A listed output and the request for its reference script, if it has one. */
interface Listed {
  utxo: UTxO
  script: Promise<ScriptRef> | null
}

/** Creates the fetcher of `IndexerProvider`, for Blockfrost openapi 0.1.91. */
export function createIndexerFetcher(client: HttpClient, network: NetworkName, maxPages: number): Fetcher {
  const get = createGet(client)
  const getObject = async (
    path: string,
    signal: AbortSignal | undefined
  ): Promise<{ value: Record<string, unknown>; read: ResponseReader }> => {
    const { value, read } = await withTimeLimit({ signal }, (scope) => get(path, scope))
    return { read, value: read.object(value, '') }
  }
  const findScripts = createScriptFinder(get)

  return {
    async fetchAddressUTxOs(address, asset, options) {
      const unit = asset === undefined ? 'lovelace' : assertAsset(asset)
      const path = `/addresses/${assertAddress(address, network)}/utxos${unit === 'lovelace' ? '' : `/${unit}`}`
      return withTimeLimit({ signal: options?.signal }, async (signal) =>
        complete(await listPages(get, { path, maxPages }, findScripts(signal), signal))
      )
    },
    async fetchUTxOs(refs, options) {
      const requestedRefs = [...assertRefs(refs).values()]
      return withTimeLimit({ signal: options?.signal }, async (signal) => {
        const [limit, find] = [createSemaphore(), findScripts(signal)]
        const ids = [...new Set(requestedRefs.map((ref) => ref.txHash))]
        const byTx = new Map(
          await Promise.all(ids.map(async (id) => [id, await limit(() => fetchUnspent(get, id, signal))] as const))
        )
        const listed = requestedRefs.flatMap(({ txHash, index }) => {
          const { outputs, read } = byTx.get(txHash)!
          return outputs
            .filter((output) => output['output_index'] === index)
            .map((output) => readOutput(output, read, find))
        })
        return complete(listed)
      })
    },
    async fetchAssetUTxOs(asset, options) {
      const unit = assertAsset(asset)
      if (unit === 'lovelace') throw new InvalidArgumentError('unit', 'policy id and asset name in hex', unit)
      return withTimeLimit({ signal: options?.signal }, async (signal) => {
        const holders = await listHolders(get, unit, signal)
        const found: UTxO[] = []
        for (const { address, quantity, read } of holders) {
          const path = `/addresses/${address}/utxos/${unit}`
          const utxos = await complete(await listPages(get, { path, maxPages }, findScripts(signal), signal))
          // An output that has moved meanwhile would read as a head that is gone.
          const sum = utxos.reduce((total, utxo) => total + quantityOf(utxo, unit), 0n)
          read.check(sum === quantity, 'quantity', `outputs with ${quantity} of the unit (or call again)`, sum)
          for (const utxo of utxos) {
            read.check(utxo.output.address === address, 'address', 'the requested one', utxo.output.address)
            found.push(utxo)
          }
        }
        return found
      })
    },
    async fetchTxMetadata(txHash, options) {
      const [ref] = [...assertRefs([{ txHash, index: 0 }]).values()]
      return withTimeLimit({ signal: options?.signal }, async (signal) => {
        const { value, read } = await get(`/txs/${ref!.txHash}/metadata/cbor`, signal)
        return value === undefined ? null : (await import('./metadata.js')).readMetadata(value, read)
      })
    },
    async fetchProtocolParameters(options) {
      const { value, read } = await getObject('/epochs/latest/parameters', options?.signal)
      return (await import('./parameters.js')).readParameters(value, read)
    },
    async fetchTip(options): Promise<Tip> {
      const { value, read } = await getObject('/blocks/latest', options?.signal)
      return {
        slot: read.whole(value['slot'], 'slot'),
        hash: read.hex(value['hash'], 'hash', 32),
        height: read.whole(value['height'], 'height')
      }
    }
  }
}

/** Number of holders from which the search for a unit fails, because a state token never has so many. */
const MAX_HOLDERS = 100

/** Lists the addresses that hold a unit, each with its quantity. */
async function listHolders(
  get: Get,
  unit: string,
  signal: AbortSignal
): Promise<{ address: string; quantity: bigint; read: ResponseReader }[]> {
  const { value, read } = await get(`/assets/${unit}/addresses?count=${MAX_HOLDERS}&page=1`, signal)
  const entries = value === undefined ? [] : read.list(value, '')
  read.check(entries.length < MAX_HOLDERS, '', `fewer than ${MAX_HOLDERS} addresses with the unit`, entries.length)
  return entries.map((entry) => {
    const { address, quantity } = read.object(entry, '')
    const text = read.text(address, 'address')
    read.check(/^[\da-zA-Z_]{20,120}$/.test(text), 'address', 'an address', text)
    return { address: text, quantity: BigInt(read.quantity(quantity, 'quantity')), read }
  })
}

function quantityOf({ output }: UTxO, unit: string): bigint {
  return BigInt(output.amount.find((each) => each.unit === unit)?.quantity ?? 0)
}

/** Creates the function that requests a path and returns its JSON; undefined for 404, which means never seen. */
function createGet(client: HttpClient): Get {
  return async (path, signal) => {
    const response = await sendHttp(client, { method: 'GET', path, repeatable: true, accept: [404], signal })
    const read = new ResponseReader(response.url, client.endpoint.redact)
    // A 404 that is no JSON comes from another kind of server: a wrong baseUrl must not read as an empty wallet.
    const isAbsent = response.status === 404
    const value = isAbsent && response.text === '' ? undefined : read.parse(response.text)
    return { read, value: isAbsent ? undefined : value }
  }
}

/** Creates the function that finds the scripts of outputs and requests each script only once. */
function createScriptFinder(get: Get): (signal: AbortSignal) => FindScript {
  const scripts = new Map<string, ScriptRef>()
  return (signal) => {
    const limit = createSemaphore()
    const found = new Map<string, Promise<ScriptRef>>()
    const find = async (hash: string): Promise<ScriptRef> => {
      const script = scripts.get(hash) ?? (await limit(() => fetchScript(get, hash, signal)))
      // Scripts never change under their hash; the oldest gives way.
      if (scripts.size >= MAX_SCRIPTS_KEPT) scripts.delete(scripts.keys().next().value!)
      scripts.set(hash, script)
      return script
    }
    return (hash) => {
      const finding = found.get(hash) ?? find(hash)
      // It is awaited only when all outputs are listed.
      finding.catch(() => undefined)
      found.set(hash, finding)
      return finding
    }
  }
}

/**
 * Reads all pages of a list. Its length is not known in advance: a page of fewer than 100 entries is the last. So the
 * first two pages are requested one by one, then three at once, then six at a time. Below 200 entries no request is
 * wasted, and in longer lists at most five.
 */
async function listPages(
  get: Get,
  { path, maxPages }: { path: string; maxPages: number },
  find: FindScript,
  signal: AbortSignal
): Promise<Listed[]> {
  const fetchPages = (first: number, count: number): Promise<Page[]> =>
    Promise.all(
      Array.from({ length: count }, (_, i) => getPage(get, `${path}?order=asc&count=${PAGE}&page=${first + i}`, signal))
    )
  const listed: Listed[] = []
  const seen = new Map<number, Set<string>>()
  let next = 1
  for (let pending: Promise<Page[]> | null = fetchPages(1, 1); pending;) {
    const pages: Page[] = await pending
    const isLast = endsList(pages, next === 1)
    next += pages.length
    if (!isLast && next > maxPages)
      pages[0]!.read.check(false, '', `at most ${maxPages} pages (option maxPages)`, 'more')
    pending = isLast ? null : fetchPages(next, Math.min(next < 3 ? 1 : Math.min(next, 6), maxPages - next + 1))
    // Pages are read while the next ones are on the way; when one cannot be read, those are aborted.
    pending?.catch(() => undefined)
    for (const { entries, read } of pages) {
      for (const entry of entries ?? []) {
        const each = readOutput(read.object(entry, ''), read, find)
        const { txHash, index } = each.utxo.input
        const hashes = seen.get(index) ?? new Set()
        seen.set(index, hashes)
        if (hashes.has(txHash))
          read.check(
            false,
            'output_index',
            'each output once (or the list has changed: call again)',
            `${txHash}#${index}`
          )
        hashes.add(txHash)
        listed.push(each)
      }
    }
  }
  return listed
}

/** One page of a list; `entries` is undefined for a 404. */
interface Page {
  entries: unknown[] | undefined
  read: ResponseReader
}

async function getPage(get: Get, path: string, signal: AbortSignal): Promise<Page> {
  const { value, read } = await get(path, signal)
  return { entries: value === undefined ? value : read.list(value, ''), read }
}

/** Returns true when one of the pages is short and thus the last. Checks that the pages after it are empty. */
function endsList(pages: readonly Page[], isFirst: boolean): boolean {
  let isLast = false
  for (const { entries, read } of pages) {
    // 404 means that the address was never used; after a first page, that the responses do not belong together.
    const size = entries?.length ?? (isFirst ? 0 : Infinity)
    read.check(size <= (isLast ? 0 : PAGE), '', 'full pages and a last one', size)
    isLast = size < PAGE
  }
  return isLast
}

/** The unspent outputs of one transaction, as the provider lists them. */
async function fetchUnspent(
  get: Get,
  id: string,
  signal: AbortSignal
): Promise<{ outputs: Record<string, unknown>[]; read: ResponseReader }> {
  const { value, read } = await get(`/txs/${id}/utxos`, signal)
  const outputs = value === undefined ? [] : read.list(read.object(value, '')['outputs'], 'outputs')
  const unspent = outputs.flatMap((entry) => {
    const output = read.object(entry, 'outputs')
    const { consumed_by_tx: spentBy, collateral } = output
    read.check(
      spentBy === null || typeof spentBy === 'string',
      'outputs.consumed_by_tx',
      'a transaction id or null',
      spentBy
    )
    // A collateral output exists only where the scripts failed, and is then listed as a normal one.
    return spentBy !== null || collateral === true ? [] : [{ ...output, tx_hash: id }]
  })
  return { outputs: unspent, read }
}

function readOutput(entry: Record<string, unknown>, read: ResponseReader, find: FindScript): Listed {
  const { data_hash: datumHash, inline_datum: inlineDatum, reference_script_hash: scriptHash } = entry
  const utxo: UTxO = {
    input: {
      txHash: read.hex(entry['tx_hash'], 'tx_hash', 32),
      index: read.whole(entry['output_index'], 'output_index')
    },
    output: {
      address: read.text(entry['address'], 'address'),
      amount: read.amounts(read.list(entry['amount'], 'amount'), 'amount', readAmount)
    }
  }
  // The hash of an inline datum is listed too, but is no part of the output.
  if (typeof inlineDatum === 'string') utxo.output.inlineDatum = read.hex(inlineDatum, 'inline_datum')
  else if (read.check(inlineDatum === null, 'inline_datum', 'hex or null', datumHash) !== null)
    utxo.output.datumHash = read.hex(datumHash, 'data_hash', 32)
  return { utxo, script: scriptHash === null ? null : find(read.hex(scriptHash, 'reference_script_hash', 28)) }
}

function readAmount(entry: unknown): readonly [unknown, unknown] {
  const { unit, quantity } = (entry ?? {}) as { unit?: unknown; quantity?: unknown }
  return [unit, quantity]
}

async function complete(listed: readonly Listed[]): Promise<UTxO[]> {
  for (const { utxo, script } of listed) if (script) utxo.output.scriptRef = await script
  return listed.map(({ utxo }) => utxo)
}

/** Fetches a script. The hash of a Plutus script shows its language; of a native script the service has only JSON. */
async function fetchScript(get: Get, hash: string, signal: AbortSignal): Promise<ScriptRef> {
  const [{ value, read }, scripts] = await Promise.all([
    get(`/scripts/${hash}/cbor`, signal),
    import('../shared/scripts.js')
  ])
  const { cbor } = read.object(value, '')
  if (cbor !== null) return scripts.scriptFromHash(read.hex(cbor, 'cbor'), hash, read)
  const native = await get(`/scripts/${hash}/json`, signal)
  return {
    language: 'native',
    cborHex: scripts.nativeScriptCbor(native.read.object(native.value, '')['json'], native.read)
  }
}
