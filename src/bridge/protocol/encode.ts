import { stringifyJson } from '../../codec/json.js'
import type { CommandFields, CommandTag } from './commandTable.js'
import { commandRow } from './commandTable.js'
import type { LayerInput } from './types.js'

/** Argument of a command for {@link buildInput}: none for most. */
type Argument<Tag extends CommandTag> = CommandFields<Tag>[keyof CommandFields<Tag>]

/** Returns an input to the node: its tag, and its argument if it has one, e.g. `buildInput('Recover', depositTxId)`. */
export function buildInput<Tag extends CommandTag>(
  tag: Tag,
  ...argument: [Argument<Tag>] extends [never] ? [] : [Argument<Tag>]
): LayerInput {
  const [field] = Object.keys(commandRow(tag)?.fields ?? {})
  return (field === undefined ? { tag } : { tag, [field]: argument[0] }) as LayerInput
}

/**
 * Returns an input as the text of one frame. Bigints are written as plain integers, so outputs go back exactly as they
 * came.
 */
export function encodeInput(input: LayerInput): string {
  return stringifyJson(input)
}
