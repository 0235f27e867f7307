import { addressToString, baseAddress, enterpriseAddress, parseAddress, rewardAddress } from '../../codec/address.js'
import type { Credential } from '../../codec/address.js'
import { CborReader } from '../../codec/cbor/reader.js'
import { CborWriter } from '../../codec/cbor/writer.js'
import type { PlutusLanguage } from '../../codec/costModels.js'
import { hexToBytes } from '../../codec/hex.js'
import { parseJson } from '../../codec/json.js'
import { PlutusData } from '../../codec/plutusData.js'
import { isRecord } from '../../codec/record.js'
import { plutusScriptBytes, scriptRefHash } from '../../codec/scriptHash.js'
import { described } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { ScriptRef } from '../../types/utxo.js'
import { scriptRef } from '../scriptRef.js'
import type { PlutusDataSource } from '../scripts/ScriptPart.js'
import type { DataType, DataTypes } from './dataType.js'
import { readDefinitions, readType } from './dataType.js'
import { decodeValueOf, encodeValueOf } from './dataValue.js'
import { applyToData } from './flat.js'

/** TypeScript types of a validator. `layer-sdk blueprint FILE --out types.ts` generates them. */
export interface ContractTypes {
  /** Type of the datum's value. */
  datum: unknown
  /** Type of the redeemer's value. */
  redeemer: unknown
  /** Types of the script's parameters, in order. */
  parameters: readonly unknown[]
}

/** Compiled validator of a blueprint, with its script, addresses, encoders and decoders. */
export interface Contract<Types extends ContractTypes = ContractTypes> {
  /** Title of the validator in the blueprint. */
  readonly title: string
  /** Language of the code. */
  readonly language: PlutusLanguage
  /** Hash of the script, which is the policy id of a minting one: hex, 56 characters. */
  readonly hash: string
  /** The script, for `spendScript`, `mintScript`, `withdrawScript` and the extras of `pay`. */
  readonly script: ScriptRef
  /** Names of the parameters that `apply` must still fill in; empty when the script is complete. */
  readonly parameters: readonly string[]
  /**
   * Returns the address of the script: bech32. `stake`: a reward address, or an address, whose staking credential the
   * script's address gets. @throws {@link InvalidArgumentError} while parameters are missing
   */
  address(networkId: 0 | 1, stake?: string): string
  /**
   * Returns the reward address of the script: bech32.
   *
   * @throws {@link InvalidArgumentError} while parameters are missing
   */
  rewardAddress(networkId: 0 | 1): string
  /** Applies all parameters, in order, and returns the complete contract. @throws {@link InvalidArgumentError} */
  apply(...values: Types['parameters']): Contract<Types>
  /** Encodes a datum: CBOR hex. @throws {@link InvalidArgumentError} naming the place where the value is wrong */
  datum(value: Types['datum']): string
  /** Encodes a redeemer: CBOR hex. @throws {@link InvalidArgumentError} naming the place where the value is wrong */
  redeemer(value: Types['redeemer']): string
  /**
   * Decodes a datum to its value.
   *
   * @throws {@link InvalidArgumentError}, {@link InvalidCborError} on data of another form
   */
  decodeDatum(data: PlutusDataSource): Types['datum']
  /**
   * Decodes a redeemer to its value.
   *
   * @throws {@link InvalidArgumentError}, {@link InvalidCborError} on data of another form
   */
  decodeRedeemer(data: PlutusDataSource): Types['redeemer']
}

/** The validators of a blueprint. */
export interface ContractBlueprint<Types = Readonly<Record<string, ContractTypes>>> {
  /** Title of the project. */
  readonly title: string
  /** Titles of the validators. */
  readonly titles: readonly (keyof Types & string)[]
  /** Returns a validator by its title. @throws {@link InvalidArgumentError} with the known titles */
  get<Title extends keyof Types & string>(
    title: Title
  ): Contract<Types[Title] extends ContractTypes ? Types[Title] : ContractTypes>
}

