import { randomSource } from '../support/random'
import { fullRun, scaled } from '../support/scale'
import { BREAKS, NotHere, VARIANTS } from './support/breaks'
import type { Draft } from './support/draft'
import { write } from './support/draft'
import type { Explanation, Judge } from './support/explained'
import { EXPLAINED } from './support/explained'
import type { Random } from './support/generate'
import { randomDraft } from './support/generate'
import type { Verdict } from './support/judges'
import { cquisitorVerdict, ours, scalus } from './support/judges'

// Two ledgers that others wrote judge ours: the emulator of scalus as the base ledger, and cquisitor under the
// parameters of the base ledger and of a head. Each transaction is valid by construction, or broken in one place; a
// judge that says otherwise needs an explanation.

const COUNT = 10_000

interface Case {
  name: string
  draft: Draft
  isValid: boolean
}

/** Half of them broken, a few of the valid ones special. */
function nextCase(random: Random): Case {
  const isValid = random.below(2) === 0
  if (isValid && random.below(5) > 0) return { name: 'plain', draft: randomDraft(random), isValid }
  const changes = isValid ? VARIANTS : BREAKS
  const name = random.pick(Object.keys(changes))
  for (;;) {
    const draft = randomDraft(random)
    try {
      changes[name]!(draft, random)
      return { name, draft, isValid }
    } catch (error) {
      if (!(error instanceof NotHere)) throw error
    }
  }
}

const applies = (each: Explanation, judge: Judge, { name, draft }: Case): boolean =>
  each.judge === judge &&
  (each.cases === undefined || each.cases.includes(name)) &&
  (each.if === undefined || each.if(draft))

/**
 * What explains a wrong verdict: one explanation of an acceptance, or one for each reason of a refusal; null when
 * something is left.
 */
function explanationsOf(judge: Judge, each: Case, reasons: Verdict): Explanation[] | null {
  const possible = EXPLAINED.filter(
    (candidate) => applies(candidate, judge, each) && (candidate.says === 'accepts') === (reasons.length === 0)
  )
  const found =
    reasons.length === 0
      ? [possible[0]]
      : reasons.map((reason) => possible.find((candidate) => candidate.reason?.test(reason) === true))
  return found.every((candidate) => candidate !== undefined) ? found : null
}

async function verdicts({ draft }: Case, tx: Uint8Array): Promise<[Judge, Verdict][]> {
  const all: [Judge, Verdict][] = [
    ['ours', await ours(tx, draft.ledger)],
    ['cquisitor', cquisitorVerdict(tx, draft.ledger, draft)]
  ]
  // Its parameters are those of mainnet.
  if (draft.ledger === 'base') all.push(['scalus', scalus(tx)])
  return all
}

describe('whole transactions', () => {
  it(
    'get the same verdict of ledgers that others wrote, but for what is explained',
    async () => {
      const random = randomSource('ledgers')
      const unexplained = new Map<string, number>()
      const needed = new Set<Explanation>()
      const seen = new Set<string>()
      for (let i = 0; i < scaled(COUNT); i++) {
        const each = nextCase(random)
        seen.add(each.name)
        for (const [judge, reasons] of await verdicts(each, write(each.draft))) {
          if ((reasons.length === 0) === each.isValid) continue
          const explanations = explanationsOf(judge, each, reasons)
          if (explanations !== null) for (const explanation of explanations) needed.add(explanation)
          else {
            const said = `${judge}, ${each.draft.ledger}, ${each.name}: ${reasons[0] ?? 'accepted'}`.replace(
              /[0-9a-f]{28,}|\d{3,}/g,
              '…'
            )
            unexplained.set(said, (unexplained.get(said) ?? 0) + 1)
          }
        }
      }
      expect([...unexplained].sort(([, a], [, b]) => b - a)).toEqual([])
      if (!fullRun) return
      expect([...Object.keys(BREAKS), ...Object.keys(VARIANTS)].filter((name) => !seen.has(name))).toEqual([])
      expect(EXPLAINED.filter((each) => !needed.has(each))).toEqual([])
    },
    fullRun ? 1_800_000 : 120_000
  )
})
