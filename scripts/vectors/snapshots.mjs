// Signed snapshots: the bytes that the parties sign, put together piece by piece, and their signatures.
import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { bech32 } from '@scure/base'
import { commitmentOf } from './accumulators.mjs'
import { blake2bOf } from './ledger.mjs'
import { bytesOf, cbor, hexOf, seeded } from './seeded.mjs'

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const random = seeded('signed snapshots')
const KEYS = ['one', 'two'].map((name) => sha256(`party ${name}`))
const HEAD_ID = random.hex(28)

/** An output of a key address of a test network with lovelace alone: the node's JSON, and its Plutus data. */
function output(lovelace) {
  const keyHash = random.hex(28)
  const address = bech32.encode('addr_test', bech32.toWords(bytesOf(`60${keyHash}`)), 120)
  const data = `d8799fd8799fd8799f581c${keyHash}ffd87a80ffa140a140${hexOf(cbor(lovelace))}d87980d87a80ff`
  return { ref: `${random.hex(32)}#0`, json: { address, value: { lovelace } }, data: bytesOf(data) }
}

const setOf = (outputs) =>
  outputs.length === 0 ? null : Object.fromEntries(outputs.map(({ ref, json }) => [ref, json]))
const inOrder = (outputs) => [...outputs].sort((a, b) => (a.ref < b.ref ? -1 : 1))
const hashOf = (outputs) => sha256(...inOrder(outputs).map(({ data }) => data))
const accumulatorOf = (...outputs) => blake2bOf(commitmentOf(outputs.map(({ data }) => sha256(data))), 32)

function signed(id, rule, { version, number, held, toCommit = [], toDecommit = [], deposit = null }) {
  const [before, after] = [accumulatorOf(...held, ...toDecommit), accumulatorOf(...held, ...toCommit)]
  const whole = accumulatorOf(...held, ...toCommit, ...toDecommit)
  const commit = sha256(hashOf(toCommit), bytesOf(deposit ?? ''))
  const accumulators = rule === 'next' ? [before, after] : [whole]
  const items = [
    bytesOf(HEAD_ID),
    version,
    number,
    ...accumulators.map(bytesOf),
    new Uint8Array(hashOf(toDecommit)),
    new Uint8Array(commit)
  ]
  const message = Uint8Array.from(items.flatMap((item) => cbor(item)))
  return {
    id,
    rule,
    nodeVersion: rule === 'next' ? null : '2.4.1',
    snapshot: {
      headId: HEAD_ID,
      version,
      number,
      confirmed: [],
      utxo: setOf(held) ?? {},
      utxoToCommit: setOf(toCommit),
      utxoToDecommit: setOf(toDecommit),
      accumulator: accumulators[0],
      ...(rule === 'next' ? { appliedAccumulator: after } : {}),
      depositTxId: deposit
    },
    signedBytes: hexOf(message),
    signatures: KEYS.map((key) => hexOf(ed25519.sign(message, key))),
    parties: KEYS.map((key) => hexOf(ed25519.getPublicKey(key)))
  }
}

/** Plain, with a deposit, and with a decommit, by the rule of 2.4 and by that of the source after it. */
export function signedSnapshots() {
  const held = [5_000_000, 23, 18_000_000_000].map(output)
  const pending = [output(7_000_000)]
  return ['2.4', 'next'].flatMap((rule) => [
    signed(`plain-${rule}`, rule, { version: 1, number: 2, held }),
    signed(`deposit-${rule}`, rule, { version: 0, number: 300, held, toCommit: pending, deposit: random.hex(32) }),
    signed(`decommit-${rule}`, rule, { version: 70_000, number: 24, held, toDecommit: pending })
  ])
}
