import { InvalidArgumentError } from '../errors/input.js'
import { blake2b256 } from '../hash/blake2b.js'
import { concatBytes } from './bytes.js'
import { CborWriter } from './cbor/writer.js'
import { bytesToHex, hexToBytes } from './hex.js'
import { typedErrors } from './typedErrors.js'

/** A Plutus language, by the ledger's name. */
export type PlutusLanguage = 'PlutusV1' | 'PlutusV2' | 'PlutusV3'

/** Plutus languages in the ledger's order: the position is the number of the language. */
export const PLUTUS_LANGUAGES: readonly PlutusLanguage[] = ['PlutusV1', 'PlutusV2', 'PlutusV3']
// RFC 7049, section 3.9, as the ledger sorts the views: shorter keys first, and the key of PlutusV1 has two bytes.
const VIEW_ORDER: readonly PlutusLanguage[] = ['PlutusV2', 'PlutusV3', 'PlutusV1']

/**
 * Cost models of the protocol parameters, by Plutus language. Immutable.
 *
 * @example
 * ```ts
 * import { buildCostModels } from 'layer-sdk/utils'
 * const models = buildCostModels()
 * console.log(models.languages, models.get('PlutusV3')?.length) // [ 'PlutusV1', 'PlutusV2', 'PlutusV3' ] 350
 * ```
 */
export class Costmdls {
  readonly #models: ReadonlyMap<PlutusLanguage, readonly (number | bigint)[]>

  /**
   * @param models - arrays of integers keyed `PlutusV1`, `PlutusV2`, `PlutusV3` (or `plutus:v1` and so on); other keys
   * are left out.
   * @throws {@link InvalidArgumentError} on a model that is not an array of whole numbers.
   */
  constructor(models: Readonly<Record<string, unknown>>) {
    if (typeof models !== 'object' || models === null)
      throw new InvalidArgumentError('costModels', 'an object of arrays', models)
    const modelsByLanguage = new Map<PlutusLanguage, readonly (number | bigint)[]>()
    typedErrors('costModels', () => {
      for (const [key, model] of Object.entries(models)) {
        const language = PLUTUS_LANGUAGES.find((each) => each.toLowerCase() === key.toLowerCase().replace(':', ''))
        if (language !== undefined) modelsByLanguage.set(language, costModel(language, model))
      }
    })
    this.#models = modelsByLanguage
  }

  /** Languages that have a model, in the ledger's order. */
  get languages(): PlutusLanguage[] {
    return PLUTUS_LANGUAGES.filter((language) => this.#models.has(language))
  }

  /** Returns the cost model of a language: its parameters in the ledger's order; undefined when there is none. */
  get(language: PlutusLanguage): readonly (number | bigint)[] | undefined {
    return this.#models.get(language)
  }

  /** Encodes the cost models as the `costmdls` map of the protocol parameters: CBOR, hex. */
  toCbor(): string {
    const writer = new CborWriter().map(this.#models.size)
    for (const language of this.languages) this.#write(writer, language)
    return writer.toHex()
  }

  /**
   * Returns the language views: the ledger's encoding of the cost models of `languages` for the script data hash, hex.
   * `a0` without languages.
   *
   * @throws {@link InvalidArgumentError} when a language has no model here.
   */
  languageViews(languages: Iterable<PlutusLanguage>): string {
    const used = new Set<PlutusLanguage>()
    typedErrors('languages', () => {
      for (const language of languages) {
        if (!this.#models.has(language))
          throw new InvalidArgumentError('languages', this.languages.join(', '), language)
        used.add(language)
      }
    })
    const writer = new CborWriter().map(used.size)
    for (const language of VIEW_ORDER) {
      if (!used.has(language)) continue
      // A quirk kept for ever (ledger, getLanguageView): V1's key and value are wrapped in bytes, its list is
      // indefinite.
      if (language === 'PlutusV1') {
        const list = new CborWriter().arrayIndefinite()
        for (const parameter of this.#models.get(language)!) list.int(parameter)
        writer.bytes(Uint8Array.of(0)).bytes(list.break().toBytes())
      } else this.#write(writer, language)
    }
    return writer.toHex()
  }

  #write(writer: CborWriter, language: PlutusLanguage): void {
    const model = this.#models.get(language)!
    writer.uint(PLUTUS_LANGUAGES.indexOf(language)).array(model.length)
    for (const parameter of model) writer.int(parameter)
  }
}

/** Bytes that the script data hash of a transaction (body key 11) covers. */
export interface ScriptDataParts {
  /** CBOR of the redeemers, exactly as in the witness set: hex. Left out when there are none. */
  redeemers?: string
  /** CBOR of the datums, exactly as in the witness set: hex. Left out when there are none. */
  datums?: string
  /** Cost models of the ledger; only those of `languages` count. */
  costModels: Costmdls
  /** Languages of the scripts that run. */
  languages: Iterable<PlutusLanguage>
}

/**
 * Computes the script data hash of a transaction body (key 11), by which the ledger checks redeemers, datums and cost
 * models: blake2b-256 of redeemers, datums and language views, hex, 64 characters.
 *
 * @throws {@link InvalidArgumentError} when a language has no model. @throws {@link InvalidHexError}
 * @example
 * ```ts
 * import { buildCostModels, scriptDataHash } from 'layer-sdk/utils'
 * const parts = { redeemers: '80', costModels: buildCostModels(), languages: ['PlutusV3' as const] }
 * console.log(scriptDataHash(parts))
 * ```
 * @see Alonzo ledger specification, `hashScriptIntegrity`
 */
export function scriptDataHash(parts: ScriptDataParts): string {
  return typedErrors('parts', () => {
    const { redeemers = 'a0', datums = '', costModels, languages } = parts ?? {}
    if (!(costModels instanceof Costmdls)) throw new InvalidArgumentError('costModels', 'Costmdls', costModels)
    const views = costModels.languageViews(languages)
    return hashScriptData(hexToBytes(redeemers, 'redeemers'), hexToBytes(datums, 'datums'), hexToBytes(views))
  })
}

/** Computes the script data hash of the transaction's own bytes and of language views: hex. */
export function hashScriptData(redeemers: Uint8Array, datums: Uint8Array, views: Uint8Array): string {
  return bytesToHex(blake2b256(concatBytes(redeemers, datums, views)))
}

function costModel(language: string, model: unknown): readonly (number | bigint)[] {
  // Objects by parameter name are refused: their order is not the ledger's for every language.
  if (!Array.isArray(model)) throw new InvalidArgumentError(language, 'an array of integers', model)
  const wrong = model.findIndex((parameter) => typeof parameter !== 'bigint' && !Number.isSafeInteger(parameter))
  if (wrong >= 0) throw new InvalidArgumentError(`${language}[${wrong}]`, 'a whole number', model[wrong])
  return Object.freeze([...(model as (number | bigint)[])])
}
