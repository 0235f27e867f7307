import { GatewayLogError } from '../../src/errors/gateway'
import { Submissions } from '../../src/gateway/edge/Submissions'
import type { SubmissionVerdict } from '../../src/gateway/edge/Submissions'
import type { GatewayLog } from '../../src/gateway/log/GatewayLog'
import { memoryLog } from '../../src/gateway/log/memoryLog'
import type { OutRecord } from '../../src/gateway/records'
import { headStreams } from '../../src/gateway/records'

const [A, B] = ['aa', 'bb'].map((byte) => byte.repeat(32)) as [string, string]
const STREAMS = headStreams('/')
const newTx = (txId: string): Record<string, unknown> => ({ tag: 'NewTx', transaction: { txId, cborHex: '84' } })
const TIMEOUT_MS = 30_000

const verdictRecord = (
  txId: string,
  outcome: 'confirmed' | 'refused' | 'unknown',
  message: Record<string, unknown> | null = { tag: 'TxInvalid' }
): OutRecord => ({ kind: 'verdict', txId, outcome, message, reason: `it is ${outcome}` }) as OutRecord
const snapshotRecord = (number: number, ...txIds: string[]): OutRecord =>
  ({
    kind: 'snapshot',
    headId: 'ab',
    version: 0,
    from: number - 1,
    number,
    message: null,
    spent: {},
    made: {},
    count: 0,
    txs: txIds.map((txId) => ({ txId, spendsFrom: [], pays: [] }))
  }) as OutRecord

