// Small scripts in a head of the local node, against the evaluator alone on the same transactions.
import { readFileSync } from 'node:fs'
import { FOLDERS, measure, median } from './support/baseline.mjs'

const ROUNDS = 5

export async function run() {
  const work = readFileSync(new URL('support/scriptWork.mjs', import.meta.url), 'utf8')
  const rounds = Array.from({ length: ROUNDS }, () => measure(FOLDERS[0], work))
  const [ours, rival] = [median(rounds.map(({ head }) => head)), median(rounds.map(({ alone }) => alone))]
  const ratio = ours / rival
  return [
    {
      name: 'Local head: a transaction with a small script, in the head',
      unit: 'ms',
      ours,
      rival,
      rivalName: 'the evaluator alone (scalus)',
      ratio,
      target: 'reported',
      pass: true
    }
  ]
}
