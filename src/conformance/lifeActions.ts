import { transactionId, readTransaction, toTransactionBytes } from '../codec/transaction.js'
import { sleep } from '../net/timers.js'
import type { TransactionJson } from '../bridge/inner.js'
import type { LifeContext } from './LifeContext.js'
import type { LifeStep, StepEnd } from './trace.js'

const ADA = 1_000_000n
/** Amounts that a life moves, lovelace: it needs 40 test ada for them, and the costs on the base ledger besides. */
const AMOUNTS = {
  deposit: 30n * ADA,
  pay: 3n * ADA,
  refused: 4n * ADA,
  chained: 2n * ADA,
  withdraw: 5n * ADA,
  late: 5n * ADA
}
const CHAIN_LENGTH = 20
/**
 * Margin after a deadline at which a deposit is recovered, ms: at the very deadline it fails, as the chain's time lags.
 */
const RECOVER_MARGIN_MS = 1_000
/** Time to wait for the second node's answer to a contest, ms. */
const CONTEST_MS = 5_000
/** Timeout of a withdrawal, ms: the longest possible, because the step's own limit ends the wait. */
const MAX_TIMEOUT_MS = 2_147_483_647
/** Time to wait for the refusal of a decommit, ms; the node may retry the decommit before it refuses. */
const REFUSAL_MS = 60_000
const CONTEST_ANSWERS = ['HeadIsContested', 'CommandFailed', 'PostTxOnChainFailed']

type Action = (context: LifeContext) => Promise<StepEnd | void>

/** The actions of a life; each resolves when its last message has come, and rejects when it failed. */
export const LIFE_ACTIONS: Readonly<Record<LifeStep, Action>> = {
  open: async ({ client, signal }) => void (await client.open({ signal })),
  deposit: async ({ client, signal }) => void (await client.deposit({ amount: AMOUNTS.deposit, signal })),

  async pay({ client, side, signal, notes }) {
    const changeAddress = await side.wallet!.getChangeAddress()
    // Both spend the same outputs: the second is refused in the next step.
    const [first, other] = [await signed(AMOUNTS.pay), await signed(AMOUNTS.refused)]
    notes.set('refused', other)
    await client.submit(first, { signal })

    async function signed(amount: bigint): Promise<string> {
      const { cborHex } = (await client.newTx({ signal })).pay(changeAddress, amount).build()
      return side.wallet!.signTx(cborHex, true)
    }
  },

  async 'refused-pay'({ client, tracer, signal, notes }) {
    const cborHex = notes.get('refused') as string
    const txId = idOf(cborHex)
    const verdict = tracer.next(({ tag, message }) => {
      const id = (message['transaction'] as TransactionJson | undefined)?.txId ?? message['transactionId']
      return (tag === 'TxInvalid' || tag === 'TxValid') && id === txId
    }, signal)
    client.bridge.commands.newTx(cborHex, '')
    await verdict
  },

  async chain({ client, side, signal }) {
    const changeAddress = await side.wallet!.getChangeAddress()
    const ids: string[] = []
    for (let i = 0; i < CHAIN_LENGTH; i++)
      ids.push((await client.pay({ to: changeAddress, amount: AMOUNTS.chained, wait: 'valid', signal })).txId)
    for (const id of ids) await client.waitForTx(id, { signal })
  },

  async withdraw({ client, side, tracer, signal, notes }) {
    const changeAddress = await side.wallet!.getChangeAddress()
    // Ready beforehand: the next step comes before the base ledger has the first.
    const { cborHex } = (await client.newTx({ signal })).pay(changeAddress, AMOUNTS.withdraw).build()
    notes.set('second', await side.wallet!.signTx(cborHex, true))
    const approved = tracer.next(({ tag }) => tag === 'DecommitApproved', signal)
    approved.catch(() => undefined)
    const final = client.withdraw({ amount: AMOUNTS.withdraw, timeout: MAX_TIMEOUT_MS })
    final.catch(() => undefined)
    notes.set('final', final)
    await Promise.race([approved, final])
  },

  async 'second-withdraw'({ client, tracer, signal, notes }) {
    const cborHex = notes.get('second') as string
    const refused = tracer.next(({ tag }) => tag === 'DecommitInvalid', signal)
    refused.catch(() => undefined)
    client.bridge.commands
      .decommit({ cborHex, txId: idOf(cborHex), timeout: REFUSAL_MS, signal })
      .catch(() => undefined)
    await refused
  },

  async 'withdraw-final'({ notes, signal }) {
    await withSignal(notes.get('final') as Promise<unknown>, signal)
  },

  async 'late-deposit'({ client, tracer, signal, notes }) {
    const recorded = tracer.next(({ tag }) => tag === 'CommitRecorded', signal)
    // It is to stay outside the head: the next step closes it.
    client.deposit({ amount: AMOUNTS.late }).catch(() => undefined)
    const { message } = await recorded
    notes.set('late', { id: message['pendingDeposit'], deadline: Date.parse(String(message['deadline'])) })
  },

  // Forced: the last deposit stays outside the head for `recover`.
  close: async ({ client, signal }) => void (await client.closeHead({ force: true, signal })),

  async contest({ second, secondTracer, tracer, signal }) {
    const answered = secondTracer.next(({ tag }) => CONTEST_ANSWERS.includes(tag), signal)
    second!.bridge.commands.contest()
    const wait = new AbortController()
    const answer = await Promise.race([answered, sleep(CONTEST_MS, wait.signal)]).finally(() => wait.abort())
    // The comparison finds its absence, as that of any other message.
    if (answer !== undefined) tracer.messages.push({ ...answer, step: 'contest' })
  },

  fanout: async ({ client, signal }) => void (await client.fanoutHead({ signal })),

  async recover({ client, side, tracer, signal, notes }) {
    const { id, deadline } = notes.get('late') as { id: string; deadline: number }
    if (tracer.messages.some(({ tag, message }) => tag === 'CommitFinalized' && message['depositTxId'] === id))
      return { outcome: 'not tried', reason: 'the head took the deposit before it was closed' }
    const until = deadline + RECOVER_MARGIN_MS
    const waitMs = Math.max(until - Date.now(), 0)
    if (side.waitUntil !== undefined) await side.waitUntil(until)
    else if (waitMs < side.stepLimitMs) await sleep(waitMs, signal)
    else
      return { outcome: 'not tried', reason: `deposit ${id} can be recovered at ${new Date(deadline).toISOString()}` }
    await client.recover({ depositTxId: id, signal })
    return { outcome: 'done' }
  }
}

const idOf = (cborHex: string): string => transactionId(readTransaction(toTransactionBytes(cborHex)))

function withSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  )
  return Promise.race([promise, aborted])
}
