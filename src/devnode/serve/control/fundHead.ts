import { DevNodeStateError } from '../../../errors/devnode.js'
import { described } from '../../../errors/base.js'
import { InvalidArgumentError } from '../../../errors/input.js'
import type { Amount, UTxO } from '../../../types/utxo.js'
import { assertDepositable } from '../../chain/genesis.js'
import type { ClientMessage, HeadMessage } from '../../head/messages.js'
import { fundedOutput } from '../../chain/funds.js'
import { LedgerEntry } from '../../rules/utxoSet.js'
import type { Party } from '../../party/Party.js'

/** Outputs that a deposit brought into the head. */
export interface FundedInHead {
  /** The outputs, in the order of the request; in the head they have the same references as on the base ledger. */
  readonly utxos: readonly UTxO[]
  /** Id of the deposit transaction: hex, 64 characters. */
  readonly depositTxId: string
}

/**
 * Makes outputs on the base ledger and deposits them, as their owner would; resolves when the deposit is final.
 *
 * @throws {@link InvalidAddressError} @throws {@link InvalidArgumentError} when the head accepts no such output.
 * @throws {@link DevNodeStateError} when no head is open, or when the deposit does not get into it.
 */
export async function fundHead(
  address: string,
  outputs: readonly (bigint | readonly Amount[])[],
  party: Party
): Promise<FundedInHead> {
  const { chain, runtime, agenda } = party
  const { options, base, clock, parameters } = chain
  const { drafts } = party.head
  const { head } = runtime.state
  if (head.status !== 'Open')
    throw new DevNodeStateError('The faucet needs an open head.', { expected: 'Open', got: head.status })
  if (outputs.length === 0) throw new InvalidArgumentError('outputs', 'at least one amount', described('none'))
  const stated = outputs.map((each) => fundedOutput(address, each, options.networkId))
  // Checked before the ledger changes: outputs that no head accepts are not funded either.
  const placeholders = stated.map((output, index) => new LedgerEntry({ txHash: '00'.repeat(32), index }, output))
  assertDepositable('outputs', placeholders, parameters)
  drafts.assertDraftable('outputs', placeholders, head, clock.now())
  const { entries } = base.produce(stated)
  const tx = drafts.depositUnsigned('outputs', entries, head, clock.now())
  const final = waitForDeposit(tx.txId, party)
  agenda.add(options.timings.blockMs, { do: 'seeBaseTx', tx })
  await final
  return { utxos: entries.map(({ input, output }) => ({ input, output })), depositTxId: tx.txId }
}

/** Resolves when a deposit is in the head; rejects when it cannot get there any more. */
function waitForDeposit(depositTxId: string, { hub }: Party): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (problem: string | null): void => {
      unsubscribe()
      leave()
      if (problem === null) resolve()
      else
        reject(
          new DevNodeStateError(`The deposit ${depositTxId} did not get into the head.`, {
            expected: 'CommitFinalized',
            got: problem
          })
        )
    }
    const onMessage = (message: HeadMessage | ClientMessage): void => {
      if (message.tag === 'CommitFinalized' && message.depositTxId === depositTxId) end(null)
      else if (message.tag === 'CommitRecovered' && message.depositTxId === depositTxId) end(message.tag)
      else if (message.tag === 'DepositExpired' && message.deposit.txId === depositTxId) end(message.tag)
      else if (message.tag === 'HeadIsClosed') end(message.tag)
    }
    const unsubscribe = hub.subscribe(onMessage)
    const leave = hub.onBreak((why) => end(`a node whose state or head was ${why}`))
  })
}
