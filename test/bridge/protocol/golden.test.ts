import { parseJson, stringifyJson } from '../../../src/codec/json.js'
import { isKnownPayload } from '../../../src/bridge/protocol/messages.js'
import { decodePayload } from '../../../src/bridge/protocol/decode.js'
import { buildInput, encodeInput } from '../../../src/bridge/protocol/encode.js'
import {
  decodeHeadReply,
  decodeProtocolParametersReply,
  decodeSnapshotReply,
  decodeSubmitL2Reply,
  decodeCommitReply
} from '../../../src/bridge/protocol/replies.js'
import { toProtocol } from '../../../src/bridge/protocol/headState.js'
import { routes } from '../../../src/bridge/protocol/routes.js'
import { outputFromJson, outputToJson, utxoFromJson } from '../../../src/bridge/protocol/utxoJson.js'
import type { LayerInput, TxOutJson } from '../../../src/bridge/protocol/types.js'
import { NODE_VERSIONS, nodeSamples as samples } from '../../support/nodeMessages'
import { describeWithShared, readHome, readShared } from '../../support/vectors'

const RECEIVED = Date.UTC(2026, 0, 2, 3, 4, 5)

function outputsIn(value: unknown, found: [string, TxOutJson][] = []): [string, TxOutJson][] {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes('#') && typeof inner === 'object' && inner !== null && 'address' in inner)
      found.push([key, inner as TxOutJson])
    else outputsIn(inner, found)
  }
  return found
}

