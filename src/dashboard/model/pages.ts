import { errorText, safeText } from './text.js'
import { parseAddress } from '../../codec/address.js'

/** Views of the dashboard, in the order of its navigation. */
export const VIEWS = [
  'overview',
  'outputs',
  'transactions',
  'funds',
  'payout',
  'recognition',
  'commands',
  'messages',
  'local'
] as const
/** A view. */
export type ViewName = (typeof VIEWS)[number]

/** Page of one transaction, address or output. */
export type Page =
  | {
      readonly kind: 'transaction'
      /** Hex, 64 characters, in lower case. */
      readonly txId: string
    }
  | {
      readonly kind: 'address'
      /** Bech32, or base58 for Byron. */
      readonly address: string
    }
  | {
      readonly kind: 'output'
      /** Hex, 64 characters, in lower case. */
      readonly txHash: string
      /** Position among the outputs of its transaction. */
      readonly index: number
    }

/** Text that names no page. */
export interface PageProblem {
  readonly kind: 'problem'
  readonly problem: 'empty' | 'id-length' | 'reference' | 'address' | 'reward-address' | 'unknown'
  /** For people: the expected form and the text that came. */
  readonly message: string
}

/** Place in the dashboard, as the fragment of its URL names it. */
export type PageRoute = { readonly kind: 'view'; readonly view: ViewName } | Page | PageProblem

const MAX_TEXT = 500
const MAX_INDEX = 65_535
const OVERVIEW: PageRoute = { kind: 'view', view: 'overview' }

/** Returns the page that a search names: the id of a transaction, an address, or the reference of an output. */
export function findPage(query: string): Page | PageProblem {
  const text = query.trim()
  const shown = `\u201c${safeText(text, 80)}\u201d`
  if (text === '') return problem('empty', 'Enter the id of a transaction, an address, or a reference such as id#0.')
  if (text.length > MAX_TEXT)
    return problem('unknown', `An id, an address or a reference is shorter than these ${text.length} characters.`)
  if (/^[0-9a-f]{64}$/i.test(text)) return { kind: 'transaction', txId: text.toLowerCase() }
  const reference = /^([0-9a-f]{64})#(\d{1,5})$/i.exec(text)
  if (reference !== null && Number(reference[2]) <= MAX_INDEX)
    return { kind: 'output', txHash: reference[1]!.toLowerCase(), index: Number(reference[2]) }
  if (text.includes('#'))
    return problem('reference', `A reference is an id of 64 digits, #, and a number up to ${MAX_INDEX}, not ${shown}.`)
  if (/^[0-9a-f]+$/i.test(text))
    return problem('id-length', `The id of a transaction has 64 hexadecimal digits; this text has ${text.length}.`)
  if (/^stake(_test)?1/i.test(text))
    return problem(
      'reward-address',
      'A reward address (stake...) holds no outputs: search for one that begins with addr.'
    )
  if (/^addr(_test)?1/i.test(text) || /^[1-9A-HJ-NP-Za-km-z]{50,}$/.test(text)) return findAddress(text)
  return problem('unknown', `${shown} is no id of a transaction, no address, and no reference of an output.`)
}

function findAddress(text: string): Page | PageProblem {
  try {
    parseAddress(text, 'This address')
    // The ledger's texts are in lower case; bech32 allows upper case, base58 tells them apart.
    return { kind: 'address', address: /^addr/i.test(text) ? text.toLowerCase() : text }
  } catch (error) {
    const { summary, details } = errorText(error)
    return problem('address', [summary, ...details].join(' '))
  }
}

/** Returns the place that a fragment names; the overview for an empty one. */
export function readRoute(hash: string): PageRoute {
  const [name = '', ...rest] = hash.replace(/^#\/?/, '').split('/')
  const view = VIEWS.find((each) => each === name)
  if (view !== undefined) return { kind: 'view', view }
  const expected = (['transaction', 'address', 'output'] as const).find((each) => each === name)
  if (expected === undefined) return OVERVIEW
  const page = findPage(decoded(name === 'output' ? rest.join('#') : rest.join('/')))
  return page.kind === expected || page.kind === 'problem'
    ? page
    : problem('unknown', `This link is to a page of another kind: ${page.kind}.`)
}

/** Returns the fragment of a page. */
export function linkTo(page: Page): string {
  if (page.kind === 'transaction') return `#/transaction/${encodeURIComponent(page.txId)}`
  if (page.kind === 'address') return `#/address/${encodeURIComponent(page.address)}`
  return `#/output/${encodeURIComponent(page.txHash)}/${page.index}`
}

/** Returns the view that a page belongs to, for the navigation. */
export function viewOf(route: PageRoute): ViewName | null {
  if (route.kind === 'view') return route.view
  if (route.kind === 'problem') return null
  return route.kind === 'transaction' ? 'transactions' : 'outputs'
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const problem = (kind: PageProblem['problem'], message: string): PageProblem => ({
  kind: 'problem',
  problem: kind,
  message
})
