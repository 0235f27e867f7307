import { LOVELACE } from '../../codec/value.js'
import type { UTxO } from '../../types/utxo.js'
import type { HeadFacts, NodeFacts, Reading } from '../facts/HeadFacts.js'
import { valueOrNull } from '../facts/HeadFacts.js'
import { COLLATERAL_LOVELACE, LOW_FUEL_LOVELACE } from '../limits.js'
import type { ExitEstimate, Finding } from '../types.js'
import { finding, judged } from './finding.js'

/** Judges the node's wallet: its amount against the estimated cost of the exit, and the form of its outputs. */
export function judgeFuel(facts: HeadFacts, ownNode: NodeFacts, exit: ExitEstimate | null): readonly Finding[] {
  return judged(walletOf(facts, ownNode), ['fuel-low', 'fuel-shape'], (utxos) => [
    judgeAmount(utxos, exit),
    judgeShape(utxos)
  ])
}

/** Returns the outputs at the given address; if there is none, those that the node itself shows. */
function walletOf({ fuel }: HeadFacts, { head }: NodeFacts): Reading<readonly UTxO[]> {
  if ('value' in fuel) return fuel
  const shown = valueOrNull(head)?.wallet ?? []
  return shown.length > 0 ? { value: shown } : fuel
}

const lovelaceOf = ({ output }: UTxO): bigint =>
  BigInt(output.amount.find(({ unit }) => unit === LOVELACE)?.quantity ?? 0)

function judgeAmount(utxos: readonly UTxO[], exit: ExitEstimate | null): Finding {
  const lovelace = utxos.reduce((sum, utxo) => sum + lovelaceOf(utxo), 0n)
  const needed = exit?.fuel ?? 0n
  const evidence = { lovelace, needed }
  if (lovelace < needed)
    return finding('fuel-low', 'block', "The node's wallet cannot pay for the exit by estimate.", { evidence })
  return lovelace < LOW_FUEL_LOVELACE
    ? finding('fuel-low', 'warn', "The node's wallet holds less than 15 ada.", { evidence })
    : finding('fuel-low', 'ok', "The node's wallet can pay for the exit by estimate.", { evidence })
}

function judgeShape(utxos: readonly UTxO[]): Finding {
  const isPlain = ({ output }: UTxO): boolean => output.amount.every(({ unit }) => unit === LOVELACE)
  const largest = utxos.reduce<UTxO | null>(
    (most, utxo) => (most === null || lovelaceOf(utxo) > lovelaceOf(most) ? utxo : most),
    null
  )
  const plain = utxos.filter((utxo) => isPlain(utxo) && lovelaceOf(utxo) >= COLLATERAL_LOVELACE).length
  const evidence = {
    outputs: utxos.length,
    plainOf5Ada: plain,
    largestLovelace: largest === null ? 0n : lovelaceOf(largest),
    largestHasTokens: largest !== null && !isPlain(largest)
  }
  const refs = largest === null ? [] : [`${largest.input.txHash}#${largest.input.index}`]
  if (plain === 0)
    return finding('fuel-shape', 'block', "The node's wallet has no output of ada alone with 5 ada or more.", {
      evidence,
      refs
    })
  return evidence.largestHasTokens
    ? finding(
        'fuel-shape',
        'block',
        "The largest output of the node's wallet holds a token: it cannot be collateral.",
        {
          evidence,
          refs
        }
      )
    : finding('fuel-shape', 'ok', "The node's wallet has an output that can be collateral.", { evidence })
}
