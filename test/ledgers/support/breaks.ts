import { CborWriter } from '../../../src/codec/cbor/writer'
import { bytesToHex, hexToBytes } from '../../../src/codec/hex'
import { minLovelace } from '../../../src/codec/txOutput'
import { LOVELACE } from '../../../src/codec/value'
import { addressToString, enterpriseAddress } from '../../../src/codec/address'
import type { Draft } from './draft'
import { inputCbor } from './draft'
import type { Random } from './generate'
import { addCollateral, refer, spendByKey } from './generate'
import {
  BEFORE,
  find,
  KEYS,
  lovelace,
  NATIVE_SCRIPTS,
  OTHER_DATUM,
  PLUTUS_SCRIPTS,
  refOf,
  scriptRef,
  SLOT,
  TOKEN,
  WORLD
} from './world'

/** Changes a valid draft in one place. @throws {@link NotHere} where that place is not in it */
export type Break = (draft: Draft, random: Random) => void

/** A draft cannot be changed so. */
export class NotHere extends Error {}

function need(condition: unknown): asserts condition {
  if (condition === false || condition === undefined) throw new NotHere()
}

const UNKNOWN = { txHash: 'ab'.repeat(32), index: 0 }
const usesPlutus = (draft: Draft): boolean => draft.redeemers.length > 0
const used = (draft: Draft, hash: string): boolean =>
  draft.scripts.some((script) => script.hash === hash) ||
  [...draft.mint.keys()].some((unit) => unit.startsWith(hash)) ||
  draft.inputs.some(
    (input) =>
      find(input)?.output.address ===
      [...NATIVE_SCRIPTS, ...PLUTUS_SCRIPTS].find((script) => script.hash === hash)!.address
  )
const unused = (
  draft: Draft,
  random: Random,
  from: typeof NATIVE_SCRIPTS
): (typeof NATIVE_SCRIPTS)[number] | undefined => {
  const free = from.filter(({ hash }) => !used(draft, hash))
  return free.length === 0 ? undefined : random.pick(free)
}
const empty = (form: 'array' | 'map', tagged: boolean): Uint8Array =>
  form === 'map' ? hexToBytes('a0') : hexToBytes(tagged ? 'd9010280' : '80')

/** What is special in a valid transaction, by name. */
export const VARIANTS: Readonly<Record<string, Break>> = {
  'an output holds exactly the least': (draft) => {
    const output = { address: KEYS[0].address, amount: [lovelace(1n)] }
    draft.outputs.push({ ...output, amount: [lovelace(minLovelace(output, 4310n))] })
  },
  'a script fails and the transaction says so': (draft) => {
    failingMint(draft)
    draft.isValid = false
  },
  'a stake key is registered': (draft) => {
    const credential = new CborWriter().array(2).uint(0).bytes(hexToBytes(KEYS[1].hash)).toBytes()
    draft.certificates.push({
      cbor: new CborWriter().array(3).uint(7).raw(credential).uint(2_000_000).toBytes(),
      deposit: 2_000_000n
    })
    draft.signers.add(KEYS[1])
    need(!draft.languages.has('PlutusV1') && !draft.languages.has('PlutusV2'))
  },
  'the last slot of its time': (draft) => {
    draft.validUntil = SLOT + 1
  },
  'the first slot of its time': (draft) => {
    draft.validFrom = SLOT
  }
}

