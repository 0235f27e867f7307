import { described } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'

/**
 * Parses the URL of the option `fork`. An error never repeats it as a whole, because its query may hold a key.
 * @throws {@link InvalidArgumentError}
 */
export function forkUrl(text: unknown): URL {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null
  if (url !== null && /^(ws|http)s?:$/.test(url.protocol)) return url
  throw new InvalidArgumentError(
    'fork',
    'the URL of a head node, e.g. ws://127.0.0.1:4001',
    typeof text === 'string' ? described('a text that is not such a URL') : text
  )
}