describe('messages of the node', () => {
  it('are there for seven versions of the node, newest included', () => {
    const versions = samples(/ServerOutput|Greetings/).map(({ file }) => file.split('/')[0])
    expect(new Set(versions)).toEqual(new Set(NODE_VERSIONS))
  })

  it('decodes every message of every version into a known payload with tag and timestamp', () => {
    const messages = samples(/ServerOutput|TimedServerOutput|Greetings/)
    expect(messages.length).toBeGreaterThan(200)
    for (const { file, value } of messages) {
      const payload = decodePayload(stringifyJson(value), RECEIVED)
      expect([file, isKnownPayload(payload)]).toEqual([file, true])
      expect(payload.tag).toBe(value.tag ?? (value.me === undefined ? 'InvalidInput' : 'Greetings'))
      expect(payload.timestamp).toBe(value.timestamp ?? '2026-01-02T03:04:05.000Z')
      expect(payload.seq).toBe(value.seq)
      const text = stringifyJson(payload)
      for (const gone of ['hydraHeadId', 'hydraNodeVersion', 'theDeposit', 'finalizedUTxO'])
        expect(payload).not.toHaveProperty(gone)
      expect(text).not.toContain('"signingKey"')
    }
  })

  it('gives the fields that versions spell differently one form', () => {
    for (const { value } of samples(/ServerOutput|Greetings/)) {
      const payload = decodePayload(stringifyJson(value), RECEIVED)
      if (payload.tag === 'TxValid') {
        expect(payload.transactionId).toBe(value.transactionId ?? value.transaction.txId)
        expect(payload.transaction.txId).toBe(value.transaction?.txId ?? value.transactionId)
      }
      if (payload.tag === 'TxInvalid') expect(payload.validationError.reason).toBe(value.validationError.reason)
      if (payload.tag === 'HeadIsFinalized') expect(payload.utxo).toEqual(value.finalizedUTxO ?? value.utxo)
      if (payload.tag === 'CommitFinalized') expect(payload.depositTxId).toBe(value.depositTxId ?? value.theDeposit)
      if (payload.tag === 'Greetings') {
        expect(payload.layerHeadId).toBe(value.hydraHeadId)
        expect(payload.layerNodeVersion).toBe(value.hydraNodeVersion)
        expect(payload.env ?? {}).not.toHaveProperty('signingKey')
      }
      if (payload.tag === 'SnapshotConfirmed') {
        const { number, snapshotNumber, confirmed, confirmedTransactions } = value.snapshot
        const ids = (confirmed ?? confirmedTransactions).map((transaction: any) => transaction.txId ?? transaction)
        expect(payload.snapshot.number).toBe(number ?? snapshotNumber)
        expect(payload.snapshot.confirmed.map(({ txId }) => txId)).toEqual(ids)
      }
    }
  })

  it('encodes every client input to the form that the node reads', () => {
    const inputs = samples(/ClientInput/).map(({ value }) => value as LayerInput)
    expect(new Set(inputs.map(({ tag }) => tag))).toEqual(
      new Set([
        'Init',
        'Abort',
        'NewTx',
        'GetUTxO',
        'Recover',
        'Decommit',
        'Close',
        'SafeClose',
        'Contest',
        'Fanout',
        'PartialFanout',
        'SideLoadSnapshot'
      ])
    )
    for (const golden of inputs) {
      const { tag, ...rest } = golden
      const [argument] = Object.values(rest)
      const built = (buildInput as (tag: string, argument?: unknown) => LayerInput)(tag, argument)
      expect(parseJson(encodeInput(built))).toEqual(golden)
    }
  })

  it('reads every output exactly, and writes it back so that it reads the same', () => {
    const outputs = samples(/./).flatMap(({ value }) => outputsIn(value))
    expect(outputs.length).toBeGreaterThan(400)
    let large = 0
    for (const [key, json] of outputs) {
      const output = outputFromJson(json, key)
      const assets = Object.entries(json.value).flatMap(([policy, held]) =>
        typeof held === 'object'
          ? Object.entries(held).map(([name, quantity]) => [policy + name, String(quantity)])
          : []
      )
      expect(output.amount[0]).toEqual({ unit: 'lovelace', quantity: String(json.value.lovelace ?? 0) })
      expect(new Map(output.amount.slice(1).map(({ unit, quantity }) => [unit, quantity]))).toEqual(
        new Map(assets.filter(([, quantity]) => quantity !== '0') as [string, string][])
      )
      large += output.amount.filter(({ quantity }) => BigInt(quantity) > 2n ** 53n).length
      expect(output.inlineDatum !== undefined).toBe((json.inlineDatum ?? null) !== null)
      if (json.inlineDatumRaw) expect(output.inlineDatum).toBe(json.inlineDatumRaw)
      expect(output.datumHash).toBe(json.datumhash ?? undefined)
      expect(output.scriptRef?.cborHex).toBe(json.referenceScript?.script.cborHex)
      expect(outputFromJson(outputToJson(output), key)).toEqual(output)
    }
    expect(large).toBeGreaterThan(20)
  })

  it('encodes an inline datum that came without its bytes, mostly as the node had it', () => {
    const both = samples(/./)
      .flatMap(({ value }) => outputsIn(value))
      .filter(([, { inlineDatum, inlineDatumRaw }]) => inlineDatum && inlineDatumRaw)
    const equal = both.filter(
      ([key, json]) => outputFromJson({ ...json, inlineDatumRaw: null }, key).inlineDatum === json.inlineDatumRaw
    )
    expect(both.length).toBeGreaterThan(80)
    // Not all: the node's samples hold datums in encodings of their own, which is why the raw form is preferred.
    expect(equal.length / both.length).toBeGreaterThan(0.9)
  })

  it('reads the bodies of GET /head and GET /snapshot of every version', () => {
    for (const { value } of samples(/HeadState/)) {
      const reply = decodeHeadReply(200, stringifyJson(value))
      if (reply.kind !== 'ok') throw new Error(reply.kind)
      const { info, pendingTxIds } = reply.value
      expect(info.headId).toBe(value.contents.headId ?? null)
      expect(info.parties).toEqual(value.contents.parameters?.parties ?? [])
      expect(info.vkey).toBe(value.contents.parameters?.parties[0]?.vkey ?? null)
      expect(['Idle', 'Initializing', 'Open', 'Closed', 'FanoutPossible', 'FanningOut']).toContain(info.headStatus)
      for (const { txId } of value.contents.coordinatedHeadState?.localTxs ?? []) expect(pendingTxIds).toContain(txId)
    }
    for (const { value } of samples(/SideLoadSnapshotRequest/)) {
      const reply = decodeSnapshotReply(200, stringifyJson(value))
      expect(reply).toMatchObject({ kind: 'ok' })
      // Goes back as it came.
      if (reply.kind === 'ok')
        expect(parseJson(encodeInput(buildInput('SideLoadSnapshot', reply.value)))).toMatchObject({ snapshot: value })
    }
  })

  it('reads drafted deposits and the verdicts of POST /transaction', () => {
    for (const { value } of samples(/DraftCommitTxResponse/))
      expect(decodeCommitReply(200, stringifyJson(value))).toEqual({ kind: 'ok', value })
    for (const { value } of samples(/SubmitL2TxResponse/)) {
      const reply = decodeSubmitL2Reply(value.tag === 'SubmitTxInvalid' ? 400 : 202, stringifyJson(value))
      expect(reply).toMatchObject({ kind: 'ok', value: { tag: value.tag } })
    }
    for (const { value } of samples(/SubmitL2TxRequest/))
      expect(parseJson(routes.submitL2Tx(value).body!)).toEqual(value)
    for (const { value } of samples(/DraftCommitTxRequest/))
      expect(parseJson(routes.commit(value).body!)).toEqual(value)
  })

  it('maps the protocol parameters', () => {
    const text = stringifyJson(readHome('protocol_parameters'))
    const reply = decodeProtocolParametersReply(200, text)
    if (reply.kind !== 'ok') throw new Error(reply.kind)
    expect(reply.value).toEqual(parseJson(text))
    const raw = reply.value as Record<string, any>
    const protocol = toProtocol(reply.value)
    expect(protocol).toMatchObject({
      min_fee_a: raw['txFeePerByte'],
      min_fee_b: raw['txFeeFixed'],
      max_tx_size: raw['maxTxSize'],
      key_deposit: String(raw['stakeAddressDeposit']),
      pool_deposit: String(raw['stakePoolDeposit']),
      utxo_cost_per_byte: raw['utxoCostPerByte'],
      max_value_size: raw['maxValueSize'],
      execution_unit_prices: raw['executionUnitPrices']
    })
    expect(protocol).not.toHaveProperty('cost_models')
    expect(protocol).not.toHaveProperty('protocol_version')
  })

  it('reads whole maps of outputs', () => {
    for (const { value } of samples(/UTxO_/)) expect(utxoFromJson(value)).toHaveLength(Object.keys(value).length)
  })
})

