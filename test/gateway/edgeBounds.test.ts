import { addressOfClient, limitedAddress } from '../../src/gateway/access/addressOfClient'
import { Connections } from '../../src/gateway/access/Connections'
import { isKnownHost } from '../../src/gateway/access/isKnownHost'
import { HeadView } from '../../src/gateway/edge/HeadView'
import { Rooms } from '../../src/gateway/edge/Rooms'
import { UnsentFrames } from '../../src/gateway/edge/UnsentFrames'
import { readClientCommand } from '../../src/gateway/protocol/clientCommand'
import { fakeClient } from './fakeClient'

const OWN = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'
const OTHER = 'addr_test1vqzqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqpqg3v3'
const MAX_KEPT = 3_000

describe('bounds of an edge', () => {
  it('a view remembers no address longer than the snapshots that changed it', () => {
    const view = new HeadView()
    view.load({
      position: { headId: 'aa', number: 0, version: 0 },
      utxo: {},
      greetings: { tag: 'Greetings' },
      connected: true
    })
    for (let number = 1; number <= 3 * MAX_KEPT; number++) {
      const key = `${number.toString(16).padStart(64, '0')}#0`
      const before = `${(number - 1).toString(16).padStart(64, '0')}#0`
      const spent = number === 1 ? {} : { [before]: `address ${number - 1}` }
      const made = { [key]: { address: `address ${number}`, value: { lovelace: 1 } } }
      view.apply({
        kind: 'snapshot',
        headId: 'aa',
        number,
        version: 0,
        from: number - 1,
        message: null,
        spent,
        made,
        count: 1,
        txs: []
      })
    }
    expect(view.addressesKept).toBeLessThanOrEqual(MAX_KEPT + 2)
    expect(view.changedAt(new Set([`address ${3 * MAX_KEPT}`]))).toBe(3 * MAX_KEPT)
    expect(view.changedAt(new Set(['address 1']))).toBe(2 * MAX_KEPT)
  })

  it('rooms keep no address that nobody follows', () => {
    const rooms = new Rooms()
    const clients = [OWN, OTHER, OWN].map((address) => fakeClient({ mode: 'address', addresses: [address] }).client)
    for (const client of clients) rooms.add(client)
    expect(rooms.addresses).toBe(2)
    rooms.remove(clients[0]!)
    expect(rooms.addresses).toBe(2)
    rooms.move(clients[2]!, new Set([OTHER]))
    expect(rooms.addresses).toBe(1)
    rooms.remove(clients[1]!)
    rooms.remove(clients[2]!)
    expect([rooms.addresses, rooms.all.size, rooms.address.size]).toEqual([0, 0, 0])
  })

  it('a frame that many clients leave unread counts once, until the last of them has read it', () => {
    const unsent = new UnsentFrames<object>(100)
    const [frame, other] = [{}, {}]
    const [first, second] = [{}, {}]
    unsent.hold(first, frame, 100)
    unsent.hold(second, frame, 100)
    expect([unsent.bytes, unsent.admits(frame, 100), unsent.admits(other, 1)]).toEqual([100, true, false])
    unsent.release(first)
    expect(unsent.bytes).toBe(100)
    unsent.release(second)
    unsent.release(second)
    expect([unsent.bytes, unsent.admits(other, 1), unsent.clients.size]).toEqual([0, true, 0])
  })

  it('a frame that does not fit is admitted while the room is less than half full', () => {
    const unsent = new UnsentFrames<object>(100)
    unsent.hold({}, {}, 49)
    expect(unsent.admits({}, 101)).toBe(true)
    unsent.hold({}, {}, 11)
    expect([unsent.admits({}, 40), unsent.admits({}, 41)]).toEqual([true, false])
  })

  it('connections count from when they open, by address and in all, and once when they end twice', () => {
    const connections = new Connections(3, () => 2)
    const ends = ['a', 'a', 'b'].map((who) => connections.open(who))
    expect(ends.every((end) => end !== null)).toBe(true)
    expect([connections.open('a'), connections.open('c')]).toEqual([null, null])
    ends[0]!()
    ends[0]!()
    expect(connections.count).toBe(2)
    expect(connections.open('a')).not.toBeNull()
    expect(connections.open('a')).toBeNull()
  })

  it.each([
    ['203.0.113.7', 'ip 203.0.113.7'],
    ['203.0.113.7:4711', 'ip 203.0.113.7'],
    ['::ffff:203.0.113.7', 'ip 203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', 'ip 2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::9', 'ip 2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]:443', 'ip 2001:db8:1:2::/64'],
    ['2001:db8::1', 'ip 2001:db8:0:0::/64'],
    ['::1', 'ip 0:0:0:0::/64'],
    ['fe80::1%eth0', 'ip fe80:0:0:0::/64']
  ])('counts %s as %s', (address, counted) => {
    expect(limitedAddress(address)).toBe(counted)
  })

  it('believes X-Forwarded-For only of a proxy that is trusted, and its last entry alone', () => {
    const request = {
      socket: { remoteAddress: '10.0.0.1' },
      headers: { 'x-forwarded-for': '198.51.100.1, 2001:db8:1:2::5' }
    } as never
    expect([addressOfClient(request, false), addressOfClient(request, true)]).toEqual([
      'ip 10.0.0.1',
      'ip 2001:db8:1:2::/64'
    ])
  })

  it.each([
    ['127.0.0.1:5001', true],
    ['localhost', true],
    ['app.localhost:80', true],
    ['[::1]:5001', true],
    ['192.0.2.1:5001', true],
    ['gateway.example:5001', true],
    ['attacker.example:5001', false],
    ['gateway.example.attacker.example', false],
    ['127.0.0.1.attacker.example', false],
    ['localhost@attacker.example', false],
    ['', false],
    [undefined, false]
  ])('the Host %s is known: %s', (host, known) => {
    expect(isKnownHost(host, ['gateway.example'])).toBe(known)
  })

  it.each([['ab'], ['x'.repeat(64)], ['ab'.repeat(110_000)], [7], [undefined], [{ txId: 'ab'.repeat(32) }]])(
    'refuses the recovery of what is no id',
    (recoverTxId) => {
      expect(readClientCommand({ command: 'send_command', data: { tag: 'Recover', recoverTxId } })).toMatchObject({
        kind: 'refused'
      })
    }
  )

  it('sends known members of a command on, and no others', () => {
    const recoverTxId = 'ab'.repeat(32)
    const command = readClientCommand({
      command: 'send_command',
      data: { tag: 'Recover', recoverTxId, more: 'x'.repeat(100_000) }
    })
    expect(command).toEqual({
      kind: 'input',
      scope: 'submit',
      txId: recoverTxId,
      input: { tag: 'Recover', recoverTxId }
    })
    expect(readClientCommand({ command: 'send_command', data: { tag: 'Close', more: 1 } })).toMatchObject({
      input: { tag: 'Close' }
    })
  })
})