/** What is wrong in a broken transaction, by name. Each makes it invalid by the rules of the ledger. */
export const BREAKS: Readonly<Record<string, Break>> = {
  'the fee is one lovelace too low': (draft) => {
    need(draft.ledger !== 'head')
    draft.feeOver = -1
  },
  'an input is unknown': (draft) =>
    void (draft.inputs[draft.inputs.length - 1 - (draft.redeemers.length > 0 ? draft.inputs.length - 1 : 0)] = UNKNOWN),
  'a reference input is unknown': (draft) => void draft.referenceInputs.push(UNKNOWN),
  'there are no inputs': (draft) => {
    need(!usesPlutus(draft))
    draft.inputs = []
  },
  'lovelace come from nowhere': (draft) => void draft.off.set(LOVELACE, 1n),
  'lovelace vanish': (draft) => void draft.off.set(LOVELACE, -1n),
  'tokens come from nowhere': (draft, random) => void draft.off.set(random.pick(NATIVE_SCRIPTS).hash + TOKEN, 1n),
  'an output holds too little': (draft) => {
    const output = { address: KEYS[0].address, amount: [lovelace(1n)] }
    draft.outputs.push({ ...output, amount: [lovelace(minLovelace(output, 4310n) - 1n)] })
  },
  'a signature is missing': (draft, random) =>
    void draft.signers.delete(random.pick([...draft.signers].filter((key) => neededKeys(draft).has(key.hash)))),
  'a signature is of another body': (draft, random) => void (draft.forger = random.pick([...draft.signers])),
  'its time is over': (draft) => {
    draft.validUntil = SLOT
    delete draft.validFrom
  },
  'its time has not come': (draft) => {
    draft.validFrom = SLOT + 1
    delete draft.validUntil
  },
  'an output is on the other network': (draft) =>
    void draft.outputs.push({
      address: addressToString(enterpriseAddress(1, { kind: 'key', hash: KEYS[0].hash })),
      amount: [lovelace(2_000_000n)]
    }),
  'the body names the other network': (draft) => void (draft.networkId = 1),
  'something is minted without its script': (draft, random) => {
    const script = unused(draft, random, NATIVE_SCRIPTS)
    need(script !== undefined && draft.referenceInputs.length === 0)
    draft.mint.set(script.hash + TOKEN, 5n)
  },
  'a native script lacks a signature': (draft) => {
    const script = NATIVE_SCRIPTS.find(
      ({ hash, signers }) => used(draft, hash) && signers.some((key) => !neededKeys(draft).has(key.hash))
    )
    need(script !== undefined)
    for (const key of script.signers) if (!neededKeys(draft).has(key.hash)) draft.signers.delete(key)
    need(
      !(script === NATIVE_SCRIPTS[2] && [KEYS[1], KEYS[2]].some((key) => draft.signers.has(key))) &&
        !(script === NATIVE_SCRIPTS[3] && draft.signers.size > 1)
    )
  },
  'a native script needs a bound of the interval that is not stated': (draft) => {
    const [after, before] = [NATIVE_SCRIPTS[4]!, NATIVE_SCRIPTS[5]!].map(({ hash }) => used(draft, hash))
    need(after || before)
    if (after) delete draft.validFrom
    if (before) delete draft.validUntil
  },
  'a native script needs a narrower interval': (draft) => {
    need(used(draft, NATIVE_SCRIPTS[5]!.hash))
    draft.validUntil = BEFORE + 1
  },
  'a native script comes along unneeded': (draft, random) => {
    const script = unused(draft, random, NATIVE_SCRIPTS)
    need(script !== undefined)
    draft.scripts.push(script)
  },
  'a Plutus script comes along unneeded': (draft, random) => {
    const script = unused(draft, random, PLUTUS_SCRIPTS)
    need(script !== undefined)
    draft.scripts.push(script)
  },
  'a script comes along that an output carries too': (draft) => {
    const script = [...NATIVE_SCRIPTS, ...PLUTUS_SCRIPTS].find(({ hash }) =>
      draft.scripts.some((other) => other.hash === hash)
    )
    const index = [...NATIVE_SCRIPTS, ...PLUTUS_SCRIPTS].indexOf(script!)
    need(script !== undefined)
    const { scripts } = draft
    refer(draft, WORLD.carriers[index]!)
    draft.scripts = scripts
  },
  'a script is missing': (draft) => {
    need(draft.scripts.length !== 0)
    draft.scripts.pop()
  },
  'a redeemer is missing': (draft) => {
    need(draft.redeemers.length >= 2)
    draft.redeemers.pop()
  },
  'a redeemer is for nothing': (draft) => {
    need(usesPlutus(draft))
    draft.redeemers.push({ tag: 'spend', of: '', index: 77, mem: 1000, cpu: 1000 })
  },
  'a redeemer is for another input': (draft) => {
    const redeemer = draft.redeemers.find(({ tag }) => tag === 'spend')
    need(redeemer !== undefined && draft.redeemers.length <= 1 && draft.inputs.length >= 2)
    const free = draft.inputs.find((input) => refOf(input) !== redeemer.of)!
    redeemer.of = refOf(free)
  },
  'a datum is missing': (draft) => {
    const needed = draft.redeemers.some(
      ({ tag, of }) => tag === 'spend' && find(inputOf(draft, of))?.output.datumHash !== undefined
    )
    need(needed)
    draft.datums = draft.datums.slice(1)
  },
  'a datum comes along that no output is about': (draft) => {
    need(usesPlutus(draft) && draft.datums.length <= 1)
    draft.datums.push(hexToBytes('d87b80'))
  },
  'a datum comes along without any script': (draft) => {
    need(!usesPlutus(draft) && draft.datums.length === 0)
    draft.datums.push(OTHER_DATUM)
  },
  'the script integrity hash is wrong': (draft) => {
    need(usesPlutus(draft))
    draft.integrityHash = new Uint8Array(32)
  },
  'the script integrity hash is missing': (draft) => {
    need(usesPlutus(draft))
    draft.integrityHash = null
  },
  'there is a script integrity hash without scripts': (draft) => {
    need(!usesPlutus(draft))
    draft.integrityHash = new Uint8Array(32).fill(7)
  },
  'the script integrity hash is over the model of another language': (draft) => {
    need(draft.languages.size === 1)
    draft.languages = new Set([draft.languages.has('PlutusV3') ? 'PlutusV2' : 'PlutusV3'])
  },
  'there is no collateral': (draft) => {
    need(usesPlutus(draft))
    draft.collateral = []
    delete draft.collateralReturn
    delete draft.totalCollateral
  },
  'the collateral is too little': (draft) => {
    need(draft.collateral.length !== 0 && draft.ledger !== 'head')
    draft.collateralReturn = { address: KEYS[0].address, amount: [lovelace(7_999_000n)] }
    delete draft.totalCollateral
  },
  'the stated total of the collateral is wrong': (draft) => {
    need(draft.collateral.length !== 0)
    draft.totalCollateral = 3_999_999n
  },
  'there are too many collateral inputs': (draft) => {
    need(usesPlutus(draft))
    draft.collateral = WORLD.collateral.slice(0, 4).map(({ input }) => input)
    draft.signers.add(KEYS[0])
    delete draft.totalCollateral
  },
  'the collateral is locked by a script': (draft) => {
    need(usesPlutus(draft))
    draft.collateral = [WORLD.locked[0]!.input]
    delete draft.collateralReturn
    delete draft.totalCollateral
    need(draft.inputs.every((input) => refOf(input) !== refOf(WORLD.locked[0]!.input)))
  },
  'the collateral holds tokens that do not come back': (draft) => {
    need(usesPlutus(draft))
    draft.collateral = [WORLD.withTokens[0]!.input]
    draft.signers.add(KEYS[0])
    delete draft.collateralReturn
    delete draft.totalCollateral
  },
  'a script fails': failingMint,
  'scripts pass that are said to fail': (draft) => {
    need(usesPlutus(draft))
    draft.isValid = false
  },
  'it is said to fail without scripts': (draft, random) => {
    need(!usesPlutus(draft))
    draft.isValid = false
    addCollateral(draft, random)
  },
  'a redeemer declares too few units': (draft) => {
    need(usesPlutus(draft))
    draft.redeemers[0]!.mem = 10
  },
  'the redeemers declare more units than a transaction may': (draft) => {
    need(usesPlutus(draft))
    draft.redeemers[0]!.mem = 14_000_001
    // For the fee that comes with it.
    draft.collateral = WORLD.collateral.slice(0, 3).map(({ input }) => input)
    draft.signers.add(KEYS[0])
    delete draft.collateralReturn
    delete draft.totalCollateral
  },
  'the hash of the auxiliary data is wrong': (draft) => {
    need(draft.auxiliaryData !== undefined)
    draft.auxiliaryDataHash = new Uint8Array(32)
  },
  'the hash of the auxiliary data is missing': (draft) => {
    need(draft.auxiliaryData !== undefined)
    draft.auxiliaryDataHash = null
  },
  'the auxiliary data is missing': (draft) => {
    need(draft.auxiliaryData === undefined)
    draft.auxiliaryDataHash = new Uint8Array(32).fill(3)
  },
  'a text of the metadata is too long': (draft) =>
    void (draft.auxiliaryData = new CborWriter().map(1).uint(1).text('m'.repeat(65)).toBytes()),
  'bytes of the metadata are too long': (draft) =>
    void (draft.auxiliaryData = new CborWriter().map(1).uint(1).bytes(new Uint8Array(65)).toBytes()),
  'a required signer has not signed': (draft) => void draft.requiredSigners.push('cd'.repeat(28)),
  'it is too large': (draft) => {
    const chunks = Array.from({ length: 260 }, () => new Uint8Array(64))
    draft.auxiliaryData = chunks
      .reduce((writer, chunk) => writer.bytes(chunk), new CborWriter().map(1).uint(1).array(260))
      .toBytes()
  },
  'the value of an output is too large': (draft) => {
    const script = NATIVE_SCRIPTS[0]!
    need(!used(draft, script.hash) && !draft.scripts.includes(script) && draft.referenceInputs.length === 0)
    const units = Array.from({ length: 160 }, (_, i) => script.hash + i.toString(16).padStart(64, '0'))
    for (const unit of units) draft.mint.set(unit, 1n)
    draft.scripts.push(script)
    for (const key of script.signers) draft.signers.add(key)
    draft.outputs.push({
      address: KEYS[0].address,
      amount: [lovelace(30_000_000n), ...units.map((unit) => ({ unit, quantity: '1' }))]
    })
    spendByKey(draft, WORLD.coins[3]!)
  },
  'an input is a reference input too': (draft) => void draft.referenceInputs.push(draft.inputs[0]!),
  'an account has nothing to withdraw': (draft) => {
    need(draft.withdrawals.length === 0)
    draft.withdrawals.push({ address: Uint8Array.of(0xe0, ...hexToBytes(KEYS[0].hash)), amount: 5n })
    draft.signers.add(KEYS[0])
  },
  'the treasury is stated wrongly': (draft) => {
    need(!draft.languages.has('PlutusV1') && !draft.languages.has('PlutusV2'))
    draft.rawBody.set(21, new CborWriter().uint(77).toBytes())
  },
  'a script of an output is no program': (draft) =>
    void draft.outputs.push({
      address: KEYS[0].address,
      amount: [lovelace(5_000_000n)],
      scriptRef: {
        language: 'PlutusV3',
        cborHex: bytesToHex(new CborWriter().bytes(hexToBytes('4401020304')).toBytes())
      }
    }),
  'an inline datum is shown to PlutusV1': (draft) => {
    need(draft.languages.has('PlutusV1'))
    draft.outputs.push({ address: KEYS[0].address, amount: [lovelace(3_000_000n)], inlineDatum: 'd87980' })
  },
  // What the decoder refuses, before any rule.
  'the withdrawals are empty': (draft) => raw(draft, 5, empty('map', false), draft.withdrawals.length === 0),
  'the mint is empty': (draft) => raw(draft, 9, empty('map', false), draft.mint.size === 0),
  'the collateral is an empty set': (draft) => raw(draft, 13, empty('array', draft.tagged), !usesPlutus(draft)),
  'the required signers are an empty set': (draft) =>
    raw(draft, 14, empty('array', draft.tagged), draft.requiredSigners.length === 0),
  'the reference inputs are an empty set': (draft) =>
    raw(draft, 18, empty('array', draft.tagged), draft.referenceInputs.length === 0),
  'the certificates are an empty set': (draft) => raw(draft, 4, empty('array', draft.tagged)),
  'the votes are empty': (draft) => raw(draft, 19, empty('map', false)),
  'the proposals are an empty set': (draft) => raw(draft, 20, empty('array', draft.tagged)),
  'the native scripts are an empty set': (draft) =>
    rawWitness(
      draft,
      1,
      empty('array', draft.tagged),
      draft.scripts.every(({ language }) => language !== 'native')
    ),
  'the key witnesses are an empty set': (draft) => rawWitness(draft, 0, empty('array', draft.tagged)),
  'the witness set has an unknown key': (draft) => rawWitness(draft, 8, empty('array', false)),
  'the body has an unknown key': (draft) => raw(draft, 23, new CborWriter().uint(0).toBytes()),
  'auxiliary data of the tagged form has an unknown key': (draft) =>
    void (draft.auxiliaryData = new CborWriter().tag(259).map(2).uint(0).map(0).uint(5).array(0).toBytes()),
  'an input has an index beyond 65,535': (draft) =>
    raw(
      draft,
      18,
      new CborWriter()
        .array(1)
        .raw(new CborWriter().array(2).bytes(new Uint8Array(32)).uint(65_536).toBytes())
        .toBytes()
    ),
  'the network id is 2': (draft) => raw(draft, 15, new CborWriter().uint(2).toBytes()),
  'an input stands twice': (draft) => {
    const items = [...draft.inputs, draft.inputs[0]!].map(inputCbor)
    const list = items.reduce(
      (writer, item) => writer.raw(item),
      (draft.tagged ? new CborWriter().tag(258) : new CborWriter()).array(items.length)
    )
    raw(draft, 0, list.toBytes())
  },
  'nothing is minted of an asset': (draft) =>
    raw(
      draft,
      9,
      new CborWriter()
        .map(1)
        .bytes(hexToBytes(NATIVE_SCRIPTS[0]!.hash))
        .map(1)
        .bytes(hexToBytes(TOKEN))
        .int(0)
        .toBytes(),
      draft.mint.size === 0
    ),
  'an output holds nothing of an asset': (draft) => {
    const value = new CborWriter()
      .array(2)
      .uint(5_000_000)
      .map(1)
      .bytes(hexToBytes(NATIVE_SCRIPTS[0]!.hash))
      .map(1)
      .bytes(hexToBytes(TOKEN))
      .uint(0)
    const output = new CborWriter()
      .array(2)
      .bytes(Uint8Array.of(0x60, ...hexToBytes(KEYS[0].hash)))
      .raw(value.toBytes())
      .toBytes()
    raw(draft, 1, new CborWriter().array(1).raw(output).toBytes())
  },
  'the donation is zero': (draft) => raw(draft, 22, new CborWriter().uint(0).toBytes())
}

