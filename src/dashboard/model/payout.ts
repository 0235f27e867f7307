import type { UTxO } from '../../client/index.js'
import { encodeTxOutput, minLovelace } from '../../codec/txOutput.js'
import { assetLabel, countOf, formatAdaText, formatCount } from './text.js'

/** Result of a check: it blocks the payout, may block it, is unknown, or is fine. */
export type FindingLevel = 'block' | 'warn' | 'unknown' | 'ok'

/** Finding of one check. */
export interface Finding {
  readonly level: FindingLevel
  readonly title: string
  readonly detail: string
  /** Outputs or units that it is about. */
  readonly items: readonly string[]
}

/** Input of the checks. */
export interface PayoutInput {
  /** State of the head. */
  readonly headStatus: string | null
  /** The node's version; null until known. */
  readonly version: string | null
  readonly utxos: readonly UTxO[]
  /** By unit: quantity that entered the head, less the quantity that left it; null where some of it is unknown. */
  readonly entered: ReadonlyMap<string, bigint> | null
  /** Valid transactions that no snapshot holds. */
  readonly unconfirmed: number
  /** Deposits that are not in the head yet. */
  readonly pendingDeposits: number
  /** Decommits that are not on the base ledger yet. */
  readonly pendingDecommits: number
}

/** Bound of the parties' commitment to all outputs, from 2.2 on. */
const MAX_OUTPUTS = 4_095
/** Outputs of one fanout transaction before 2.2, a careful estimate. */
const MAX_OUTPUTS_BEFORE_22 = 40
/** The fanout's own parts need the rest of a transaction's 16,384 bytes. */
const MAX_OUTPUT_BYTES = 14_000
/** Base ledger, lovelace per byte of an output: mainnet since epoch 365. */
const COINS_PER_BYTE = 4_310n
/** A plain output with so much is never below the least lovelace. */
const PLAIN_ENOUGH = 1_500_000n
/** Outputs that are measured before other work gets its turn. */
const SLICE = 200
const MAX_ITEMS = 50

/**
 * Checks whether the head can be closed and paid out; the worst finding comes first. Yields to other work between
 * slices.
 */
export async function checkPayout(input: PayoutInput, signal?: AbortSignal): Promise<Finding[]> {
  const { tooLarge, tooSmall } = await measure(input.utxos, signal)
  const found = [countFinding(input), ...tokenFindings(input), ...sizeFindings(tooLarge, tooSmall), ...underWay(input)]
  const levels: readonly FindingLevel[] = ['block', 'warn', 'unknown', 'ok']
  return found.sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level))
}

function countFinding({ utxos, version }: PayoutInput): Finding {
  const [major = 99, minor = 0] = (version?.match(/^\D*(\d+)\.(\d+)/) ?? []).slice(1).map(Number)
  const isOld = major < 2 || (major === 2 && minor < 2)
  const limit = isOld ? MAX_OUTPUTS_BEFORE_22 : MAX_OUTPUTS
  const title = `${formatCount(utxos.length)} of at most ${isOld ? 'about ' : ''}${formatCount(limit)} outputs`
  const why = isOld
    ? 'Nodes before 2.2 pay out in one transaction, which takes some dozens of outputs.'
    : 'Nodes from 2.2 on commit to at most 4,095 outputs.'
  if (utxos.length <= limit * 0.9) return { level: 'ok', title, detail: why, items: [] }
  const level = utxos.length > limit ? (isOld ? 'warn' : 'block') : 'warn'
  return {
    level,
    title,
    detail: `${why} Combine small outputs with payments to yourself, or decommit some, before you close.`,
    items: []
  }
}

function tokenFindings({ utxos, entered }: PayoutInput): Finding[] {
  const held = new Map<string, bigint>()
  for (const { output } of utxos)
    for (const { unit, quantity } of output.amount)
      if (unit !== 'lovelace') held.set(unit, (held.get(unit) ?? 0n) + BigInt(quantity))
  if (held.size === 0) return [{ level: 'ok', title: 'No tokens', detail: 'The head holds ada alone.', items: [] }]
  if (entered === null) {
    const detail =
      'Where they came from is not known here: a token that was minted in the head and not burned blocks the fanout. Read the history to find out.'
    return [
      {
        level: 'unknown',
        title: `Of unknown origin: ${countOf(held.size, 'token')}`,
        detail,
        items: [...held.keys()].slice(0, MAX_ITEMS)
      }
    ]
  }
  const minted = [...held].filter(([unit, quantity]) => quantity > (entered.get(unit) ?? 0n))
  const burned = [...entered].filter(([unit, quantity]) => unit !== 'lovelace' && quantity > (held.get(unit) ?? 0n))
  const found: Finding[] = []
  const text = ([unit, quantity]: [string, bigint], other: bigint): string =>
    `${formatCount(quantity > other ? quantity - other : other - quantity)} ${assetLabel(unit)}, ${unit}`
  if (minted.length > 0) {
    const detail =
      'The base ledger has not seen them minted: the transaction that pays them out fails, and the last fanout with it. Burn them in the head before you close.'
    found.push({
      level: 'block',
      title: 'Tokens minted in the head',
      detail,
      items: minted.slice(0, MAX_ITEMS).map((each) => text(each, entered.get(each[0]) ?? 0n))
    })
  }
  if (burned.length > 0) {
    const detail =
      'The base ledger has not seen them burned: what the head holds no longer adds up to what was deposited.'
    found.push({
      level: 'block',
      title: 'Deposited tokens burned in the head',
      detail,
      items: burned.slice(0, MAX_ITEMS).map((each) => text(each, held.get(each[0]) ?? 0n))
    })
  }
  if (found.length > 0) return found
  return [
    {
      level: 'ok',
      title: `All deposited: ${countOf(held.size, 'token')}`,
      detail: 'None was minted or burned in the head.',
      items: []
    }
  ]
}

