import type { Finding } from '../types.js'
import type { HeadFacts, ParametersFacts, Reading, SnapshotFacts } from '../facts/HeadFacts.js'
import { valueOrNull } from '../facts/HeadFacts.js'
import {
  COLLATERAL_LOVELACE,
  FANOUT_ENVELOPE_BYTES,
  isBefore,
  OUTPUTS_WARNING,
  MANY_OUTPUTS_BEFORE_22,
  MAX_DATUM_OUTPUTS,
  MAX_OUTPUTS,
  SAFE_OUTPUT_BYTES
} from '../limits.js'
import { numberOf, finding, judged, unknowns } from './finding.js'
import type { MeasuredOutput, MeasuredOutputs } from './measureOutputs.js'

/** Codes of the findings that need the outputs of the head. */
export const OUTPUT_CODES = [
  'outputs-limit',
  'minted-token',
  'burned-token',
  'output-too-large',
  'below-min-ada',
  'address-kind',
  'script-output',
  'exit-budget',
  'last-collateral'
] as const

/** Version of a node: `[major, minor, patch]`; null where it is unknown. */
export type NodeVersionNumbers = readonly [number, number, number] | null

/** Judges the number of outputs that the parties commit to. */
export function judgeCount({ utxo, toCommit, toDecommit }: SnapshotFacts, version: NodeVersionNumbers): Finding {
  const outputs = utxo.length + toCommit.length + toDecommit.length
  const isOld = isBefore(version, 2, 2)
  const limit = isOld ? MANY_OUTPUTS_BEFORE_22 : MAX_OUTPUTS
  const evidence = {
    outputs,
    utxo: utxo.length,
    toCommit: toCommit.length,
    toDecommit: toDecommit.length,
    limit
  }
  const what = `The head has ${numberOf(outputs, 'output')} of at most ${isOld ? 'about ' : ''}${numberOf(limit, 'output')}.`
  if (!isOld && outputs > MAX_OUTPUTS) return finding('outputs-limit', 'block', what, { evidence })
  const isMany = outputs > (isOld ? MANY_OUTPUTS_BEFORE_22 : OUTPUTS_WARNING)
  return finding('outputs-limit', isMany ? 'warn' : 'ok', what, { evidence })
}

/** Judges the sizes, least lovelace, kinds of addresses, datums and scripts of outputs. */
export function judgeOutputs(
  { outputs }: MeasuredOutputs,
  base: Reading<ParametersFacts>,
  head: Reading<ParametersFacts>
): readonly Finding[] {
  return [
    ...judged(base, ['output-too-large'], (parameters) => [judgeSize(outputs, parameters)]),
    ...judged(base, ['below-min-ada'], () => [judgeLeast(outputs)]),
    ...judgePrice(head),
    judgeAddresses(outputs),
    judgeScripts(outputs),
    judgeCollateral(outputs)
  ]
}

function judgeSize(outputs: readonly MeasuredOutput[], { maxTxSize, maxValueSize }: ParametersFacts): Finding {
  const most = maxTxSize - FANOUT_ENVELOPE_BYTES
  const tooLarge = outputs.filter(({ sizeBytes, valueBytes }) => sizeBytes > most || valueBytes > maxValueSize)
  const large = outputs.filter(({ sizeBytes }) => sizeBytes > SAFE_OUTPUT_BYTES)
  const worst = tooLarge.length > 0 ? tooLarge : large
  const largest = worst.reduce((max, { sizeBytes }) => Math.max(max, sizeBytes), 0)
  const evidence = {
    tooLarge: tooLarge.length,
    largestBytes: Number.isFinite(largest) ? largest : null,
    mostBytes: most,
    maxValueBytes: maxValueSize
  }
  const refs = worst.map(({ ref }) => ref)
  if (tooLarge.length > 0)
    return finding('output-too-large', 'block', `No fanout can hold ${numberOf(tooLarge.length, 'output')}.`, {
      evidence,
      refs
    })
  return large.length > 0
    ? finding('output-too-large', 'warn', `Larger than 10,250 bytes: ${numberOf(large.length, 'output')}.`, {
        evidence,
        refs
      })
    : finding('output-too-large', 'ok', 'Each output fits into a fanout.', { evidence })
}

function judgeLeast(outputs: readonly MeasuredOutput[]): Finding {
  const below = outputs.filter(({ lovelace, least }) => least !== null && lovelace < least)
  const [first] = below
  if (first === undefined)
    return finding('below-min-ada', 'ok', 'Each output holds the least ada of the base ledger.', {
      evidence: { below: 0 }
    })
  return finding(
    'below-min-ada',
    'block',
    `Below the least ada of the base ledger: ${numberOf(below.length, 'output')}.`,
    {
      evidence: { below: below.length, lovelace: first.lovelace, least: first.least },
      refs: below.map(({ ref }) => ref)
    }
  )
}

function judgePrice(head: Reading<ParametersFacts>): readonly Finding[] {
  if ('unread' in head) return unknowns(['below-min-ada'], head.unread)
  if (head.value.coinsPerByte !== '0') return []
  return [
    finding(
      'below-min-ada',
      'warn',
      'The head demands no ada for an output: it allows outputs that cannot be paid out.',
      {
        evidence: { headCoinsPerByte: 0n },
        remedy: 'Open the next head with the utxoCostPerByte of the base ledger in `--ledger-protocol-parameters`.'
      }
    )
  ]
}

