import { decodeAuxiliaryData } from '../../codec/auxiliaryData.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import { nativeScriptHash } from '../../codec/nativeScript.js'
import type { NetworkName } from '../../constants.js'
import { InvalidArgumentError } from '../../errors/input.js'
import { ProviderUnsupportedError } from '../../errors/provider.js'
import { blake2b256 } from '../../hash/blake2b.js'
import { createSemaphore, withTimeLimit } from '../../net/abort.js'
import type { Fetcher, RequestOptions } from '../../types/provider.js'
import type { ScriptRef, UTxO } from '../../types/utxo.js'
import { assertAddress, assertAsset, assertRefs } from '../shared/arguments.js'
import type { HttpClient } from '../shared/httpClient.js'
import { sendHttp } from '../shared/httpClient.js'
import { ResponseReader } from '../shared/ResponseReader.js'
import { scriptFromHash } from '../shared/scripts.js'

interface Answer {
  readonly value: unknown
  readonly read: ResponseReader
}

/** A listed output. Only the hashes of its inline datum and its script are known yet. */
interface Match {
  readonly utxo: UTxO
  readonly inlineHash: string | null
  readonly scriptHash: string | null
  readonly slot: number
}

/** Height of a tip, which Kupo does not know. */
const NO_HEIGHT = -1

/** Creates the fetcher of `KupoProvider`, for Kupo 2.11. */
export function createKupoFetcher(client: HttpClient, network: NetworkName): Fetcher {
  const get = async (path: string, signal?: AbortSignal): Promise<Answer> => {
    const response = await sendHttp(client, { method: 'GET', path, repeatable: true, accept: [], signal })
    const read = new ResponseReader(response.url, client.endpoint.redact)
    return { value: read.parse(response.text), read }
  }
  const list = async (pattern: string, query: string, signal?: AbortSignal): Promise<readonly (Match & Answer)[]> => {
    const answer = await get(`/matches/${pattern}?${query}`, signal)
    return answer.read.list(answer.value, '').map((entry) => ({ ...readMatch(entry, answer.read), ...answer }))
  }
  const find = (
    options: RequestOptions | undefined,
    patterns: readonly string[],
    filter: (utxo: UTxO) => boolean
  ): Promise<UTxO[]> =>
    withTimeLimit({ signal: options?.signal }, async (signal) => {
      const limit = createSemaphore()
      const lists = await Promise.all(patterns.map((pattern) => limit(() => list(pattern, 'unspent', signal))))
      const matches = lists.flat().filter(({ utxo }) => filter(utxo))
      return complete(matches, (path) => limit(() => get(path, signal)))
    })

  return {
    fetchAddressUTxOs: async (address, asset, options) => {
      const unit = asset === undefined ? 'lovelace' : assertAsset(asset)
      const checkedAddress = assertAddress(address, network)
      const holds = (utxo: UTxO): boolean => utxo.output.address === checkedAddress && hasUnit(utxo, unit)
      return find(options, [checkedAddress], holds)
    },
    fetchUTxOs: async (refs, options) => {
      const requestedRefs = assertRefs(refs)
      const ids = [...new Set([...requestedRefs.values()].map(({ txHash }) => txHash))]
      const found = await find(
        options,
        ids.map((id) => `*@${id}`),
        ({ input }) => requestedRefs.has(`${input.txHash}#${input.index}`)
      )
      const byRef = new Map(found.map((utxo) => [`${utxo.input.txHash}#${utxo.input.index}`, utxo]))
      return [...requestedRefs.keys()].flatMap((key) => byRef.get(key) ?? [])
    },
    fetchAssetUTxOs: async (asset, options) => {
      const unit = assertAsset(asset)
      if (unit === 'lovelace') throw new InvalidArgumentError('unit', 'policy id and asset name in hex', unit)
      const [policy, name] = [unit.slice(0, 56), unit.slice(56)]
      return find(options, [`${policy}.${name === '' ? '*' : name}`], (utxo) => hasUnit(utxo, unit))
    },
    fetchTxMetadata: async (txHash, options) => {
      const [id] = [...assertRefs([{ txHash, index: 0 }]).values()]
      return withTimeLimit({ signal: options?.signal }, async (signal) => {
        const [match] = await list(`*@${id!.txHash}`, '', signal)
        if (match === undefined) return null
        return readMetadata(await get(`/metadata/${match.slot}?transaction_id=${id!.txHash}`, signal))
      })
    },
    fetchProtocolParameters: () =>
      Promise.reject(
        new ProviderUnsupportedError('KupoProvider', 'read protocol parameters', 'an IndexerProvider or a RpcProvider')
      ),
    fetchTip: async (options) => {
      const { value, read } = await get('/checkpoints', options?.signal)
      const points = read.list(value, '').map((each) => read.object(each, ''))
      read.check(points.length > 0, '', 'at least one checkpoint', points.length)
      const slots = points.map((each) => read.whole(each['slot_no'], 'slot_no'))
      const slot = Math.max(...slots)
      return { slot, hash: read.hex(points[slots.indexOf(slot)]!['header_hash'], 'header_hash', 32), height: NO_HEIGHT }
    }
  }
}

