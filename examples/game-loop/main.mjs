// node main.mjs [--rounds N] [--tick MS]
import { parseArgs } from 'node:util'
import { startDevNode } from 'layer-sdk/devnode'
import { ada, formatAda } from 'layer-sdk/utils'
import { playGame } from './game.mjs'
import { joinHead } from './player.mjs'

const STAKE = ada('500')

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, tick: { type: 'string', default: '50' } }
})
const [rounds, tickMs] = ['rounds', 'tick'].map((name) => {
  const value = Number(values[name])
  if (Number.isInteger(value) && value > 0) return value
  console.error(`--${name} takes a whole number from 1.`)
  process.exit(2)
})
const stopped = new AbortController()
process.once('SIGINT', () => stopped.abort())

const node = await startDevNode({ port: 0, open: true, control: true })
const players = await Promise.all(
  node.keys.slice(0, 2).map(async (key) => {
    await node.fundHead(key.address, STAKE)
    return joinHead({ url: node.url, key })
  })
)
try {
  console.log(`${rounds} rounds, one every ${tickMs} ms; the head: ${node.dashboardUrl}`)
  const game = await playGame({ players, rounds, tickMs, signal: stopped.signal, onProgress: showProgress })
  showProgress(game)
  const agrees = await balancesAgree(game)
  console.log(players.map(({ name, balance }) => `${name} ${formatAda(balance())} ada`).join(', '))
  console.log(agrees ? 'the balances agree with the score' : 'the balances differ from the score')
  if (game.problem !== null) console.error(`the game ended early: ${game.problem.message}`)
  process.exitCode = agrees && game.problem === null ? 0 : 1
} finally {
  await Promise.all(players.map(({ leave }) => leave()))
  await node.stop()
}

function showProgress({ round, wins, inFlight, latenciesMs }) {
  const score = players.map(({ name }, i) => `${name} ${wins[i]}`).join(' : ')
  const medianMs = latenciesMs.toSorted((a, b) => a - b)[latenciesMs.length >> 1] ?? 0
  console.log(
    `round ${round}   ${score}   ${latenciesMs.length} confirmed, ${inFlight} in flight, ${Math.round(medianMs)} ms`
  )
}

/** Every player holds the stake, what it won, and not what it lost and paid in fees. */
async function balancesAgree({ wins, paid, lastSnapshot }) {
  await Promise.all(players.map(({ hasSeen }) => hasSeen(lastSnapshot)))
  return players.every(({ balance }, i) => balance() === STAKE + BigInt(wins[i]) * ada('1') - paid[i])
}
