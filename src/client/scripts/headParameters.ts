import type { LayerBridge, RawProtocolParameters } from '../../bridge/inner.js'
import type { TxParameters } from '../../tx/inner.js'
import type { ClientContext } from '../ClientContext.js'
import { ProtocolError } from '../../errors/bridge.js'

/** A head's protocol parameters under the node's own names, as transaction builders and evaluators read them. */
export interface HeadParameters {
  /**
   * Returns a number; `otherwise` where the node has none. @throws {@link ProtocolError} when it is required and
   * missing
   */
  number(name: string, otherwise?: number): number
  /** Cost models by language, numbers in the ledger's order. */
  readonly costModels: Readonly<Record<'PlutusV1' | 'PlutusV2' | 'PlutusV3', number[]>>
  readonly protocolVersion: { major: number; minor: number }
  /** The node's answer. */
  readonly raw: RawProtocolParameters
}

/** Parameters by client context: those of the head, requested once for each head and version of its node. */
const parametersOf = new WeakMap<ClientContext, { readonly key: string; readonly value: Promise<HeadParameters> }>()

/** Returns the head's parameters. @throws the errors of `bridge.getRawProtocolParameters()` */
export function loadHeadParameters(context: ClientContext): Promise<HeadParameters> {
  const { headId, nodeVersion } = context.bridge.getSnapshot()
  const key = `${headId}|${nodeVersion}`
  const cached = parametersOf.get(context)
  if (cached?.key === key) return cached.value
  const entry = { key, value: queryParameters(context.bridge) }
  parametersOf.set(context, entry)
  entry.value.catch(() => {
    if (parametersOf.get(context) === entry) parametersOf.delete(context)
  })
  return entry.value
}

const builderParametersOf = new WeakMap<HeadParameters, TxParameters>()

/**
 * Returns the parameters for builders: the same frozen object as long as the values of the head are the same, because
 * builders cache by object what they have read of it.
 */
export function builderParameters(parameters: TxParameters, headParameters: HeadParameters): TxParameters {
  const all = builderParametersOf.get(headParameters) ?? deepFreeze({ ...parameters, raw: headParameters.raw })
  builderParametersOf.set(headParameters, all)
  return all
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFreeze(member)
  return Object.freeze(value)
}

const LANGUAGES = ['PlutusV1', 'PlutusV2', 'PlutusV3'] as const

/** Requests the head's own parameters from the node. @throws the errors of `bridge.getRawProtocolParameters()` */
export async function queryParameters(bridge: LayerBridge): Promise<HeadParameters> {
  const raw = await bridge.getRawProtocolParameters()
  const costModels = Object.fromEntries(
    LANGUAGES.map((language) => {
      const model: unknown = raw.costModels?.[language] ?? []
      if (!Array.isArray(model))
        throw new ProtocolError('The protocol parameters', {
          expected: `costModels.${language} to be a list`,
          got: typeof model
        })
      return [language, model.map(Number)]
    })
  )
  return {
    raw,
    costModels: costModels as HeadParameters['costModels'],
    protocolVersion: raw.protocolVersion ?? { major: 0, minor: 0 },
    number: (name, otherwise) => {
      const value =
        name.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], raw) ??
        otherwise
      if (typeof value !== 'number' && typeof value !== 'bigint')
        throw new ProtocolError('The protocol parameters', { expected: `a number ${name}`, got: typeof value })
      return Number(value)
    }
  }
}
