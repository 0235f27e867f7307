import type { ServerResponse } from 'node:http'
import { transactionId, readTransaction } from '../../../src/codec/transaction.js'
import type { Seen } from './httpServer.js'
import { HttpTestServer } from './httpServer.js'
import { assertSchema, BLOCKFROST } from './schema.js'

export const KEY = 'preprodSecretKey0123456789abcdefghijkl'

/** An entry of GET /addresses/{address}/utxos. */
export type Entry = Record<string, any>

const ERRORS: Record<number, [string, string]> = {
  400: ['Bad Request', 'Backend did not understand your request.'],
  402: ['Project Over Limit', 'Usage is over limit.'],
  403: ['Forbidden', 'Invalid project token.'],
  404: ['Not Found', 'The requested component has not been found.'],
  418: ['Requested Banned', 'IP has been auto-banned for flooding.'],
  425: ['Mempool Full', 'Mempool is full, please try resubmitting again later.'],
  429: ['Project Over Limit', 'Usage is over limit.'],
  500: ['Internal Server Error', 'An unexpected response was received from the backend.']
}

/**
 * Blockfrost's interface (openapi 0.1.91) over lists in memory; each answer is checked against the published schema.
 */
export class IndexerServer extends HttpTestServer {
  /** By address; an address without a key was never used. */
  readonly utxos = new Map<string, Entry[]>()
  readonly scripts = new Map<string, { cbor: string } | { json: unknown }>()
  readonly outputs = new Map<string, Entry[]>()
  readonly mempool = new Set<string>()
  readonly ledger = new Set<string>()
  parameters: Entry = PARAMETERS
  /** The node's verdict on a submission; null accepts it. */
  refuse: ((txId: string) => string | null) | null = null

  constructor() {
    super((response, seen) => this.#route(response, seen))
  }

  get baseUrl(): string {
    return `${this.origin}/api/v0`
  }

  #route(response: ServerResponse, seen: Seen): void {
    const path = seen.path.replace(/^\/api\/v0/, '')
    if (seen.headers['project_id'] !== KEY) return error(response, 403)
    const [, first, second, third, fourth] = path.split('/')
    switch (`${seen.method} ${first} ${third ?? ''}`) {
      case 'GET addresses utxos':
        return this.#listUtxos(response, seen, second!, fourth)
      case 'GET scripts cbor':
      case 'GET scripts json': {
        const script = this.scripts.get(second!)
        if (!script) return error(response, 404)
        const isCbor = third === 'cbor'
        const value = (script as Entry)[third!] ?? null
        return json(response, `GET /scripts/{script_hash}/${third}`, isCbor ? { cbor: value } : { json: value })
      }
      case 'GET txs utxos': {
        const outputs = this.outputs.get(second!)
        return outputs
          ? json(response, 'GET /txs/{hash}/utxos', { hash: second, inputs: [], outputs })
          : error(response, 404)
      }
      case 'GET txs ':
        return this.ledger.has(second!)
          ? json(response, 'GET /txs/{hash}', { ...TX, hash: second })
          : error(response, 404)
      case 'GET mempool ':
        return this.mempool.has(second!)
          ? json(response, 'GET /mempool/{hash}', { tx: { ...MEMPOOL_TX, hash: second }, inputs: [], outputs: [] })
          : error(response, 404)
      case 'GET blocks ':
        return json(response, 'GET /blocks/latest', BLOCK)
      case 'GET epochs parameters':
        return json(response, 'GET /epochs/latest/parameters', this.parameters)
      case 'POST tx ':
        return this.#submit(response, seen)
      default:
        return error(response, 400)
    }
  }

  #listUtxos(response: ServerResponse, { query }: Seen, address: string, asset?: string): void {
    const all = this.utxos.get(address)
    if (!all) return error(response, 404)
    const [count, page] = [Number(query.get('count') ?? 100), Number(query.get('page') ?? 1)]
    if (count < 1 || count > 100 || page < 1) return error(response, 400)
    const wanted = asset
      ? all.filter((entry) => entry['amount'].some((amount: Entry) => amount['unit'] === asset))
      : all
    json(
      response,
      `GET /addresses/{address}/utxos${asset ? '/{asset}' : ''}`,
      wanted.slice((page - 1) * count, page * count)
    )
  }

  #submit(response: ServerResponse, { headers, body }: Seen): void {
    if (headers['content-type'] !== 'application/cbor') return error(response, 400, 'Invalid Content-Type')
    const txId = transactionId(readTransaction(new Uint8Array(body)))
    const reason = this.refuse?.(txId)
    if (reason) return error(response, 400, reason)
    this.mempool.add(txId)
    json(response, 'POST /tx/submit', txId)
  }
}