function judgeAddresses(outputs: readonly MeasuredOutput[]): Finding {
  const refs = outputs.filter(({ byron }) => byron).map(({ ref }) => ref)
  return refs.length === 0
    ? finding('address-kind', 'ok', 'No output lies at a Byron address.')
    : finding('address-kind', 'warn', `At Byron addresses: ${numberOf(refs.length, 'output')}.`, {
        evidence: { byron: refs.length },
        refs
      })
}

function judgeScripts(outputs: readonly MeasuredOutput[]): Finding {
  const atScripts = outputs.filter(({ atScript }) => atScript)
  const locked = atScripts.filter(({ hasDatum }) => hasDatum)
  const withDatum = outputs.filter(({ hasDatum }) => hasDatum)
  const evidence = { atScripts: atScripts.length, atScriptsWithDatum: locked.length, withDatum: withDatum.length }
  const isMany = withDatum.length > MAX_DATUM_OUTPUTS
  if (locked.length === 0 && !isMany)
    return finding('script-output', 'ok', `With a datum: ${numberOf(withDatum.length, 'output')}, none at a script.`, {
      evidence
    })
  return finding(
    'script-output',
    'warn',
    `At scripts with a datum: ${numberOf(locked.length, 'output')}; with a datum anywhere: ${withDatum.length}.`,
    { evidence, refs: (isMany ? withDatum : locked).map(({ ref }) => ref) }
  )
}

/** Judges if the scripts of a head have collateral. */
export function judgeCollateral(outputs: readonly MeasuredOutput[]): Finding {
  const scripts = outputs.filter(({ atScript }) => atScript).length
  const plain = outputs.filter(
    ({ adaOnly, atScript, hasDatum, lovelace }) => adaOnly && !atScript && !hasDatum && lovelace >= COLLATERAL_LOVELACE
  ).length
  const evidence = { scripts, collateral: plain }
  return scripts > 0 && plain === 0
    ? finding('last-collateral', 'warn', 'No output is left that can be collateral for the scripts in the head.', {
        evidence
      })
    : finding('last-collateral', 'ok', 'Scripts in the head have collateral, or there are none.', { evidence })
}

/**
 * Finds tokens that were minted or burned in the head, by the value of the head's output on the base ledger, or by the
 * whole history where the node does not show that output.
 */
export function judgeTokens({ nodes: [own], history }: HeadFacts, snapshot: SnapshotFacts): readonly Finding[] {
  const head = own === undefined ? null : valueOrNull(own.head)
  const past = valueOrNull(history)
  const shown = head?.onChain ?? (past?.complete === true ? past.entered : null)
  // The version says whether the step that the snapshot declares has happened.
  const isApplied = head?.version != null && snapshot.version !== null && head.version > snapshot.version
  const [pending, other] = isApplied
    ? [snapshot.toCommit, snapshot.toDecommit]
    : [snapshot.toDecommit, snapshot.toCommit]
  const headTokens = tokensOf([...snapshot.utxo, ...pending])
  if (shown === null) {
    if (headTokens.size === 0) return noTokens('The head holds ada alone.')
    const reason = 'unread' in history ? history.unread : 'the history does not go back to the opening of the head'
    return unknowns(['minted-token', 'burned-token'], reason)
  }
  const source = head?.onChain == null ? 'the whole history of the node' : "the head's output on the base ledger"
  const entered = new Map(Object.entries(shown).map(([unit, quantity]) => [unit, BigInt(quantity)]))
  entered.delete('lovelace')
  const found = compareTokens(headTokens, entered, source)
  // The sources are read one after another: the step may have happened between two of them.
  const after = other.length === 0 ? found : compareTokens(tokensOf([...snapshot.utxo, ...other]), entered, source)
  return found.some(({ severity }) => severity !== 'ok') ? after : found
}

function compareTokens(
  headTokens: ReadonlyMap<string, bigint>,
  entered: ReadonlyMap<string, bigint>,
  source: string
): readonly Finding[] {
  const minted = [...headTokens].filter(([unit, quantity]) => quantity > (entered.get(unit) ?? 0n))
  const burned = [...entered].filter(([unit, quantity]) => quantity > (headTokens.get(unit) ?? 0n))
  const difference = (unit: string): bigint => (headTokens.get(unit) ?? 0n) - (entered.get(unit) ?? 0n)
  const quantities = (units: readonly [string, bigint][], sign: bigint): string[] =>
    units.slice(0, 50).map(([unit]) => `${sign * difference(unit)} ${unit}`)
  return [
    minted.length === 0
      ? finding('minted-token', 'ok', 'No token was minted in the head.', {
          evidence: { source, tokens: headTokens.size }
        })
      : finding('minted-token', 'block', `Minted in the head: ${numberOf(minted.length, 'token')}.`, {
          evidence: { source, quantities: quantities(minted, 1n) },
          refs: minted.map(([unit]) => unit)
        }),
    burned.length === 0
      ? finding('burned-token', 'ok', 'No token that entered was burned in the head.', { evidence: { source } })
      : finding('burned-token', 'block', `Burned in the head: ${numberOf(burned.length, 'token')} that entered it.`, {
          evidence: { source, quantities: quantities(burned, -1n) },
          refs: burned.map(([unit]) => unit)
        })
  ]
}

const noTokens = (what: string): readonly Finding[] => [
  finding('minted-token', 'ok', what),
  finding('burned-token', 'ok', what)
]

function tokensOf(utxos: SnapshotFacts['utxo']): Map<string, bigint> {
  const tokens = new Map<string, bigint>()
  for (const { output } of utxos)
    for (const { unit, quantity } of output.amount)
      if (unit !== 'lovelace') tokens.set(unit, (tokens.get(unit) ?? 0n) + BigInt(quantity))
  return tokens
}
