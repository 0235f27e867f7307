/** Weight of each value in a parsed message, in addition to the characters of its strings. */
const NODE_WEIGHT = 8

/**
 * Returns the weight of a message, by which queues are bounded: the characters of its text, or about as many for a
 * message that arrives as a parsed value, as over a gateway.
 */
export function weightOf(message: unknown): number {
  if (typeof message === 'string') return message.length
  let weight = 0
  const open: unknown[] = [message]
  while (open.length > 0) {
    const value = open.pop()
    weight += typeof value === 'string' ? value.length + NODE_WEIGHT : NODE_WEIGHT
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      weight += name.length
      open.push(member)
    }
  }
  return weight
}