function sizeFindings(tooLarge: readonly string[], tooSmall: readonly string[]): Finding[] {
  return [
    tooLarge.length === 0
      ? {
          level: 'ok',
          title: 'No output is too large',
          detail: "Each fits into a transaction of the base ledger beside the fanout's own parts.",
          items: []
        }
      : {
          level: 'block',
          title: `Too large: ${countOf(tooLarge.length, 'output')}`,
          detail:
            'With their datum, script or tokens they do not fit into a transaction of the base ledger. Spend them into smaller ones.',
          items: tooLarge.slice(0, MAX_ITEMS)
        },
    tooSmall.length === 0
      ? {
          level: 'ok',
          title: 'Every output holds enough ada',
          detail: `By the base ledger's price of ${formatCount(COINS_PER_BYTE)} lovelace a byte.`,
          items: []
        }
      : {
          level: 'block',
          title: `Too little ada: ${countOf(tooSmall.length, 'output')}`,
          detail: 'The base ledger demands more for outputs of their size. Combine them with others.',
          items: tooSmall.slice(0, MAX_ITEMS)
        }
  ]
}

function underWay({ headStatus, unconfirmed, pendingDeposits, pendingDecommits }: PayoutInput): Finding[] {
  if (headStatus !== 'Open') return []
  const found: Finding[] = []
  if (unconfirmed > 0)
    found.push({
      level: 'warn',
      title: `Not confirmed: ${countOf(unconfirmed, 'transaction')}`,
      detail: 'Closing drops what no snapshot holds. Wait for the next snapshot.',
      items: []
    })
  if (pendingDeposits > 0)
    found.push({
      level: 'warn',
      title: `Under way: ${countOf(pendingDeposits, 'deposit')}`,
      detail: 'They are not in the payout: recover them after their deadline.',
      items: []
    })
  if (pendingDecommits > 0)
    found.push({
      level: 'warn',
      title: 'A decommit is under way',
      detail: 'Wait until it is on the base ledger.',
      items: []
    })
  if (found.length === 0)
    found.push({
      level: 'ok',
      title: 'Nothing is under way',
      detail: 'No unconfirmed transaction, deposit or decommit.',
      items: []
    })
  return found
}

/** References of outputs that the base ledger would refuse for their size, with the figure. */
async function measure(
  utxos: readonly UTxO[],
  signal: AbortSignal | undefined
): Promise<{ tooLarge: string[]; tooSmall: string[] }> {
  const [tooLarge, tooSmall]: [string[], string[]] = [[], []]
  let measured = 0
  for (const { input, output } of utxos) {
    const lovelace = BigInt(output.amount.find(({ unit }) => unit === 'lovelace')?.quantity ?? 0)
    const isPlain = output.inlineDatum === undefined && output.scriptRef === undefined && output.amount.length <= 2
    if (isPlain && lovelace >= PLAIN_ENOUGH) continue
    const reference = `${input.txHash}#${input.index}`
    const { sizeBytes, least } = sizeOf(output)
    if (sizeBytes > MAX_OUTPUT_BYTES) tooLarge.push(`${reference}, ${formatCount(sizeBytes)} bytes`)
    if (lovelace < least) tooSmall.push(`${reference}, ${formatAdaText(lovelace)} of ${formatAdaText(least)} ada`)
    if (++measured % SLICE !== 0) continue
    await new Promise((resolve) => setTimeout(resolve))
    signal?.throwIfAborted()
  }
  return { tooLarge, tooSmall }
}

/**
 * Returns the bytes of an output and their least lovelace. An output that cannot be encoded, because a proxy altered
 * it, is never paid out either.
 */
function sizeOf(output: UTxO['output']): { sizeBytes: number; least: bigint } {
  try {
    return { sizeBytes: encodeTxOutput(output).length, least: minLovelace(output, COINS_PER_BYTE) }
  } catch {
    return { sizeBytes: Infinity, least: 0n }
  }
}
