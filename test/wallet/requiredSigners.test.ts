import { CborWriter } from '../../src/codec/cbor/writer'
import { hexToBytes } from '../../src/codec/hex'
import { requiredSigners } from '../../src/wallet'

const [own, other, operator, owner] = ['11', '22', '33', '44'].map((byte) => byte.repeat(28)) as [
  string,
  string,
  string,
  string
]

type Write = (writer: CborWriter) => unknown
const credential =
  (hash: string, kind = 0): Write =>
  (writer) =>
    writer.array(2).uint(kind).bytes(hexToBytes(hash))
const keyHash =
  (hash: string): Write =>
  (writer) =>
    writer.bytes(hexToBytes(hash))
const coin: Write = (writer) => writer.uint(2_000_000)
const none: Write = (writer) => writer.null()
const drep: Write = (writer) => writer.array(1).uint(2)

/** A transaction with one certificate `[kind, ...fields]`. */
function withCertificate(kind: number, fields: readonly Write[]): string {
  const writer = new CborWriter().array(4).map(4)
  writer.uint(0).array(1).array(2).bytes(new Uint8Array(32)).uint(0)
  writer.uint(1).array(0).uint(2).uint(0)
  writer
    .uint(4)
    .array(1)
    .array(fields.length + 1)
    .uint(kind)
  for (const write of fields) write(writer)
  return writer.map(0).bool(true).null().toHex()
}

describe('the keys that certificates demand (Conway CDDL, certificate)', () => {
  const subject = credential(own)
  it.each<[number, string, readonly Write[]]>([
    [1, 'a stake deregistration', [subject]],
    [2, 'a stake delegation', [subject, keyHash(other)]],
    [7, 'a registration with a deposit', [subject, coin]],
    [8, 'a deregistration with a deposit', [subject, coin]],
    [9, 'a vote delegation', [subject, drep]],
    [10, 'a stake and vote delegation', [subject, keyHash(other), drep]],
    [11, 'a registration with a stake delegation', [subject, keyHash(other), coin]],
    [12, 'a registration with a vote delegation', [subject, drep, coin]],
    [13, 'a registration with both delegations', [subject, keyHash(other), drep, coin]],
    [14, 'the authorisation of a committee hot key', [subject, credential(other)]],
    [15, 'a resignation from the committee', [subject, none]],
    [16, 'the registration of a DRep', [subject, coin, none]],
    [17, 'the retirement of a DRep', [subject, coin]],
    [18, 'an update of a DRep', [subject, none]],
    [5, 'a genesis delegation', [keyHash(own), keyHash(other), (writer) => writer.bytes(new Uint8Array(32))]]
  ])('kind %i, %s: its subject signs, and nobody else', (kind, _name, fields) => {
    expect(requiredSigners(withCertificate(kind, fields))).toEqual([own])
  })

  it('the old registration (kind 0), instantaneous rewards (kind 6) and a kind to come demand none', () => {
    expect(requiredSigners(withCertificate(0, [subject]))).toEqual([])
    expect(requiredSigners(withCertificate(6, [(writer) => writer.array(2).uint(0).uint(1)]))).toEqual([])
    expect(requiredSigners(withCertificate(19, [subject]))).toEqual([])
  })

  it('a script in the place of a key demands no key', () => {
    expect(requiredSigners(withCertificate(1, [credential(own, 1)]))).toEqual([])
  })

  it('a pool is registered by its operator and its owners, and retired by its operator', () => {
    const owners: Write = (writer) => writer.tag(258).array(2).bytes(hexToBytes(owner)).bytes(hexToBytes(own))
    const margin: Write = (writer) => writer.tag(30).array(2).uint(1).uint(2)
    const fields: Write[] = [
      keyHash(operator),
      (w) => w.bytes(new Uint8Array(32)),
      coin,
      coin,
      margin,
      (w) => w.bytes(new Uint8Array(29)),
      owners
    ]
    const rest: Write[] = [(w) => w.array(0), none]
    expect(requiredSigners(withCertificate(3, [...fields, ...rest])).sort()).toEqual([own, operator, owner].sort())
    expect(requiredSigners(withCertificate(4, [keyHash(operator), (w) => w.uint(500)]))).toEqual([operator])
  })
})

it('required signers of the Dijkstra era are credentials, in lists of either form', () => {
  const writer = new CborWriter().array(4).map(4)
  writer.uint(0).array(1).array(2).bytes(new Uint8Array(32)).uint(0)
  writer.uint(1).array(0).uint(2).uint(0)
  writer.uint(14).array(4)
  credential(own)(writer)
  writer.arrayIndefinite().uint(0).bytes(hexToBytes(other)).break()
  writer.arrayIndefinite().uint(1).bytes(hexToBytes(operator)).break()
  keyHash(owner)(writer)
  expect(requiredSigners(writer.map(0).bool(true).null().toHex())).toEqual([own, other, owner])
})
