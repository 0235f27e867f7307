import { IndexerProvider, RpcProvider } from 'layer-sdk/providers'
import { entry, error, IndexerServer, KEY } from '../providers/support/indexerServer'
import { RpcServer } from '../providers/support/rpcServer'
import { TX, TX_ID, TX_SIGNED } from '../providers/support/transaction'
import { outcomeOf } from './support/faultyHead'
import { faultRow } from './support/matrix'
import type { Repetition } from './support/matrix'

const ADDRESS = 'addr_test1vr8nl4u0u6fmtfnawx2rxfz95dy7m46t6dhzdftp2uha87syeufdg'
const SPENT =
  '"transaction submit error ShelleyTxValidationError (ApplyTxError (ConwayUtxowFailure (UtxoFailure (BadInputsUTxO (fromList [...])))))"'
/** Another body over the same inputs. */
const OTHER = TX.replace('1a0002917d', '1a0002917e')

async function overIndexer({ index, random, injected, wire }: Repetition): Promise<void> {
  const server = await new IndexerServer().listen()
  const provider = new IndexerProvider({
    apiKey: KEY,
    network: 'preprod',
    baseUrl: server.baseUrl,
    retry: { delay: 1 }
  })
  const all = Array.from({ length: 401 + Math.floor(random() * 99) }, (_, at) => entry(ADDRESS, at))
  const posts = (): number => server.seen.filter(({ method }) => method === 'POST').length
  server.utxos.set(ADDRESS, all)
  try {
    switch (index % 6) {
      case 0: {
        // By the interface's own rule a short page is the last one, so one is found out only by those that are asked
        // for beside it.
        const short = 3 + Math.floor(random() * 2)
        server.fault = (response, { query }) => {
          const page = Number(query.get('page'))
          injected()
          response.end(
            JSON.stringify(
              all.slice((page - 1) * 100, page * 100 - (page === short ? 1 + Math.floor(random() * 50) : 0))
            )
          )
        }
        expect(await outcomeOf(provider.fetcher.fetchAddressUTxOs(ADDRESS))).toMatchObject({
          code: 'PROVIDER_RESPONSE'
        })
        wire(
          'requests for each page beyond one',
          Math.max(
            ...[1, 2, 3, 4, 5].map(
              (page) => server.seen.filter(({ query }) => query.get('page') === String(page)).length
            )
          ) - 1,
          0
        )
        break
      }
      case 1:
        server.fault = (response) => {
          injected()
          response.end(JSON.stringify(all.slice(0, 100)))
        }
        expect(await outcomeOf(provider.fetcher.fetchAddressUTxOs(ADDRESS))).toMatchObject({
          code: 'PROVIDER_RESPONSE',
          field: 'output_index'
        })
        wire('pages asked for until one repeats', server.seen.length, 2)
        break
      case 2:
        server.fault = (response, { query }) => {
          if (query.get('page') !== '2' || server.seen.filter((seen) => seen.query.get('page') === '2').length > 1)
            return false
          injected()
          // A cut connection is tried again, for that page alone.
          return void response.socket!.resetAndDestroy()
        }
        expect(await provider.fetcher.fetchAddressUTxOs(ADDRESS)).toHaveLength(all.length)
        wire('requests for a page that was cut', server.seen.filter(({ query }) => query.get('page') === '2').length, 2)
        break
      case 3: {
        const place = random() < 0.5 ? 'mempool' : 'ledger'
        server[place].add(TX_ID)
        server.refuse = () => {
          injected()
          return SPENT
        }
        expect(await provider.submitter.submitTx(random() < 0.5 ? TX : TX_SIGNED)).toBe(TX_ID)
        wire('submissions of a transaction that is known already', posts(), 1)
        break
      }
      case 4:
        server.ledger.add(TX_ID)
        server.refuse = () => {
          injected()
          return SPENT
        }
        expect(await outcomeOf(provider.submitter.submitTx(OTHER))).toMatchObject({
          code: 'PROVIDER_SUBMIT_REJECTED',
          reason: SPENT
        })
        wire('submissions of another body over the same inputs', posts(), 1)
        break
      default:
        server.fault = (response, { method }) => {
          if (method !== 'POST') return false
          injected()
          if (index % 12 === 5) server.mempool.add(TX_ID)
          if (random() < 0.5) return void response.socket!.resetAndDestroy()
          return error(response, 500)
        }
        if (index % 12 === 5) expect(await provider.submitter.submitTx(TX)).toBe(TX_ID)
        else
          expect(await outcomeOf(provider.submitter.submitTx(TX))).toMatchObject({
            code: 'PROVIDER_SUBMIT_UNKNOWN',
            txId: TX_ID
          })
        wire('submissions whose answer was lost', posts(), 1)
    }
    expect(server.failures).toEqual([])
  } finally {
    await server.close()
  }
}

