import { deepStrictEqual as same, ok } from 'node:assert/strict'
import * as CSL from '@emurgo/cardano-serialization-lib-nodejs'
import { parseAddress } from '../../src/codec/address'
import type { PlutusLanguage } from '../../src/codec/costModels'
import { Costmdls } from '../../src/codec/costModels'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { parseJson, stringifyJson } from '../../src/codec/json'
import { PlutusData } from '../../src/codec/plutusData'
import { DevNode, manualClock } from '../../src/devnode'
import { languageViews } from '../../src/devnode/rules/languageViews'
import { prepareTx } from '../../src/devnode/rules/preparedTx'
import { blake2b256 } from '../../src/hash/blake2b'
import { deposit, openHead } from '../devnode/harness'
import { followsFrom, partiesFromDatum, snapshotAccumulator, verifySnapshot } from '../../src/verify'
import type { VerificationRule } from '../../src/verify'

type Json = Record<string, any>
/** Text of a recording by its name. */
export type ReadText = (name: string) => string

/** Facts that no other byte of the recordings implies: node-2.4.md and the README beside the files state them. */
const STATED = {
  version241: '2.4.1-099f5dd775d8640047d0074edef294c1b39a600d',
  recordedAt: {
    blockHash: 'c988afe46425d38d4f2b9630412c62f95f9601c5676abc98153c45345f16eb9e',
    slot: 132_501_150,
    tag: 'ChainPoint'
  },
  headScript: '2b91a7e666575a2465b8c7f6a7f960d5870cf13694a67f3215e014c5',
  headRef: '4b7b61735af539bf39a6899e6558f42f39b75e887327a412486cd1966d2a2daa#0',
  fuelRef: '4b7b61735af539bf39a6899e6558f42f39b75e887327a412486cd1966d2a2daa#1',
  otherParty: '0fe120f30435f3534d2da84ebd4d21144a7aa7d00da4915e6637ad59',
  fuelLovelace: 1_561_499_446
}
const HEAD_TOKEN = '4879647261486561645632'
const FRAME = ['headId', 'seq', 'signatures', 'snapshot', 'tag', 'timestamp']
const SNAPSHOT_24 = 'accumulator confirmed depositTxId headId number utxo utxoToCommit utxoToDecommit version'.split(
  ' '
)
const SNAPSHOT_23 = SNAPSHOT_24.filter((key) => key !== 'depositTxId')
const PLAIN = 'address datum datumhash inlineDatum inlineDatumRaw referenceScript value'.split(' ')
const WITH_DATUM = 'address datum inlineDatum inlineDatumRaw inlineDatumhash referenceScript value'.split(' ')

/**
 * Checks of what each recording says, against the other recordings, the package and a second library: each throws where
 * a byte of its file is another.
 */
export const RECORDED: Readonly<Record<string, (read: ReadText) => Promise<void>>> = {
  'frame-shape-2.4.1': checkFrameShape,
  'head-2.3.0': checkHead,
  'history-2.3-part': checkHistory,
  'last-seen-2.3.0': checkLastSeen,
  'protocol-parameters-2.4': checkParameters,
  'signed-snapshots-2.4.1': checkSignedSnapshots,
  'snapshot-2.3.0': checkSnapshot230
}

/** A recording as JSON; it is minified, and its bytes are written in lower case. */
function open(read: ReadText, name: string): any {
  const text = read(name)
  const value = parseJson(text) as Json
  same(text.replace(/\n$/, ''), stringifyJson(value))
  for (const [hex] of text.matchAll(/[0-9a-f]{8,}/gi)) same(hex, hex.toLowerCase())
  return value
}

async function checkFrameShape(read: ReadText): Promise<void> {
  const recorded = open(read, 'frame-shape-2.4.1')
  same(Object.keys(recorded), ['hydraNodeVersion', 'frames'])
  same(recorded.hydraNodeVersion, STATED.version241)
  const elided = (keys: readonly string[]): Json => Object.fromEntries(keys.map((key) => [key, '…']))
  const { headId, seq, signatures, snapshot, tag, timestamp } = await localFrame()
  same([tag, Object.keys(signatures)], ['SnapshotConfirmed', ['multiSignature']])
  // The local head sends the members that the real node sends.
  same(Object.keys({ headId, seq, signatures, snapshot, tag, timestamp }), FRAME)
  same(recorded.frames, [
    {
      headId: '…',
      seq: 41,
      signatures: elided(Object.keys(signatures)),
      snapshot: elided(Object.keys(snapshot).sort()),
      tag,
      timestamp: '…'
    }
  ])
}

let sent: Promise<Json> | undefined

/** A SnapshotConfirmed of the local head of profile 2.4, all its members. */
function localFrame(): Promise<Json> {
  return (sent ??= (async () => {
    const setup = openHead({ profile: '2.4', accumulator: 'real' })
    const { client, clock, node } = setup
    await deposit(setup, setup.alice)
    const seen = async (): Promise<void> => {
      while (client.all('SnapshotConfirmed').length === 0) await new Promise((turn) => setImmediate(turn))
    }
    await clock.runUntil(seen(), 60_000)
    await node.stop()
    const [frame] = client.all('SnapshotConfirmed')
    same(Object.keys(frame!).sort(), FRAME)
    return frame!
  })())
}

