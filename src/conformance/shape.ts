import { asRecord } from './trace.js'

/** The types and words seen at one place of a message, over all messages of its tag. */
export interface PlaceShape {
  /** `string`, `number`, `boolean`, `null`, `object` or `list`. */
  readonly types: Set<string>
  /** Words of a fixed vocabulary, such as tags and states. */
  readonly words: Set<string>
}

/** Shapes by place, e.g. `snapshot.utxo.*.value.lovelace` (`*`: any key that is data); the root is the empty text. */
export type LifeShape = ReadonlyMap<string, PlaceShape>

/** Members whose texts are words of a fixed vocabulary. */
const WORDS = /(^|\.)(tag|headStatus|chainSyncedStatus|fanoutMode|type|stallReason)$/
/** Keys that are data: references, hashes, policies, addresses of peers. */
const IS_DATA = /#|:|^[0-9a-f]{40,}$|^addr|^\d+(\.|$)/
/** Places whose members are data, whatever they are called. */
const MAPS = /(^|\.)(value\.\*|peersInfo|costModels)$/
const MAX_DEPTH = 14
const MAX_PLACES = 2_000

/** Collects the shapes of the messages of one tag, or of the bodies of one route. */
export class ShapeCollector {
  readonly places: Map<string, PlaceShape> = new Map()

  add(value: unknown, place: string = '', depth: number = 0): void {
    if (this.places.size >= MAX_PLACES || depth > MAX_DEPTH) return
    const shape = this.#shapeAt(place)
    const record = asRecord(value)
    if (Array.isArray(value)) {
      shape.types.add('list')
      // Cost models and parties: all items are alike, and a sample is enough.
      for (const item of value.slice(0, 50)) this.add(item, `${place}[]`, depth + 1)
    } else if (record !== null) {
      shape.types.add('object')
      for (const [name, inner] of Object.entries(record))
        this.add(inner, joined(place, MAPS.test(place) || IS_DATA.test(name) ? '*' : name), depth + 1)
    } else {
      shape.types.add(value === null ? 'null' : typeof value === 'bigint' ? 'number' : typeof value)
      if (typeof value === 'string' && WORDS.test(place)) shape.words.add(value)
    }
  }

  #shapeAt(place: string): PlaceShape {
    const existing = this.places.get(place)
    if (existing !== undefined) return existing
    const made = { types: new Set<string>(), words: new Set<string>() }
    this.places.set(place, made)
    return made
  }
}

/** A difference of two shapes: the place, and a sentence. */
export interface ShapeDifference {
  readonly place: string
  readonly what: string
}

/** Compares shapes; where one side lacks a member, the members below it are not reported as well. */
export function compareShapes(local: LifeShape, node: LifeShape): ShapeDifference[] {
  const found: ShapeDifference[] = []
  for (const place of [...new Set([...local.keys(), ...node.keys()])].sort()) {
    const [here, there] = [local.get(place), node.get(place)]
    if (here === undefined || there === undefined) {
      const parent = parentOf(place)
      // A map or list that is empty on one side shows no member.
      if (/(\*|\[\])$/.test(place) || !isIn(local, parent) || !isIn(node, parent)) continue
      found.push({ place, what: here === undefined ? 'the node alone has it' : 'the node lacks it' })
      continue
    }
    const [types, others] = [listed(here.types), listed(there.types)]
    if (types !== others) found.push({ place, what: `${types} on the local head, ${others} on the node` })
    else if (listed(here.words) !== listed(there.words))
      found.push({ place, what: `${listed(here.words)} on the local head, ${listed(there.words)} on the node` })
  }
  return found
}

const joined = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`)
const parentOf = (place: string): string => place.replace(/(\[\]|\.?[^.[\]]+)$/, '')
const isIn = (shape: LifeShape, place: string): boolean => shape.get(place)?.types.has('object') === true
const listed = (words: ReadonlySet<string>): string => [...words].sort().join('|') || 'none'