async function overRpc({ index, random, injected, wire }: Repetition): Promise<void> {
  const server = await new RpcServer().listen()
  const socket = random() < 0.5
  const provider = new RpcProvider({
    apiEndpoint: socket ? server.wsOrigin : server.origin,
    network: 'preprod',
    retry: { delay: 1 }
  })
  const submissions = (): number => server.methods.filter((method) => method === 'submitTransaction').length
  const answer = (id: unknown, rest: object): string => JSON.stringify({ jsonrpc: '2.0', id, ...rest })
  try {
    switch (index % 5) {
      case 0: {
        // Over HTTP an answer belongs to its request; over a socket one with another id is nobody's, and none comes.
        const http = new RpcProvider({ apiEndpoint: server.origin, network: 'preprod', retry: { delay: 1 } })
        server.rpcFault = ({ id }) => {
          injected()
          return answer((id as number) + 1 + Math.floor(random() * 1_000), { result: [] })
        }
        expect(await outcomeOf(http.fetcher.fetchAddressUTxOs(ADDRESS))).toMatchObject({ code: 'PROVIDER_RESPONSE' })
        wire('requests answered with the id of another', server.methods.length, 1)
        break
      }
      case 1: {
        const http = new RpcProvider({ apiEndpoint: server.origin, network: 'preprod', retry: { delay: 1 } })
        server.rpcFault = ({ id }) => {
          injected()
          return JSON.stringify([
            { jsonrpc: '2.0', id, result: [] },
            { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request.' } }
          ])
        }
        expect(await outcomeOf(http.fetcher.fetchAddressUTxOs(ADDRESS))).toMatchObject({ code: 'PROVIDER_RESPONSE' })
        wire('requests answered with a batch', server.methods.length, 1)
        break
      }
      case 2: {
        // Two questions make one answer: an error for one of them is an error for both.
        server.rpcFault = ({ id, method }) => {
          if (method !== 'queryNetwork/blockHeight') return undefined
          injected()
          return answer(id, { error: { code: 2002, message: 'Unavailable.', data: {} } })
        }
        expect(await outcomeOf(provider.fetcher.fetchTip())).toMatchObject({ code: 'PROVIDER_RPC', rpcCode: 2002 })
        wire(
          'questions for the height that failed',
          server.methods.filter((method) => method === 'queryNetwork/blockHeight').length,
          1
        )
        break
      }
      case 3: {
        server.mempool.add(TX_ID)
        server.refuse = () => {
          injected()
          return { code: 3997, message: 'Rejected by the mempool.', data: { error: 'All inputs are spent.' } }
        }
        expect(await provider.submitter.submitTx(TX)).toBe(TX_ID)
        wire('submissions of a transaction that is known already', submissions(), 1)
        break
      }
      default: {
        server.mempool.add(TX_ID)
        server.refuse = () => {
          injected()
          return {
            code: 3117,
            message: 'The transaction contains unknown UTxO references.',
            data: { unknownOutputReferences: [{ transaction: { id: '0a'.repeat(32) }, index: 0 }] }
          }
        }
        expect(await outcomeOf(provider.submitter.submitTx(OTHER))).toMatchObject({
          code: 'PROVIDER_SUBMIT_REJECTED',
          nodeCode: 3117
        })
        wire('submissions of another body over the same inputs', submissions(), 1)
      }
    }
    expect(server.failures).toEqual([])
  } finally {
    await server.close()
  }
}

describe('provider faults', () => {
  faultRow(
    {
      row: 45,
      fault:
        'providers: pages cut short or repeated, ids of other requests, batches, partial errors, a submission that is known already, answers lost',
      repeats: 22,
      expected:
        'typed errors, never a shorter list; a submission goes out once, and one that is known already gives its id, if the body is the same'
    },
    async (repetition) => {
      const half = Math.floor(repetition.index / 2)
      await (repetition.index % 2 === 0 ? overIndexer : overRpc)({ ...repetition, index: half })
    }
  )
})
