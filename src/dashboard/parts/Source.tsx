import type { VNode } from 'preact'
import { PlutusData } from '../../codec/plutusData.js'
import { isLayerError } from '../../errors/base.js'
import { countOf, jsonText, safeText } from '../model/text.js'
import { CopyButton } from './basics.js'

const MAX_SHOWN = 20_000

/** Text that others wrote, folded up: it is shown as text, cut at a length that a page can hold, and copied whole. */
export function Source({ title, text, open = false }: { title: string; text: string; open?: boolean }): VNode {
  return (
    <details class="source" open={open}>
      <summary>{title}</summary>
      <CopyButton text={text} label={title} />
      <pre tabIndex={0} aria-label={title}>
        {safeText(text, MAX_SHOWN)}
      </pre>
    </details>
  )
}

/** A datum: its values, and its bytes. */
export function Datum({ cborHex, title = 'Datum' }: { cborHex: string; title?: string }): VNode {
  const values = readDatum(cborHex)
  return (
    <>
      {values !== null && <Source title={title} text={values} />}
      <Source title={`${title}, ${countOf(cborHex.length / 2, 'byte')} of CBOR`} text={cborHex} />
    </>
  )
}

function readDatum(cborHex: string): string | null {
  try {
    return jsonText(PlutusData.fromCbor(cborHex).toJson())
  } catch (error) {
    if (isLayerError(error)) return null
    throw error
  }
}
