import { stringifyJson } from '../../src/codec/json'
import { Fanout } from '../../src/gateway/edge/Fanout'
import { HeadView } from '../../src/gateway/edge/HeadView'
import { UnsentFrames } from '../../src/gateway/edge/UnsentFrames'
import { resolveLimits } from '../../src/gateway/limits'
import { Metrics } from '../../src/gateway/Metrics'
import { fakeClient } from '../gateway/fakeClient'
import { homeNodeSamples } from '../support/nodeMessages'
import { hashOf } from '../support/sampleTx'
import { faultRow } from './support/matrix'

const OWN = 'addr_test1vqzqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqpqg3v3'
const STRANGER = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const output = (address: string): object => ({ address, value: { lovelace: 5_000_000 } })

function viewOf(outputs: number): HeadView {
  const view = new HeadView()
  const utxo = Object.fromEntries(
    Array.from({ length: outputs }, (_, index) => [`${hashOf(index)}#0`, output(OWN)])
  ) as never
  view.load({
    position: { headId: 'aa', number: 1, version: 0 },
    utxo,
    greetings: { tag: 'Greetings', headStatus: 'Open' },
    connected: true
  })
  return view
}

describe('faults at the edge of a gateway', () => {
  faultRow(
    {
      row: 61,
      fault:
        'gateway: a node sends outputs of others in members and messages that the gateway does not know, to a client of single addresses',
      repeats: 40,
      expected:
        'known messages with their listed members alone reach the client; no output, datum or transaction of others does'
    },
    async ({ index, random, injected, wire }) => {
      const samples = homeNodeSamples(/ServerOutput\//)
      const { value } = samples[Math.floor(random() * samples.length)]!
      const fanout = new Fanout(viewOf(1), resolveLimits(), new Metrics())
      const { client, texts } = fakeClient({ mode: 'address', addresses: [OWN] })
      fanout.add(client)
      const planted = { [`${hashOf(index)}#0`]: output(STRANGER) }
      const names = Object.keys(value as object).filter((name) => name !== 'tag')
      const message = {
        ...(value as object),
        [`new${index}`]: planted,
        [names[Math.floor(random() * names.length)] ?? 'more']: planted
      }
      const named = random() < 0.5 ? message : { ...message, tag: `New${index}` }
      fanout.apply({ kind: 'message', message: named as never, addresses: [OWN], txIds: [] })
      injected()
      wire(
        'outputs of others sent to a client of single addresses',
        texts.filter((text) => text.includes(STRANGER)).length,
        0
      )
    }
  )

  faultRow(
    {
      row: 62,
      fault: 'gateway: clients ask for the whole head again and again and read nothing',
      repeats: 10,
      expected:
        'unread bytes bound what is sent and what is kept; whole heads share one copy; each client receives the newest state once it reads'
    },
    async ({ index, injected, wire }) => {
      const view = viewOf(2_000)
      const limits = resolveLimits({ unsentBytes: 1_000, unsentBytesInAll: 500_000 })
      const unsent = new UnsentFrames<never>(limits.unsentBytesInAll)
      const fanout = new Fanout(view, limits, new Metrics(), unsent as never)
      const isNarrow = index % 2 === 0
      const clients = Array.from({ length: 20 }, () =>
        fakeClient(isNarrow ? { mode: 'address', addresses: [OWN] } : { mode: 'delta' })
      )
      const bytes = stringifyJson(Object.fromEntries(view.head.utxo)).length
      for (const { client, connection } of clients) {
        fanout.add(client)
        connection.unsent = 1
      }
      for (let round = 0; round < 30; round++) {
        for (const { client, connection, texts } of clients) {
          fanout.sendSnapshot(client, 'resync')
          connection.unsent = 1 + texts.reduce((sum, text) => sum + text.length, 0)
          injected()
        }
      }
      expect(unsent.bytes).toBeLessThan(limits.unsentBytesInAll + 3 * (bytes + 1_000))
      wire(
        'whole heads sent to a client that reads nothing, beyond two',
        clients.filter(({ texts }) => texts.length > 3).length,
        0
      )
      for (const { connection, sent } of clients) {
        connection.unsent = 0
        sent.length = 0
      }
      for (let turn = 0; turn < 20; turn++) fanout.checkSlow()
      wire(
        'clients that have the newest state after they read',
        clients.filter(({ sent }) => sent.filter(({ tag }) => tag === 'GatewaySnapshot').length === 1).length,
        20
      )
    }
  )
})