describe('the submissions of a head', () => {
  let log: GatewayLog
  let held: Set<string>
  beforeEach(() => {
    jest.useFakeTimers()
    log = memoryLog()
    held = new Set()
  })
  afterEach(async () => {
    await log.close()
    jest.useRealTimers()
  })

  const edge = (max = 3): Submissions =>
    new Submissions({ log, streams: STREAMS, timeoutMs: TIMEOUT_MS, max, holds: (txId) => held.has(txId) })
  const settle = (ms = 0): Promise<void> => jest.advanceTimersByTimeAsync(ms)
  /** Ids that were sent to the core, in their order. */
  const sent = async (): Promise<unknown[]> =>
    (await log.read(STREAMS.in, null, 100)).records.map(({ record }) => JSON.parse(record).txId)
  /** What has become of a submission so far. */
  function submit(submissions: Submissions, txId: string): { verdict: SubmissionVerdict | null; failed: unknown } {
    const submitted = { verdict: null as SubmissionVerdict | null, failed: null as unknown }
    const { sent: isSent, verdict } = submissions.submit(txId, newTx(txId))
    isSent.catch((error: unknown) => (submitted.failed = error))
    void verdict.then((given) => (submitted.verdict = given))
    return submitted
  }

  it('of one transaction are one record, whoever submits it, and get one verdict', async () => {
    const [one, two] = [edge(), edge()]
    const submitted = [submit(one, A), submit(one, A), submit(two, A)]
    await settle()
    expect(await sent()).toEqual([A])
    expect([one.underWay, two.underWay]).toEqual([1, 1])
    const record = snapshotRecord(4, B, A)
    for (const each of [one, two]) each.apply('7', record)
    await settle()
    expect(submitted.map(({ verdict }) => verdict)).toEqual(
      Array.from({ length: 3 }, () => ({ outcome: 'confirmed', record }))
    )
    expect([one.underWay, two.underWay]).toEqual([0, 0])
  })

  it('are answered at once, and not sent, for ten minutes after the confirmation', async () => {
    const submissions = edge()
    const record = snapshotRecord(4, A)
    submissions.apply('7', record)
    await settle(600_000)
    expect(submissions.known(A)).toEqual({ outcome: 'confirmed', record })
    const again = submit(submissions, A)
    await settle()
    expect([again.verdict, await sent()]).toEqual([{ outcome: 'confirmed', record }, []])
    await settle(1)
    expect(submissions.known(A)).toBeNull()
  })

  it('are sent anew five seconds after a refusal, and not before', async () => {
    const submissions = edge()
    submit(submissions, A)
    await settle()
    submissions.apply('1', verdictRecord(A, 'refused'))
    const refused = { outcome: 'refused', message: { tag: 'TxInvalid' }, reason: 'it is refused' }
    await settle(4_999)
    const early = submit(submissions, A)
    await settle()
    expect([early.verdict, await sent()]).toEqual([refused, [A]])
    await settle(1)
    expect(submissions.known(A)).toBeNull()
    const again = submit(submissions, A)
    await settle()
    expect([again.verdict, await sent()]).toEqual([null, [A, A]])
    submissions.apply('2', snapshotRecord(4, A))
    await settle()
    expect(again.verdict).toMatchObject({ outcome: 'confirmed' })
  })

  it('are sent anew at once when nothing had reached the node', async () => {
    const submissions = edge()
    submit(submissions, A)
    submissions.apply('1', verdictRecord(A, 'refused', null))
    const again = submit(submissions, A)
    await settle()
    expect([again.verdict, await sent()]).toEqual([null, [A, A]])
  })

  it('are not sent anew while nobody knows what became of the first: it may be in the head', async () => {
    const submissions = edge()
    submit(submissions, A)
    submissions.apply('1', verdictRecord(A, 'unknown'))
    await settle(60_000)
    const again = submit(submissions, A)
    await settle()
    expect([again.verdict, await sent()]).toEqual([{ outcome: 'unknown', reason: 'it is unknown' }, [A]])
    submissions.apply('2', snapshotRecord(4, A))
    expect(submissions.known(A)).toMatchObject({ outcome: 'confirmed' })
  })

  it('take a confirmation for final, whatever is said of a copy afterwards', () => {
    const submissions = edge()
    submissions.apply('1', verdictRecord(A, 'confirmed'))
    for (const outcome of ['refused', 'unknown'] as const) submissions.apply('2', verdictRecord(A, outcome))
    expect(submissions.known(A)).toEqual({ outcome: 'confirmed', record: null })
  })

  it('are not answered by a verdict that is read again: it was on an earlier one', async () => {
    const submissions = edge()
    submissions.apply('9', verdictRecord(A, 'refused', null))
    const again = submit(submissions, A)
    for (const id of ['9', '8']) submissions.apply(id, verdictRecord(A, 'refused', null))
    await settle()
    expect(again.verdict).toBeNull()
    submissions.apply('10', verdictRecord(A, 'refused'))
    await settle()
    expect(again.verdict).toMatchObject({ outcome: 'refused' })
  })

  it('take no notice of verdicts on others, and of other records', async () => {
    const submissions = edge()
    const submitted = submit(submissions, A)
    submissions.apply('1', verdictRecord(B, 'refused'))
    submissions.apply('2', snapshotRecord(4, B))
    submissions.apply('3', { kind: 'upstream', connected: false } as OutRecord)
    await settle()
    expect([submitted.verdict, submissions.underWay]).toEqual([null, 1])
  })

  it('are confirmed by the outputs where another process has sent it before this one began', async () => {
    submit(edge(), A)
    await settle()
    held.add(A)
    const late = submit(edge(), A)
    await settle()
    expect(late.verdict).toEqual({ outcome: 'confirmed', record: null })
    // Sent by itself, outputs of that id are not its doing: another one may have brought them there.
    held.add(B)
    const first = submit(edge(), B)
    await settle()
    expect(first.verdict).toBeNull()
    expect(await sent()).toEqual([A, B])
  })

  it('are unknown when no verdict comes in time, and not before', async () => {
    const submissions = edge()
    const submitted = submit(submissions, A)
    await settle(TIMEOUT_MS - 1)
    expect(submitted.verdict).toBeNull()
    await settle(1)
    expect(submitted.verdict).toMatchObject({ outcome: 'unknown' })
    expect([submissions.underWay, jest.getTimerCount()]).toEqual([0, 0])
  })

  it('fail with the log, for all who wait: nothing was sent, and the next one is', async () => {
    const submissions = edge()
    const append = log.append.bind(log)
    log.append = async () => {
      throw new GatewayLogError('The log cannot be reached.')
    }
    const submitted = [submit(submissions, A), submit(submissions, A)]
    await settle()
    for (const each of submitted) expect(each).toMatchObject({ verdict: null, failed: { code: 'GATEWAY_LOG' } })
    expect([submissions.underWay, jest.getTimerCount()]).toEqual([0, 0])
    log.append = append
    submit(submissions, A)
    await settle()
    expect(await sent()).toEqual([A])
  })

  it('stay open where the log broke off before it answered: nobody is told that nothing was sent, and the verdict counts', async () => {
    const submissions = edge()
    const { append } = log
    log.append = async (...args) => {
      await append.apply(log, args)
      throw new GatewayLogError('The log cannot be reached.', { got: 'ETIMEDOUT', uncertain: true })
    }
    const submitted = submit(submissions, A)
    await settle()
    expect(submitted).toEqual({ verdict: null, failed: null })
    expect([await sent(), submissions.isNew(A)]).toEqual([[A], false])
    submissions.apply('1', snapshotRecord(4, A))
    await settle()
    expect(submitted.verdict).toMatchObject({ outcome: 'confirmed' })
    const other = submit(submissions, B)
    await settle(TIMEOUT_MS)
    expect(other.verdict).toMatchObject({ outcome: 'unknown' })
    expect(await submissions.command({ tag: 'Close' }, null)).toBe(
      'the log has not answered; it may have reached the node'
    )
  })

  it('are full at their bound, and take more when one has ended', async () => {
    const submissions = edge(2)
    submit(submissions, A)
    expect(submissions.isFull).toBe(false)
    submit(submissions, B)
    expect(submissions.isFull).toBe(true)
    submissions.apply('1', snapshotRecord(4, A))
    expect(submissions.isFull).toBe(false)
  })

  it('end as unknown when the gateway ends, with the reason', async () => {
    const submissions = edge()
    const submitted = [submit(submissions, A), submit(submissions, B)]
    submissions.close('the gateway ends')
    await settle()
    expect(submitted.map(({ verdict }) => verdict)).toEqual([
      { outcome: 'unknown', reason: 'the gateway ends' },
      { outcome: 'unknown', reason: 'the gateway ends' }
    ])
    expect([submissions.underWay, jest.getTimerCount()]).toEqual([0, 0])
  })

  it('are confirmed, and not left waiting, when a copy is sent after its confirmation has been forgotten', async () => {
    const submissions = edge()
    const record = snapshotRecord(4, A)
    submissions.apply('1', record)
    await settle(600_001)
    const again = submit(submissions, A)
    await settle()
    expect(await sent()).toEqual([A])
    submissions.apply('2', verdictRecord(A, 'refused'))
    await settle()
    expect(again.verdict).toEqual({ outcome: 'confirmed', record })
  })

  it('keep their verdicts for ten minutes, whatever is settled meanwhile', async () => {
    const submissions = edge()
    for (const [index, txId] of [A, B].entries()) submissions.apply(String(index), verdictRecord(txId, 'unknown'))
    await settle(600_000)
    submissions.apply('3', snapshotRecord(4, 'cc'.repeat(32)))
    expect([submissions.known(A), submissions.known(B)]).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }])
    await settle(1)
    expect([submissions.known(A), submissions.known(B)]).toEqual([null, null])
    expect(submissions.known('cc'.repeat(32))).toMatchObject({ outcome: 'confirmed' })
  })
})