/** Mints by a script that fails instead. */
function failingMint(draft: Draft): void {
  const [redeemer] = draft.redeemers
  const passing = PLUTUS_SCRIPTS.find(({ hash }) => hash === redeemer?.of)
  need(
    redeemer !== undefined &&
      passing !== undefined &&
      redeemer.tag === 'mint' &&
      draft.scripts.includes(passing) &&
      draft.redeemers.length <= 1
  )
  const failing = PLUTUS_SCRIPTS[PLUTUS_SCRIPTS.indexOf(passing) + 1]!
  const carried = [...draft.inputs, ...draft.referenceInputs].map((input) => find(input)?.output.scriptRef?.cborHex)
  need(!carried.includes(scriptRef(failing).cborHex))
  draft.mint = new Map(
    [...draft.mint].map(([unit, quantity]) => [
      unit.replace(passing.hash, failing.hash),
      quantity < 0n ? -quantity : quantity
    ])
  )
  draft.scripts[draft.scripts.indexOf(passing)] = failing
  redeemer.of = failing.hash
}

function raw(draft: Draft, key: number, value: Uint8Array, isFree = true): void {
  need(isFree)
  draft.rawBody.set(key, value)
}
function rawWitness(draft: Draft, key: number, value: Uint8Array, isFree = true): void {
  need(isFree)
  draft.rawWitnesses.set(key, value)
}
const inputOf = (draft: Draft, ref: string): Draft['inputs'][number] =>
  draft.inputs.find((input) => refOf(input) === ref)!

/** Keys without which a transaction is invalid, whatever its native scripts say. */
function neededKeys(draft: Draft): Set<string> {
  const owners = [...draft.inputs, ...draft.collateral].map(
    (input) => KEYS.find(({ address }) => address === find(input)?.output.address)?.hash
  )
  return new Set([...owners, ...draft.requiredSigners].filter((hash) => hash !== undefined))
}