const LANGUAGES: Readonly<Record<string, PlutusLanguage>> = { v1: 'PlutusV1', v2: 'PlutusV2', v3: 'PlutusV3' }
const ANY: DataType = { kind: 'any' }

/**
 * Reads a blueprint of compiled contracts (CIP-57), such as `plutus.json` of Aiken. It has each validator with its
 * script, hash and address, and with encoders and decoders of its datum and redeemer. In their values integers are
 * bigint, bytes hex, lists and tuples arrays, maps arrays of pairs, Bool a boolean, Option a value or null, records
 * objects by field name; a type with several constructors is `'Title'` or `{ Title: fields }`.
 *
 * @param json - the text of the file, or the parsed object
 * @throws {@link InvalidArgumentError} naming the place, {@link InvalidJsonError}
 * @example
 * ```ts no-run
 * import { loadBlueprint } from 'layer-sdk/tx'
 * import plutus from './plutus.json' with { type: 'json' }
 * import type { Contracts } from './types.js' // layer-sdk blueprint plutus.json --out types.ts
 *
 * const escrow = loadBlueprint<Contracts>(plutus).get('escrow.escrow.spend')
 * builder.pay(escrow.address(0), 5_000_000n, { inlineDatum: escrow.datum({ seller, price: 5_000_000n }) })
 * ```
 * @see CIP-57
 */
export function loadBlueprint<Types = Readonly<Record<string, ContractTypes>>>(
  json: unknown
): ContractBlueprint<Types> {
  const { title, definitions, validators } = readBlueprint(json)
  const contracts = new Map(validators.map((each) => [each.title, contractOf(each, definitions)]))
  return Object.freeze({
    title,
    titles: Object.freeze([...contracts.keys()]) as readonly (keyof Types & string)[],
    get(name: string) {
      const found = contracts.get(name)
      if (found === undefined)
        throw new InvalidArgumentError('title', `one of ${[...contracts.keys()].join(', ')}`, name)
      return found
    }
  }) as unknown as ContractBlueprint<Types>
}

/** A checked validator of a blueprint. */
export interface BlueprintValidator {
  readonly title: string
  readonly script: ScriptRef
  readonly datum: DataType | null
  readonly redeemer: DataType
  readonly parameters: readonly { readonly name: string; readonly type: DataType }[]
}

/** A checked blueprint. */
export interface ParsedBlueprint {
  readonly title: string
  readonly definitions: DataTypes
  readonly validators: readonly BlueprintValidator[]
}

/**
 * Reads and checks a blueprint: its text or the parsed object.
 *
 * @throws {@link InvalidArgumentError} naming the place
 */
export function readBlueprint(json: unknown): ParsedBlueprint {
  const document: unknown = typeof json === 'string' ? parseJson(json) : json
  if (!isRecord(document)) throw new InvalidArgumentError('blueprint', 'the JSON of a blueprint (CIP-57)', document)
  const { preamble, validators, definitions } = document
  if (!isRecord(preamble)) throw new InvalidArgumentError('blueprint.preamble', 'an object', preamble)
  const version = typeof preamble['plutusVersion'] === 'string' ? preamble['plutusVersion'].toLowerCase() : undefined
  const language = version !== undefined && Object.hasOwn(LANGUAGES, version) ? LANGUAGES[version] : undefined
  if (language === undefined)
    throw new InvalidArgumentError('blueprint.preamble.plutusVersion', 'v1, v2 or v3', preamble['plutusVersion'])
  if (!Array.isArray(validators)) throw new InvalidArgumentError('blueprint.validators', 'a list', validators)
  const read = validators.map((each: unknown, i) => readValidator(each, language, `blueprint.validators[${i}]`))
  if (new Set(read.map(({ title }) => title)).size < read.length)
    throw new InvalidArgumentError('blueprint.validators', 'validators with a title of their own', validators)
  const { title } = preamble
  return { title: typeof title === 'string' ? title : '', definitions: readDefinitions(definitions), validators: read }
}

