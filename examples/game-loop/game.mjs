import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ada } from 'layer-sdk/utils'

const PRIZE = ada('1')
/** Beyond so many unconfirmed payments the loop waits: a head that is slower than the game must not be buried. */
const MAX_IN_FLIGHT = 50
const PROGRESS_MS = 1_000

/**
 * Two players toss a coin with every tick, and the loser pays at once. The loop does not wait for confirmations: it
 * shows the score of what is confirmed, and payments chain.
 */
export async function playGame({ players, rounds, tickMs, signal, onProgress }) {
  const game = { round: 0, wins: [0, 0], paid: [0n, 0n], inFlight: 0, latenciesMs: [], lastSnapshot: 0, problem: null }
  const pending = new Set()
  const settle = (winner, { snapshotNumber, fee }, ms) => {
    game.wins[winner]++
    game.paid[1 - winner] += PRIZE + fee
    game.lastSnapshot = Math.max(game.lastSnapshot, snapshotNumber)
    game.latenciesMs.push(ms)
  }
  const playRound = async () => {
    const winner = randomInt(2)
    const started = performance.now()
    try {
      settle(winner, await players[1 - winner].pay(players[winner].address, PRIZE), performance.now() - started)
    } catch (error) {
      // A player without money, or a head that was closed: the score keeps what was confirmed.
      game.problem ??= error
    }
  }
  let shown = performance.now()
  for (let next = shown; game.round < rounds && game.problem === null && !signal.aborted; next += tickMs) {
    await sleep(Math.max(0, next - performance.now()))
    game.round++
    const payment = playRound().finally(() => pending.delete(payment))
    pending.add(payment)
    if (pending.size >= MAX_IN_FLIGHT) await Promise.race(pending)
    game.inFlight = pending.size
    if (performance.now() - shown >= PROGRESS_MS) {
      shown = performance.now()
      onProgress(game)
    }
  }
  await Promise.all(pending)
  game.inFlight = 0
  return game
}
