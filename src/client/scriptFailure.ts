import type { ScriptFailure } from '../errors/client.js'

/** Maximum length of a text, and maximum number of traces, that are kept. */
const MAX_TEXT = 2_000
const MAX_TRACES = 100

/**
 * Decodes the ledger's text about a script that failed; undefined when it reports none.
 *
 * @see cardano-ledger, libs/cardano-ledger-core/src/Cardano/Ledger/Plutus/Evaluate.hs, explainPlutusEvaluationError
 */
export function scriptFailure(nodeText: string): ScriptFailure | undefined {
  const language = /The (PlutusV\d) script failed/.exec(nodeText)?.[1]
  const scriptHash = /script hash is: ?(?:ScriptHash )?"?([0-9a-f]{56})/.exec(nodeText)?.[1]
  const error = /evaluation error is: ?([^]*?)(?:\nThe protocol version|\nDebug info|$)/.exec(nodeText)?.[1]?.trim()
  if (language === undefined && scriptHash === undefined && error === undefined) return undefined
  const units = /\{\s*cpu: ?(-?\d{1,30})\s*\|\s*mem: ?(-?\d{1,30})/.exec(error ?? '')
  const redeemer = /\b(spend|mint|cert|publish|reward|withdraw|vote|propose)[#:](\d{1,5})\b/.exec(error ?? '')
  return {
    language,
    scriptHash,
    redeemer: redeemer === null ? undefined : `${redeemer[1]}#${redeemer[2]}`,
    error: error?.slice(0, MAX_TEXT),
    traces: tracesOf(nodeText),
    unitsLeft: units === null ? undefined : { cpu: BigInt(units[1]!), mem: BigInt(units[2]!) }
  }
}

/** Removes the bytes of scripts from a text, which hide the rest. */
export function withoutScriptBytes(nodeText: string): string {
  return nodeText.replace(/"[\w+/]{64,}={0,2}"/g, (bytes) => `"(${bytes.length - 2} characters)"`)
}

/**
 * Reads the traces of a script. Haskell shows a list of texts as JSON does, except for characters beyond ASCII, which
 * stay as they are shown.
 */
function tracesOf(nodeText: string): string[] {
  const list = /Debug info: DebugFailure \[((?:"(?:[^"\\]|\\[^])*",?)*)\]/.exec(nodeText)?.[1] ?? ''
  const texts = list.match(/"(?:[^"\\]|\\[^])*"/g) ?? []
  return texts.slice(0, MAX_TRACES).map((text) => {
    try {
      return String(JSON.parse(text)).slice(0, MAX_TEXT)
    } catch {
      return text.slice(1, -1).slice(0, MAX_TEXT)
    }
  })
}
