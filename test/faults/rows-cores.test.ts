import type { Client } from '../../src/gateway/edge/Client'
import { UnsentFrames } from '../../src/gateway/edge/UnsentFrames'
import { Core } from '../../src/gateway/core/Core'
import { HeadEdge } from '../../src/gateway/edge/HeadEdge'
import type { SubmissionVerdict } from '../../src/gateway/edge/Submissions'
import { resolveLimits } from '../../src/gateway/limits'
import { memoryLog } from '../../src/gateway/log/memoryLog'
import { Metrics } from '../../src/gateway/Metrics'
import { headStreams } from '../../src/gateway/records'
import { Troubles } from '../../src/gateway/Troubles'
import type { Envelope } from '../devnode/transactions'
import { withHead } from './support/faultyHead'
import { FaultProxy } from './support/FaultProxy'
import { faultRow, until } from './support/matrix'

const STREAMS = headStreams('/')
const SILENT = { info: () => undefined, warn: () => undefined }
/** The second payment finds out about the core by being refused. */
const TRIES = 200

describe('cores of a gateway that are replaced', () => {
  faultRow(
    {
      row: 55,
      fault:
        'the core of a gateway ends with a payment, a Close and a deposit on their way to it; the next one has the node or has not, and is replaced too',
      repeats: 8,
      expected:
        'each is refused once with nothing sent, and no later core sends it; the payment can be made again, once'
    },
    async ({ index, injected, wire }) => {
      await withHead({}, async ({ node, counts, payment }) => {
        const log = memoryLog()
        const proxy = await FaultProxy.start(() => node.port)
        const limits = resolveLimits()
        const parts = {
          limits,
          unsent: new UnsentFrames<Client>(limits.unsentBytesInAll),
          metrics: new Metrics(),
          troubles: new Troubles('head /', SILENT),
          onUnreadable: () => undefined
        }
        const edge = new HeadEdge({ path: '/', log, streams: STREAMS, ...parts })
        const begin = (): Core => {
          const started = new Core({ log, streams: STREAMS, upstream: proxy.url, logger: SILENT, name: '/' })
          started.start()
          return started
        }
        const submit = (tx: Envelope): Promise<SubmissionVerdict> =>
          edge.submissions.submit(tx.txId, { tag: 'NewTx', transaction: tx }).verdict
        const commits = (): number => node.counters.requests['POST /commit'] ?? 0
        const commitsBefore = commits()
        let core = begin()
        edge.start()
        try {
          await until('the edge is ready', () => edge.reasons.length === 0)
          await core.stop()
          injected()
          const tx = payment()
          const answers = Promise.all([
            submit(tx),
            edge.submissions.command({ tag: 'Close' }, null),
            edge.replies.request('POST', '/commit', '{}')
          ])
          proxy.toxics.refuse = index % 2 === 0
          core = begin()
          expect(await answers).toEqual([
            { outcome: 'refused', message: null, reason: 'the node is not connected' },
            'the node is not connected; no message was sent',
            { status: 0, text: '', isUnsent: true }
          ])
          await core.stop()
          proxy.toxics.refuse = false
          core = begin()
          injected()
          await until('the edge is ready again', () => edge.reasons.length === 0)
          wire('NewTx at the node after the refusals', counts().newTx, 0)
          wire('Close at the node', node.counters.inputs['Close'] ?? 0, 0)
          wire('POST /commit at the node', commits() - commitsBefore, 0)
          let verdict: SubmissionVerdict = { outcome: 'unknown', reason: '' }
          for (let tries = 0; verdict.outcome !== 'confirmed' && tries < TRIES; tries++) verdict = await submit(tx)
          expect(verdict).toMatchObject({ outcome: 'confirmed' })
          wire('NewTx at the node once it is made again', counts().newTx, 1)
        } finally {
          await edge.stop()
          await core.stop()
          await proxy.stop()
          await log.close()
        }
      })
    }
  )
})