/** Blockfrost's error body. */
export function error(
  response: ServerResponse,
  status: number,
  message?: string,
  headers: Record<string, string> = {}
): void {
  const [title, text] = ERRORS[status] ?? ['Error', 'Error']
  const body = { status_code: status, error: title, message: message ?? text }
  const schema = BLOCKFROST['routes']['POST /tx/submit'][status]
  if (schema) assertSchema(schema, body, `error ${status}`)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function json(response: ServerResponse, route: string, value: unknown): void {
  assertSchema(BLOCKFROST['routes'][route][200], value, `the answer of ${route}`)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** A plain entry; `index` makes its transaction id. */
export function entry(address: string, index: number, more: Entry = {}): Entry {
  return {
    address,
    tx_hash: index.toString(16).padStart(64, '0'),
    tx_index: index % 3,
    output_index: index % 3,
    amount: [{ unit: 'lovelace', quantity: String(1_000_000 + index) }],
    block: '7eb8e27d18686c7db9a18f8bbcfe34e3fed6e047afaa2d969904d15e934847e6',
    data_hash: null,
    inline_datum: null,
    reference_script_hash: null,
    ...more
  }
}

// The values of the description's own examples.
const BLOCK = {
  time: 1641338934,
  height: 15243593,
  hash: '4ea1ba291e8eef538635a53e59fddba7810d1679631cc3aed7c8e6c4091a516a',
  slot: 412162133,
  epoch: 425,
  epoch_slot: 12,
  slot_leader: 'pool1pu5jlj4q9w9jlxeu370a3c9myx47md5j5m2str0naunn2qnikdy',
  size: 3,
  tx_count: 1,
  output: '128314491794',
  fees: '592661',
  block_vrf: 'vrf_vk1wf2k6lhujezqcfe00l6zetxpnmh9n6mwhpmhm0dvfh3fxgmdnrfqkms8ty',
  op_cert: 'da905277534faf75dae41732650568af545134ee08a3c0392dbefc8096ae177c',
  op_cert_counter: '18',
  previous_block: '43ebccb3ac72c7cebd0d9b755a4b08412c9f5dcb81b8a0ad1e3c197d29d47b05',
  next_block: null,
  confirmations: 0
}

const TX = {
  hash: '',
  block: BLOCK.hash,
  block_height: 123456,
  block_time: 1635505891,
  slot: 42000000,
  index: 1,
  output_amount: [{ unit: 'lovelace', quantity: '42000000' }],
  fees: '182485',
  deposit: '0',
  size: 433,
  invalid_before: null,
  invalid_hereafter: '13885913',
  utxo_count: 4,
  withdrawal_count: 0,
  mir_cert_count: 0,
  delegation_count: 0,
  stake_cert_count: 0,
  pool_update_count: 0,
  pool_retire_count: 0,
  asset_mint_or_burn_count: 0,
  redeemer_count: 0,
  valid_contract: true,
  treasury_donation: '0'
}

const { block: _b, block_height: _h, block_time: _t, slot: _s, index: _i, treasury_donation: _d, ...MEMPOOL_TX } = TX

/** Today's parameters of preprod in the shape of GET /epochs/latest/parameters. */
export const PARAMETERS: Entry = {
  epoch: 225,
  min_fee_a: 44,
  min_fee_b: 155381,
  max_block_size: 90112,
  max_tx_size: 16384,
  max_block_header_size: 1100,
  key_deposit: '2000000',
  pool_deposit: '500000000',
  e_max: 18,
  n_opt: 500,
  a0: 0.3,
  rho: 0.003,
  tau: 0.2,
  decentralisation_param: 0,
  extra_entropy: null,
  protocol_major_ver: 10,
  protocol_minor_ver: 0,
  min_utxo: '4310',
  min_pool_cost: '170000000',
  nonce: '1a3be38bcbb7911969283716ad7aa550250226b76a61fc51cc9a9a35d9276d81',
  cost_models: { PlutusV1: { 'addInteger-cpu-arguments-intercept': 100788 } },
  cost_models_raw: { PlutusV1: [100788, 420, 1], PlutusV2: [100788, 420, 1, 1], PlutusV3: [100788, 420, 1, 1, 1000] },
  price_mem: 0.0577,
  price_step: 0.0000721,
  max_tx_ex_mem: '14000000',
  max_tx_ex_steps: '10000000000',
  max_block_ex_mem: '62000000',
  max_block_ex_steps: '20000000000',
  max_val_size: '5000',
  collateral_percent: 150,
  max_collateral_inputs: 3,
  coins_per_utxo_size: '4310',
  coins_per_utxo_word: '4310',
  pvt_motion_no_confidence: 0.51,
  pvt_committee_normal: 0.51,
  pvt_committee_no_confidence: 0.51,
  pvt_hard_fork_initiation: 0.51,
  dvt_motion_no_confidence: 0.67,
  dvt_committee_normal: 0.67,
  dvt_committee_no_confidence: 0.6,
  dvt_update_to_constitution: 0.75,
  dvt_hard_fork_initiation: 0.6,
  dvt_p_p_network_group: 0.67,
  dvt_p_p_economic_group: 0.67,
  dvt_p_p_technical_group: 0.67,
  dvt_p_p_gov_group: 0.75,
  dvt_treasury_withdrawal: 0.67,
  committee_min_size: '7',
  committee_max_term_length: '146',
  gov_action_lifetime: '6',
  gov_action_deposit: '100000000000',
  drep_deposit: '500000000',
  drep_activity: '20',
  pvtpp_security_group: 0.51,
  pvt_p_p_security_group: 0.51,
  min_fee_ref_script_cost_per_byte: 15
}