describeWithShared('messages of the node that have no golden file', () => {
  it('decodes the messages and replies that have no golden file', () => {
    const derived = parseJson(readShared('node/golden/derived/client-messages-and-http.master.json')) as Record<
      string,
      any
    >
    const decode = (name: string): any => decodePayload(stringifyJson(derived[name]), RECEIVED)
    expect(decodePayload(stringifyJson(derived['greetings'].idle), RECEIVED)).toMatchObject({
      tag: 'Greetings',
      headStatus: 'Idle',
      currentSlot: 118012345
    })
    expect(decodePayload(stringifyJson(derived['greetings'].openFresh), RECEIVED)).toMatchObject({
      layerHeadId: derived['greetings'].openFresh.hydraHeadId,
      snapshotUtxo: {}
    })
    for (const name of ['invalidInput_untagged_0.21plus', 'invalidInput_safeClose_1.2plus']) {
      expect(decode(name)).toEqual({ tag: 'InvalidInput', timestamp: '2026-01-02T03:04:05.000Z', ...derived[name] })
    }
    for (const name of [
      'commandFailed_newTx_idle',
      'commandFailed_init_open_abbrev',
      'rejectedUnsynced',
      'sideLoadRejected',
      'postTxFailed',
      'syncedStatusReport_1.3_to_2.3'
    ]) {
      expect(decode(name)).toEqual({ timestamp: '2026-01-02T03:04:05.000Z', ...derived[name] })
    }
    for (const { status, body } of derived['http']['POST /transaction']) {
      const reply = decodeSubmitL2Reply(status, stringifyJson(body))
      expect([status, body, reply.kind]).toEqual([status, body, 'ok'])
      if (reply.kind === 'ok') expect(reply.value.tag).toBe(typeof body === 'string' ? 'SubmitTxInvalid' : body.tag)
    }
  })
})
