import { HeadModel } from '../../../src/bridge/head/HeadModel'
import { SnapshotCache } from '../../../src/bridge/head/SnapshotCache'
import { ModelHead, received } from './modelHead'

describe('the model of a head', () => {
  const begin = (): { model: HeadModel; head: ModelHead } => {
    const model = new HeadModel(new SnapshotCache(), () => 'connected')
    const head = new ModelHead('model')
    head.fill(5)
    model.apply(received(head.greetings()), 0)
    return { model, head }
  }

  it('knows of each connection by itself whether Greetings has come', () => {
    expect(new HeadModel(new SnapshotCache(), () => 'connected').greetingsReceived).toBe(false)
    const { model } = begin()
    expect(model.greetingsReceived).toBe(true)
    model.startConnection()
    expect(model.greetingsReceived).toBe(false)
  })

  it('is watched while somebody listens, who hears of changes of one moment once', async () => {
    const { model } = begin()
    expect(model.watched).toBe(false)
    let heard = 0
    const stop = model.subscribe(() => heard++)
    expect(model.watched).toBe(true)
    for (const changes of [3, 1]) {
      heard = 0
      for (let n = 0; n < changes; n++) model.changed()
      expect(heard).toBe(0)
      await Promise.resolve()
      expect(heard).toBe(1)
    }
    stop()
    model.changed()
    await Promise.resolve()
    expect([heard, model.watched]).toEqual([1, false])
  })

  it('tells of outputs that a snapshot changes, and is silent about one that it has', async () => {
    const { model, head } = begin()
    let heard = 0
    model.subscribe(() => heard++)
    const snapshots = [head.step(true).at(-1)!, head.step(true).at(-1)!]
    for (const text of snapshots) {
      const before = model.snapshot
      model.apply(received(text), 0)
      await Promise.resolve()
      expect(model.snapshot).not.toBe(before)
    }
    expect(heard).toBe(2)
    const shown = model.snapshot
    expect(shown.snapshotNumber).toBe(head.number)
    model.apply(received(snapshots[0]!), 0)
    await Promise.resolve()
    expect([heard, model.snapshot]).toEqual([2, shown])
  })
})