function hasUnit({ output }: UTxO, unit: string): boolean {
  return output.amount.some((amount) => amount.unit === unit)
}

function readMatch(entry: unknown, read: ResponseReader): Match {
  const match = read.object(entry, '')
  const value = read.object(match['value'], 'value')
  const assets = Object.entries(read.object(value['assets'] ?? {}, 'value.assets'))
  const amounts: (readonly [string, unknown])[] = [
    ['lovelace', value['coins']],
    ...assets.map(([name, quantity]) => [name.replace('.', ''), quantity] as const)
  ]
  const utxo: UTxO = {
    input: {
      txHash: read.hex(match['transaction_id'], 'transaction_id', 32),
      index: read.whole(match['output_index'], 'output_index')
    },
    output: { address: read.text(match['address'], 'address'), amount: read.amounts(amounts, 'value', (each) => each) }
  }
  const { datum_hash: datumHash, datum_type: datumType, script_hash: scriptHash } = match
  const hash = datumHash == null ? null : read.hex(datumHash, 'datum_hash', 32)
  const isInline = hash !== null && datumType === 'inline'
  if (hash !== null && !isInline) {
    read.check(datumType === 'hash', 'datum_type', "'inline' or 'hash'", datumType)
    utxo.output.datumHash = hash
  }
  return {
    utxo,
    inlineHash: isInline ? hash : null,
    scriptHash: scriptHash == null ? null : read.hex(scriptHash, 'script_hash', 28),
    slot: read.whole(read.object(match['created_at'], 'created_at')['slot_no'], 'created_at.slot_no')
  }
}

/** Adds datums and scripts to outputs: each is requested once, and its hash is checked. */
async function complete(matches: readonly Match[], get: (path: string) => Promise<Answer>): Promise<UTxO[]> {
  const found = new Map<string, Promise<string | ScriptRef>>()
  const once = <T extends string | ScriptRef>(path: string, read: (answer: Answer) => T): Promise<T> => {
    const finding = (found.get(path) as Promise<T> | undefined) ?? get(path).then(read)
    found.set(path, finding)
    return finding
  }
  return Promise.all(
    matches.map(async ({ utxo, inlineHash, scriptHash }) => {
      const [datum, script] = await Promise.all([
        inlineHash === null ? null : once(`/datums/${inlineHash}`, (answer) => readDatum(answer, inlineHash)),
        scriptHash === null ? null : once(`/scripts/${scriptHash}`, (answer) => readScript(answer, scriptHash))
      ])
      if (datum !== null) utxo.output.inlineDatum = datum
      if (script !== null) utxo.output.scriptRef = script
      return utxo
    })
  )
}

function readDatum({ value, read }: Answer, hash: string): string {
  const datum = read.hex(read.object(value, '')['datum'], 'datum')
  read.check(bytesToHex(blake2b256(hexToBytes(datum))) === hash, 'datum', `a datum with the hash ${hash}`, undefined)
  return datum
}

function readScript({ value, read }: Answer, hash: string): ScriptRef {
  const { language, script } = read.object(value, '')
  const cborHex = read.hex(script, 'script')
  if (language !== 'native') return scriptFromHash(cborHex, hash, read)
  read.check(nativeScriptHash(hexToBytes(cborHex)) === hash, 'script', `a script with the hash ${hash}`, undefined)
  return { language: 'native', cborHex }
}

function readMetadata({ value, read }: Answer): ReadonlyMap<bigint, string> {
  const [entry] = read.list(value, '')
  if (entry === undefined) return new Map()
  const raw = read.hex(read.object(entry, '')['raw'], 'raw')
  try {
    const { metadata } = decodeAuxiliaryData(raw)
    return new Map([...metadata].map(([label, metadatum]) => [label, metadatum.toCbor()]))
  } catch {
    return read.check<never>(false, 'raw', 'metadata as CBOR', undefined as never)
  }
}
