import type { Recognition, RecognitionReason, RecognitionState } from '../../src/recognition'
import { describeRecognition, recognise } from '../../src/recognition'
import { REASON_TEXTS } from '../../src/recognition/reasonTexts'
import { material, openHead, output, ref, signedBundle } from './madeHead'

const ADA = 1_000_000
const ada = (amount: number): { unit: string; quantity: string }[] => [
  { unit: 'lovelace', quantity: String(amount * ADA) }
]

async function verified(more: object = {}): Promise<Recognition> {
  const utxo = { [ref(1)]: output(5 * ADA) }
  return recognise(material(openHead(14 * ADA), await signedBundle({ number: 4, utxo, ...more })))
}

/** The same answer in another state. */
async function inState(state: RecognitionState, more: Partial<Recognition> = {}): Promise<Recognition> {
  return { ...(await verified()), state, inHead: null, snapshot: null, ...more }
}

describe('a card', () => {
  it('has the sums of a verified head apart, with their snapshot', async () => {
    const found = await verified({
      utxoToCommit: { [ref(2)]: output(2 * ADA) },
      utxoToDecommit: { [ref(3)]: output(3 * ADA) },
      depositTxId: 'ef'.repeat(32)
    })
    const card = describeRecognition(found)
    expect(card).toMatchObject({ tone: 'ok', asOf: 'as of snapshot 4 (version 0)', flags: [] })
    expect(card.sums.map(({ part, amount }) => [part, amount])).toEqual([
      ['available', ada(5)],
      ['arriving', ada(2)],
      ['leaving', ada(3)]
    ])
  })

  it.each(Object.keys(REASON_TEXTS) as RecognitionReason[])(
    'flags a head with its reason, such as %s',
    async (reason) => {
      const found = await inState('UNVERIFIABLE', { reason, detail: 'more of it' })
      const card = describeRecognition(found)
      expect(card).toMatchObject({ tone: 'warn', detail: 'more of it', sums: [], asOf: null })
      expect(card.flags).toEqual([REASON_TEXTS[reason]])
      expect(card.flags[0]).toMatch(/^[A-Z].*\.$/)
      expect(card.flags[0]).not.toMatch(/forge|fake/i)
    }
  )

  it('marks the amounts of an earlier snapshot, and never sums them with present ones', async () => {
    const { inHead, snapshot } = await verified({ utxoToDecommit: { [ref(3)]: output(3 * ADA) } })
    const lastVerified = { inHead: inHead!, snapshot: snapshot! }
    const card = describeRecognition(await inState('UNVERIFIABLE', { reason: 'unreachable', lastVerified }))
    expect(card.asOf).toBe('as of snapshot 4 (version 0)')
    expect(card.sums.map(({ part, label, amount }) => [part, label, amount])).toEqual([
      ['last-verified', 'Last verified in the head', ada(5)],
      ['last-verified', 'Last verified as leaving', ada(3)]
    ])
  })

  it('counts a contestation down, and says that money of a closing head cannot be spent', async () => {
    const { inHead, snapshot } = await verified({ utxoToDecommit: { [ref(3)]: output(3 * ADA) } })
    const closing = { phase: 'contestable', deadlineMs: 99, snapshotNumber: 4 } as const
    const card = describeRecognition(await inState('HEAD_CLOSING', { closing, inHead, snapshot }))
    expect(card).toMatchObject({ tone: 'info', closing: { atMs: 99 }, sums: [{ part: 'closing', amount: ada(8) }] })
    expect(card.flags).toEqual(['Its money cannot be spent until it is paid out.'])
    const payable = describeRecognition(await inState('HEAD_CLOSING', { closing: { ...closing, phase: 'payable' } }))
    expect(payable.closing).toBeNull()
    expect(payable.flags[0]).toBe('No snapshot of it could be verified.')
    expect(payable.title).not.toBe(card.title)
  })

  it('lists deposits outside of the sums, and not the one that a snapshot carries', async () => {
    const deposit = {
      depositTxId: 'de'.repeat(32),
      headId: 'a1'.repeat(28),
      state: 'PENDING_DEPOSIT',
      phase: 'waiting',
      deadlineMs: 9,
      nextMs: 5,
      amount: ada(7),
      byAddress: {},
      inSnapshot: false
    } as const
    const of = async (...deposits: Recognition['deposits']): Promise<ReturnType<typeof describeRecognition>> =>
      describeRecognition({ ...(await verified()), deposits, foldedDeposits: { count: 3, amount: ada(1) } })
    const card = await of(deposit, { ...deposit, inSnapshot: true })
    expect(card.deposits).toHaveLength(1)
    expect(card.deposits[0]).toMatchObject({ isRecoverable: false, next: { atMs: 5 }, amount: ada(7) })
    expect(card.sums).toEqual([expect.objectContaining({ amount: ada(5) })])
    expect(card.folded).toContain('3 ')
    const [recoverable] = (await of({ ...deposit, state: 'RECOVERABLE', phase: 'recoverable', nextMs: null })).deposits
    expect(recoverable).toMatchObject({ isRecoverable: true, next: null })
    const [unknown] = (await of({ ...deposit, phase: null, nextMs: 9 })).deposits
    expect(unknown!.next!.atMs).toBe(9)
  })

  it('says that a head of a hint was not joined, and that tokens were minted inside', async () => {
    const token = { ['ab'.repeat(28)]: { '01': 5 } }
    const utxo = { [ref(1)]: output(5 * ADA, undefined, token) }
    const head = openHead(5 * ADA)
    const found = await recognise(material(head, await signedBundle({ utxo }), { headIdFrom: 'hint', scripts: [] }))
    expect(describeRecognition(found).flags).toEqual([
      'You did not join this head.',
      'Its script is unknown: its outputs are listed and not summed.',
      'Tokens that exist in this head alone are not summed.'
    ])
  })
})