async function checkHead(read: ReadText): Promise<void> {
  const head = open(read, 'head-2.3.0')
  const { chainState, coordinatedHeadState, headId, headSeed, parameters } = head.contents
  same([Object.keys(head), head.tag], [['contents', 'tag'], 'Open'])
  same(Object.keys(head.contents), ['chainState', 'coordinatedHeadState', 'headId', 'headSeed', 'parameters'])
  same(chainState.recordedAt, STATED.recordedAt)
  const { tag, ...answer } = open(read, 'snapshot-2.3.0')
  const { confirmedSnapshot, ...rest } = coordinatedHeadState
  same(confirmedSnapshot, { ...answer, tag })
  same(rest, {
    allTxs: {},
    currentDepositTxId: null,
    decommitTx: null,
    localTxs: [],
    localUTxO: answer.snapshot.utxo,
    seenSnapshot: { lastSeen: answer.snapshot.number, tag: 'LastSeenSnapshot' },
    version: answer.snapshot.version
  })
  same(headId, answer.snapshot.headId)
  checkHeadOutput(chainState.spendableUTxO, {
    headId,
    headSeed,
    parameters,
    snapshot: answer.snapshot,
    // The head is as its increment left it: with 200 ada of the same address, as that of 2.4.1 began.
    accumulator: open(read, 'signed-snapshots-2.4.1').withDeposit.snapshot.accumulator
  })
}

function checkHeadOutput(utxo: Json, { headId, headSeed, parameters, snapshot, accumulator }: Json): void {
  same(Object.keys(utxo), [STATED.headRef, STATED.fuelRef])
  const { [STATED.headRef]: output, [STATED.fuelRef]: fuel } = utxo
  same(parseAddress(output.address).payment, { kind: 'script', hash: STATED.headScript })
  checkOutput(output)
  const [[seed, id, parties, [period], version, covers, overhead]] = fieldsOf(output.inlineDatum)
  same([id, parties, version, covers], [headId, parameters.parties.map(({ vkey }: Json) => vkey), 1, accumulator])
  same(partiesFromDatum({ output, headId }), parties)
  same(parameters, { contestationPeriod: Number(period) / 1000, parties: parties.map((vkey: string) => ({ vkey })) })
  // The seed stands as the hex of a JSON text.
  same(Buffer.from(headSeed, 'hex').toString(), JSON.stringify(`${seed[0]}#${seed[1]}`))
  const held = Object.values<Json>(snapshot.utxo).reduce((sum, each) => sum + Number(each['value'].lovelace), 0)
  const { payment } = parseAddress(fuel.address)
  same(output.value, {
    [headId]: { [STATED.otherParty]: 1, [payment!.hash]: 1, [HEAD_TOKEN]: 1 },
    lovelace: held + Number(overhead)
  })
  checkOutput(fuel)
  same(fuel.value, { lovelace: STATED.fuelLovelace })
}

/** Fields of Plutus data in the detailed schema, as plain values. */
function fieldsOf(data: Json): any {
  if ('fields' in data) {
    same(data['constructor'], 0)
    return data['fields'].map(fieldsOf)
  }
  if ('list' in data) return data['list'].map(fieldsOf)
  return data['bytes'] ?? data['int']
}

async function checkHistory(read: ReadText): Promise<void> {
  const history = open(read, 'history-2.3-part')
  const { snapshots, decommitTransactions: decommits } = history
  same(Object.keys(history), ['hydraNodeVersion', 'snapshots', 'decommitTransactions'])
  same(history.hydraNodeVersion, '2.3')
  same(
    snapshots.map(({ number, version, confirmed }: Json) => [number, version, confirmed]),
    [
      [1, 0, []],
      [2, 1, []],
      [3, 2, []]
    ]
  )
  for (const snapshot of snapshots) {
    same(Object.keys(snapshot), ['number', 'version', 'utxo', 'utxoToCommit', 'utxoToDecommit', 'confirmed'])
    for (const set of [snapshot.utxo, snapshot.utxoToCommit ?? {}, snapshot.utxoToDecommit ?? {}])
      Object.values<Json>(set).forEach(checkOutput)
  }
  for (const decommit of decommits) {
    same(Object.keys(decommit), ['txId', 'cborHex'])
    checkTx(decommit)
  }
  // References are not signed: those of a decommit are the outputs of its transaction.
  same(Object.keys(snapshots[2].utxoToDecommit), [`${decommits[0].txId}#0`])
  for (const [previous, next] of [snapshots.slice(0, 2), snapshots.slice(1)])
    same((await followsFrom(previous, next, { decommits })).ok, true)
}

async function checkLastSeen(read: ReadText): Promise<void> {
  const { snapshot } = open(read, 'snapshot-2.3.0')
  same(open(read, 'last-seen-2.3.0'), [
    { lastSeen: snapshot.number, tag: 'LastSeenSnapshot' },
    { tag: 'NoSeenSnapshot' }
  ])
}

