// What every builder does with Plutus scripts, on the head and on the base ledger. The scripts are the tests' own,
// written as flat-encoded programs (plutus-core specification, appendix C).

import assert from 'node:assert/strict'

/** Builtins by their number in the specification. */
const BUILTINS = { ifThenElse: 26, equalsData: 47 }
const bits = (value, width) => value.toString(2).padStart(width, '0')
/** Natural numbers: groups of seven bits, the lowest first, each behind a bit that says whether one follows. */
const natural = (value) =>
  value < 128 ? bits(value, 8) : `1${bits(value % 128, 7)}${natural(Math.floor(value / 128))}`

const variable = (index) => `0000${natural(index)}`
const delay = (term) => `0001${term}`
const lambda = (body) => `0010${body}`
const apply = (head, ...args) => args.reduce((term, arg) => `0011${term}${arg}`, head)
const force = (term) => `0101${term}`
const builtin = (name) => `0111${bits(BUILTINS[name], 7)}`
/** `(con unit ())`: one type tag, 3, and no bits of value. */
const UNIT = '0100100110'
const ERROR = '0110'

/** The bytes of a program: filled up with zeros and a final one. */
function program([major, minor, patch], term) {
  const all = [major, minor, patch].map(natural).join('') + term
  const padded = `${all}${'0'.repeat(7 - (all.length % 8))}1`
  return Uint8Array.from(padded.match(/.{8}/g), (octet) => parseInt(octet, 2))
}

/** CBOR bytes: the form in which a script stands in a witness set. */
function cborHex(bytes) {
  if (bytes.length > 255) throw new Error('too long for these tests')
  return Buffer.from([...(bytes.length < 24 ? [0x40 + bytes.length] : [0x58, bytes.length]), ...bytes]).toString('hex')
}

/** PlutusV2, spending: succeeds when the redeemer equals the datum. */
export const SAME_AS_DATUM = cborHex(
  program(
    [1, 0, 0],
    lambda(
      lambda(
        lambda(
          force(
            apply(
              force(builtin('ifThenElse')),
              apply(builtin('equalsData'), variable(3), variable(2)),
              delay(UNIT),
              delay(ERROR)
            )
          )
        )
      )
    )
  )
)
/** PlutusV2, minting: succeeds. */
export const ANYBODY_MINTS = cborHex(program([1, 0, 0], lambda(lambda(UNIT))))
/** PlutusV3: succeeds. */
export const ALWAYS_V3 = cborHex(program([1, 1, 0], lambda(UNIT)))

const ADA = 1_000_000n
const DATUM = 42n
/** Transactions of a chain, each spending what the one before has left. */
const CHAINED = 10

/**
 * Locks, is refused, unlocks, reads a script from an output, mints and chains with a builder.
 *
 * @param test - `(name, check, run)`
 * @param name - of the builder and the ledger
 * @param scripts - the builder's steps
 */
export async function scriptTests(test, name, scripts) {
  await test(name, 'locks at a script, is refused with a wrong redeemer, and unlocks with the right one', async () => {
    const locked = await scripts.lock(SAME_AS_DATUM, DATUM, 7n * ADA)
    await scripts.awaitTx(locked)
    const before = await scripts.lovelaceAt(SAME_AS_DATUM)
    await assert.rejects(async () => scripts.awaitTx(await scripts.unlock(locked, SAME_AS_DATUM, DATUM + 1n)))
    assert.equal(await scripts.lovelaceAt(SAME_AS_DATUM), before)
    await scripts.awaitTx(await scripts.unlock(locked, SAME_AS_DATUM, DATUM))
    assert.equal(await scripts.lovelaceAt(SAME_AS_DATUM), before - 7n * ADA)
  })

  await test(name, 'unlocks with a script that stands in another output', async () => {
    const locked = await scripts.lock(SAME_AS_DATUM, DATUM, 5n * ADA, { reference: true })
    await scripts.awaitTx(locked)
    const before = await scripts.lovelaceAt(SAME_AS_DATUM)
    await scripts.awaitTx(await scripts.unlock(locked, SAME_AS_DATUM, DATUM, { reference: true }))
    assert.equal(await scripts.lovelaceAt(SAME_AS_DATUM), before - 5n * ADA)
  })

  await test(name, 'mints under a Plutus policy', async () => {
    const before = await scripts.assetsOf(scripts.unitOf(ANYBODY_MINTS))
    await scripts.awaitTx(await scripts.mintPlutus(ANYBODY_MINTS, 3n))
    assert.equal((await scripts.assetsOf(scripts.unitOf(ANYBODY_MINTS))) - before, 3n)
  })

  await test(name, `locks and unlocks ${CHAINED} times in a row`, async () => {
    const ids = []
    // From 1: Blaze 0.2.48 leaves out an inline datum that is the number 0.
    for (let i = 1n; i < CHAINED; i += 2n) {
      const locked = await scripts.lock(SAME_AS_DATUM, i, 4n * ADA)
      if (scripts.chains !== true) await scripts.awaitTx(locked)
      ids.push(await scripts.unlock(locked, SAME_AS_DATUM, i))
      if (scripts.chains !== true) await scripts.awaitTx(ids.at(-1))
    }
    await Promise.all(ids.map((id) => scripts.awaitTx(id)))
  })
}
