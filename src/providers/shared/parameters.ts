import type { ResponseReader } from './ResponseReader.js'

/** Reads cost models by language, `PlutusV1` and so on (`plutus:v1` in Ogmios); empty when the provider has none. */
export function costModels(value: unknown, read: ResponseReader): Record<string, number[]> {
  const models = Object.entries(read.object(value ?? {}, 'cost models')).map(([language, costs]) => {
    for (const cost of read.list(costs, language))
      read.check(Number.isSafeInteger(cost), language, 'whole numbers', cost)
    return [language.replace('plutus:v', 'PlutusV'), costs as number[]] as const
  })
  return Object.fromEntries(models)
}
