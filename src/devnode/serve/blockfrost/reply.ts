import type { BaseApiReply, BaseApiRequest } from '../../chain/BaseApi.js'
import { toJson, type JsonValue } from '../../json/jsonText.js'

/** Titles of the statuses that the local indexer answers with. */
const TITLES = { 400: 'Bad Request', 404: 'Not Found', 500: 'Internal Server Error' } as const

/** A refusal in Blockfrost's words (blockfrost-utils, fastify.ts). */
export class IndexerFailure extends Error {
  readonly status: keyof typeof TITLES

  constructor(status: keyof typeof TITLES, message: string) {
    super(message)
    this.status = status
  }
}

export const notFound = (): IndexerFailure => new IndexerFailure(404, 'The requested component has not been found.')
export const invalidPath = (): IndexerFailure =>
  new IndexerFailure(400, 'Invalid path. Please check https://docs.blockfrost.io/')

/** A JSON answer. */
export function blockfrostReply(value: JsonValue): BaseApiReply {
  return { status: 200, body: toJson(value), contentType: 'application/json; charset=utf-8' }
}

/** Returns the answer to a refusal; any other error is the node's own failure. */
export function failureReply(error: unknown): BaseApiReply {
  const { status, message } =
    error instanceof IndexerFailure
      ? error
      : new IndexerFailure(500, 'An unexpected response was received from the backend.')
  return { ...blockfrostReply({ status_code: status, error: TITLES[status], message }), status }
}

const MAX_COUNT = 100
const MAX_PAGE = 21_474_836

/** Returns the requested page of a list. @throws {@link IndexerFailure} */
export function pageOf<T>(items: readonly T[], { query }: Pick<BaseApiRequest, 'query'>): T[] {
  const count = wholeNumber(query, 'count', MAX_COUNT, MAX_COUNT)
  const page = wholeNumber(query, 'page', 1, MAX_PAGE)
  const order = query.get('order') ?? 'asc'
  if (order !== 'asc' && order !== 'desc')
    throw new IndexerFailure(400, 'querystring/order must be equal to one of the allowed values')
  const first = (page - 1) * count
  if (order === 'asc') return items.slice(first, first + count)
  const end = items.length - first
  return end <= 0 ? [] : items.slice(Math.max(0, end - count), end).reverse()
}

function wholeNumber(query: URLSearchParams, name: string, byDefault: number, most: number): number {
  const text = query.get(name)
  if (text === null) return byDefault
  if (!/^-?\d+$/.test(text)) throw new IndexerFailure(400, `querystring/${name} must be integer`)
  const value = Number(text)
  if (value < 1) throw new IndexerFailure(400, `querystring/${name} must be >= 1`)
  if (value > most) throw new IndexerFailure(400, `querystring/${name} must be <= ${most}`)
  return value
}

/** A hash in a path. @throws {@link IndexerFailure} on a text that cannot be a hash: it is never found. */
export function hashOf(text: string | undefined, characters: number): string {
  if (text === undefined || text.length !== characters || !/^[0-9a-fA-F]*$/.test(text)) throw notFound()
  return text.toLowerCase()
}
