import type { NodeContext } from '../NodeContext.js'
import type { EvaluateScripts } from './BaseChain.js'

/** Names of the purposes as Ogmios has them. */
const PURPOSES = { spend: 'spend', mint: 'mint', cert: 'publish', reward: 'withdraw', vote: 'vote', propose: 'propose' } as const

/** The node's evaluator as the chain of the base ledger offers it; null when there is none. */
export function chainScripts({ scripts, base }: Pick<NodeContext, 'scripts' | 'base'>): EvaluateScripts | null {
  if (scripts === null) return null
  return async (tx, resolved) => {
    const outcome = await scripts.evaluate(tx, resolved, base.parameters)
    if (outcome.kind !== 'passed') throw new Error(outcome.message)
    return [...outcome.units.values()].map(({ tag, index, mem, cpu }) => ({ purpose: PURPOSES[tag], index, memory: mem, cpu }))
  }
}