async function checkParameters(read: ReadText): Promise<void> {
  const recorded: Json = open(read, 'protocol-parameters-2.4')
  const { protocolParameters } = new DevNode({ clock: manualClock(), profile: '2.4' })
  same(recorded, parseJson(stringifyJson(protocolParameters)))
  const costModels = recorded.costModels as Record<PlutusLanguage, number[]>
  same(costModels.PlutusV3.length, 297)
  // Script data hash of one redeemer of PlutusV3, by the package and by another library.
  const redeemers = 'a182000082d8798082182a1907d0'
  const views = languageViews(new Set(['PlutusV3']), costModels)
  const hash = bytesToHex(blake2b256(hexToBytes(redeemers + views)))
  const model = CSL.CostModel.new()
  costModels.PlutusV3.forEach((cost: number, i: number) => model.set(i, CSL.Int.from_str(String(cost))))
  const models = CSL.Costmdls.new()
  models.insert(CSL.Language.new_plutus_v3(), model)
  same(CSL.hash_script_data(CSL.Redeemers.from_hex(redeemers), models).to_hex(), hash)
  const shorter = { ...costModels, PlutusV3: costModels.PlutusV3.slice(0, 251) }
  ok(new Costmdls(shorter).languageViews(['PlutusV3']) !== views)
}

async function checkSignedSnapshots(read: ReadText): Promise<void> {
  const recorded = open(read, 'signed-snapshots-2.4.1')
  const { hydraNodeVersion, network, headId, partyKeys, withDeposit, withoutDeposit } = recorded
  same(Object.keys(recorded), ['hydraNodeVersion', 'network', 'headId', 'partyKeys', 'withDeposit', 'withoutDeposit'])
  same([hydraNodeVersion, network], [STATED.version241, 'preprod'])
  for (const each of [withDeposit, withoutDeposit]) {
    same([Object.keys(each), each.headId, each.snapshot.headId], [['headId', 'signatures', 'snapshot'], headId, headId])
    await checkSnapshot(each, { parties: partyKeys, rule: '2.4', keys: SNAPSHOT_24 })
  }
  same((await followsFrom(withDeposit.snapshot, withoutDeposit.snapshot, { decommits: [] })).ok, true)
}

async function checkSnapshot230(read: ReadText): Promise<void> {
  const recorded = open(read, 'snapshot-2.3.0')
  const { contents } = open(read, 'head-2.3.0')
  same([Object.keys(recorded), recorded.tag], [['signatures', 'snapshot', 'tag'], 'ConfirmedSnapshot'])
  same(recorded, contents.coordinatedHeadState.confirmedSnapshot)
  const parties = contents.parameters.parties.map(({ vkey }: Json) => vkey)
  await checkSnapshot(recorded, { parties, rule: '2.3', keys: SNAPSHOT_23 })
}

interface SnapshotFacts {
  readonly parties: readonly string[]
  readonly rule: VerificationRule
  readonly keys: readonly string[]
}

async function checkSnapshot({ snapshot, signatures }: Json, { parties, rule, keys }: SnapshotFacts): Promise<void> {
  same([Object.keys(snapshot), Object.keys(signatures)], [keys, ['multiSignature']])
  const verdict = await verifySnapshot({ snapshot, signatures: signatures.multiSignature, parties, rule })
  same([verdict.ok, signatures.multiSignature.length], [true, parties.length])
  const { utxo, utxoToCommit, utxoToDecommit, confirmed } = snapshot
  same((await snapshotAccumulator({ utxo, utxoToCommit, utxoToDecommit })).hash, snapshot.accumulator)
  for (const set of [utxo, utxoToCommit ?? {}, utxoToDecommit ?? {}]) Object.values<Json>(set).forEach(checkOutput)
  for (const tx of confirmed) {
    same([Object.keys(tx), tx.description, tx.type], [['cborHex', 'description', 'txId', 'type'], '', 'Tx ConwayEra'])
    checkTx(tx)
  }
}

/** The id is the hash of the body, and every signature is true. */
function checkTx({ txId, cborHex }: Json): void {
  const tx = prepareTx(hexToBytes(cborHex))
  same([tx.txId, tx.wrongSignatures, tx.isValid, tx.signers.size], [txId, [], true, 1])
  same([tx.auxiliaryData.actual, tx.unsupported], [tx.auxiliaryData.declared, null])
}

/** The members of an output, and a datum that is the same in its three forms. */
function checkOutput(output: Json): void {
  parseAddress(output['address'])
  const { datum, inlineDatum, inlineDatumRaw, inlineDatumhash, referenceScript } = output
  same([Object.keys(output), datum, referenceScript], [inlineDatum === null ? PLAIN : WITH_DATUM, null, null])
  if (inlineDatum === null) return same([output['datumhash'], inlineDatumRaw], [null, null])
  same(bytesToHex(blake2b256(hexToBytes(inlineDatumRaw))), inlineDatumhash)
  same(stringifyJson(PlutusData.fromCbor(inlineDatumRaw).toJson()), stringifyJson(inlineDatum))
}
