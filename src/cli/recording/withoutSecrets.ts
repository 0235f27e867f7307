import { parseJson, stringifyJson } from '../../codec/json.js'
import { REMOVED } from './format.js'

/** Members that hold secrets, in lower case without `-` and `_`. */
const SECRET_NAMES =
  /^(headers?|cookies?|setcookie|authori[sz]ation|proxyauthori[sz]ation|auth|bearer|jwt|credentials?|pass(word|wd|phrase)?|mnemonic|recoveryphrase|seedphrase|projectid|sk|skey|xprv|rootkey)$|secret|apikey|signingkey|privatekey|accesskey|(^|access|refresh|id|session|api|auth)tokens?$/

/** Members whose text is a URL or a path. A query in it is removed even without a scheme before it. */
const URL_NAMES = /(ur[il]|href|link|location|endpoint|referr?er)s?$/

/**
 * Matches texts that may contain a secret. All other texts stay unchanged, without being parsed. It includes `\u`,
 * because an escape may hide any of the other words.
 */
const SUSPICIOUS =
  /:\\?\/\\?\/|\\u|head"?er|cookie|auth|bearer|jwt|eyJ|credential|pass|mnemonic|phrase|secret|token|signing|private|[-_]?key|project|"sk"|sk1|xprv|xsk|mainnet|testnet|preprod|preview|ur[il]s?"|href|link|location|endpoint|referr?er/i

/** Secrets known by their form: tokens, keys in bech32, keys of providers. */
const FORMS: readonly RegExp[] = [
  /\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g,
  /\b[a-z0-9_]{0,30}(?:x?sk|xprv)1[02-9ac-hj-np-z]{20,}/gi,
  /\bxprv[\w]{20,}/g,
  /\b(?:mainnet|preprod|preview|testnet)[A-Za-z0-9]{32}\b/g
]

/** A secret in prose: its name, `=` or `:`, and its value. */
const NAMED =
  /\b(x-api-key|api[-_]?key|project_id|access_token|token|password|secret|authorization|cookie)("?\s*[:=]\s*"?)(?!\[removed\]|(?:bearer|basic) )[^\s"',;]+/gi

/** A URL up to its end. Its scheme is at most 30 characters long, so that long hex text is skipped quickly. */
const URL_FORM = /(?<![a-z0-9+.-])[a-z0-9+.-]{1,30}:\/\/[^\s"'<>]*|:\/\/[^\s"'<>]*/gi

/** Returns a URL without its user part (all up to the last `@`), its query and its fragment. */
function plainUrl(url: string): string {
  const start = url.indexOf('://') + 3
  const end = url.slice(start).search(/[?#]/)
  const rest = end < 0 ? url.slice(start) : url.slice(start, start + end)
  // A password may hold any sign: an `@` behind the query's sign is one of it too.
  const user = url.lastIndexOf('@') - start
  return url.slice(0, start) + (user < 0 ? rest : user < rest.length ? rest.slice(user + 1) : '')
}

const replaceUrls = (text: string): string =>
  text
    .replace(URL_FORM, plainUrl)
    // A path with a query, as a proxy repeats it: `GET /head?key=...`.
    .replace(/([?&][\w.~%[\]-]{1,128}=)[^&\s"'<>]+/g, `$1${REMOVED}`)
    .replace(/\b(bearer|basic)\s+[\w+/=.~-]{8,}/gi, `$1 ${REMOVED}`)
    .replace(NAMED, `$1$2${REMOVED}`)

/** Returns a text that is not JSON, such as an error of a proxy, without secrets. */
export function withoutSecretTexts(text: string): string {
  return FORMS.reduce((rest, form) => rest.replace(form, REMOVED), replaceUrls(text))
}

/**
 * Returns a text of a node without secrets: signing keys, tokens, headers, and of URLs the user part and the query. A
 * text without any is returned unchanged, byte for byte.
 */
export function withoutSecrets(text: string): string {
  if (!SUSPICIOUS.test(text)) return text
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    return withoutSecretTexts(text)
  }
  const cleaned = clean(value, '')
  return cleaned === value ? text : stringifyJson(cleaned)
}

/** Returns a value without secrets; the same object when it contains none. `name`: the member that holds it. */
function clean(value: unknown, name: string): unknown {
  if (typeof value === 'string') return cleanText(value, name)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => clean(item, name))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  const entries = Object.entries(value)
  const isKeyFile = entries.some(([member, text]) => member === 'type' && /signing|secret|private/i.test(String(text)))
  const cleaned = entries.map(([member, inner]): [string, unknown] => [
    withoutSecretTexts(member),
    isSecret(member, isKeyFile) && inner !== null && inner !== REMOVED ? REMOVED : clean(inner, plainName(member))
  ])
  const isSame = cleaned.every(([member, inner], i) => member === entries[i]![0] && inner === entries[i]![1])
  return isSame ? value : Object.fromEntries(cleaned)
}

const plainName = (member: string): string => member.toLowerCase().replaceAll(/[-_ ]/g, '')

const isSecret = (member: string, isKeyFile: boolean): boolean =>
  SECRET_NAMES.test(plainName(member)) || (isKeyFile && plainName(member) === 'cborhex')

function cleanText(text: string, name: string): string {
  const shown = withoutSecretTexts(text)
  return URL_NAMES.test(name) ? shown.replace(/[?#].*$/s, '') : shown
}
