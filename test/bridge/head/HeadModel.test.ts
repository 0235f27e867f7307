import { HeadModel } from '../../../src/bridge/head/HeadModel'
import { SnapshotCache } from '../../../src/bridge/head/SnapshotCache'
import { ModelHead, received } from './modelHead'

it('the model of a head knows of each connection by itself whether Greetings has come', () => {
  const model = new HeadModel(new SnapshotCache(), () => 'connected')
  expect(model.greetingsReceived).toBe(false)
  model.apply(received(new ModelHead('greetings').greetings()), 0)
  expect(model.greetingsReceived).toBe(true)
  model.startConnection()
  expect(model.greetingsReceived).toBe(false)
})
