import { HeadSync } from '../../src/bridge/head/HeadSync'
import type { HeadSyncContext } from '../../src/bridge/head/HeadSync'
import { Reconciler } from '../../src/bridge/txs/Reconciler'
import { sampleTx } from '../support/sampleTx'

const absent = { reply: { kind: 'absent' }, outputs: null }

/**
 * A sync whose transaction is undecided by the first `undecided` states; `onAsk` runs while each request is under way.
 */
function makeSync(
  undecided: number,
  onAsk: (sync: HeadSync, count: number) => void
): { sync: HeadSync; asked: () => number; givenUp: string[] } {
  const givenUp: string[] = []
  let asked = 0
  const context = {
    session: () => new AbortController().signal,
    connected: () => true,
    profile: () => ({ hasSnapshotRoute: true }),
    cache: { epoch: 0, settle: () => false, arriving: { isUnsure: false } },
    connector: { capabilities: { history: false } },
    log: {
      debug: (line: () => string) => {
        throw new Error(line())
      }
    },
    requestNode: async () => {
      onAsk(sync, ++asked)
      return absent
    },
    tracker: {
      uncertain: true,
      refused: () => new Set(),
      reconcile: () => (asked <= undecided ? [{ refs: { txId: sampleTx().txId }, cborHex: sampleTx().cborHex }] : []),
      giveUp: (txId: string) => givenUp.push(txId)
    }
  }
  const sync = new HeadSync({ ...context, txs: new Reconciler(context as never) } as unknown as HeadSyncContext)
  return { sync, asked: () => asked, givenUp }
}

const settled = async (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 10)
  })

describe("bringing the head's state", () => {
  it('gives a transaction up when the state does not show it', async () => {
    const { sync, asked, givenUp } = makeSync(1, () => undefined)
    sync.refresh()
    await settled()
    expect(asked()).toBe(1)
    expect(givenUp).toEqual([sampleTx().txId])
  })

  it('gives no transaction up by a state that is older than the one requested meanwhile', async () => {
    const { sync, asked, givenUp } = makeSync(1, (running, count) => {
      if (count === 1) running.refresh()
    })
    sync.refresh()
    await settled()
    expect(asked()).toBe(2)
    expect(givenUp).toEqual([])
  })
})