function readValidator(validator: unknown, language: PlutusLanguage, path: string): BlueprintValidator {
  if (!isRecord(validator)) throw new InvalidArgumentError(path, 'an object', validator)
  const { title, compiledCode, hash, datum, redeemer, parameters = [] } = validator
  if (typeof title !== 'string') throw new InvalidArgumentError(`${path}.title`, 'a text', title)
  if (typeof compiledCode !== 'string')
    throw new InvalidArgumentError(`${path}.compiledCode`, 'code in hex: build the project', compiledCode)
  if (hash !== undefined && typeof hash !== 'string') throw new InvalidArgumentError(`${path}.hash`, 'hex', hash)
  if (!Array.isArray(parameters)) throw new InvalidArgumentError(`${path}.parameters`, 'a list', parameters)
  return {
    title,
    script: scriptRef(language, compiledCode, hash),
    datum: datum === undefined ? null : readType(datum, `${path}.datum`),
    redeemer: redeemer === undefined ? ANY : readType(redeemer, `${path}.redeemer`),
    parameters: parameters.map((each: unknown, i) => ({
      name: isRecord(each) && typeof each['title'] === 'string' ? each['title'] : `parameter${i}`,
      type: readType(each, `${path}.parameters[${i}]`)
    }))
  }
}

function contractOf(validator: BlueprintValidator, types: DataTypes): Contract {
  const { title, script, datum, redeemer, parameters } = validator
  const language = script.language as PlutusLanguage
  const hash = scriptRefHash(script)
  const complete = (): Credential => {
    if (parameters.length === 0) return { kind: 'script', hash }
    const names = parameters.map(({ name }) => name).join(', ')
    throw new InvalidArgumentError(
      title,
      `apply(${names}): the script has no address before`,
      described('parameters missing')
    )
  }
  const encode = (type: DataType, value: unknown, path: string): string =>
    encodeValueOf(type, value, types, path).toCbor()
  return Object.freeze({
    title,
    language,
    hash,
    script,
    parameters: Object.freeze(parameters.map(({ name }) => name)),
    address(networkId: 0 | 1, stake?: string) {
      const payment = complete()
      const staking = stake === undefined ? undefined : parseAddress(stake, 'stake').stake
      if (stake !== undefined && staking === undefined)
        throw new InvalidArgumentError('stake', 'an address with a staking credential', stake)
      const bytes =
        staking === undefined ? enterpriseAddress(networkId, payment) : baseAddress(networkId, payment, staking)
      return addressToString(bytes)
    },
    rewardAddress: (networkId: 0 | 1) => addressToString(rewardAddress(networkId, complete())),
    apply(...values: readonly unknown[]) {
      if (values.length !== parameters.length)
        throw new InvalidArgumentError('parameters', `${parameters.length} values`, values.length)
      const program = parameters.reduce(
        (code, { name, type }, i) => applyToData(code, hexToBytes(encode(type, values[i], name))),
        new CborReader(plutusScriptBytes(script), 'compiledCode').readBytes()
      )
      const applied = scriptRef(language, new CborWriter().bytes(program).toHex())
      return contractOf({ ...validator, script: applied, parameters: [] }, types)
    },
    datum: (value: unknown) => encode(datum ?? ANY, value, 'datum'),
    redeemer: (value: unknown) => encode(redeemer, value, 'redeemer'),
    decodeDatum: (data: PlutusDataSource) => decodeValueOf(datum ?? ANY, dataOf(data), types, 'datum'),
    decodeRedeemer: (data: PlutusDataSource) => decodeValueOf(redeemer, dataOf(data), types, 'redeemer')
  })
}

function dataOf(source: PlutusDataSource): PlutusData {
  return PlutusData.fromCbor(typeof source === 'string' ? source : source.toCbor())
}
