import fc from 'fast-check'
import {
  decodeCommitReply,
  decodeEffectReply,
  decodeHeadReply,
  decodeLastSeenReply,
  decodePendingDepositsReply,
  decodeProtocolParametersReply,
  decodeSnapshotReply,
  decodeSubmitCardanoReply,
  decodeSubmitL2Reply,
  decodeUtxoReply
} from '../../../src/bridge/protocol/replies.js'
import { toHeadInfo } from '../../../src/bridge/protocol/headState.js'
import { routes } from '../../../src/bridge/protocol/routes.js'
import { versionProfile } from '../../../src/bridge/protocol/versions.js'
import { isLayerError } from '../../../src/errors/base.js'
import { scaled } from '../../support/scale'

const ID = 'cd'.repeat(32)
const refused = expect.objectContaining({ code: 'BRIDGE_PROTOCOL' })

describe('replies of the node', () => {
  it('are sorted: value, nothing there, no such route, its own timeout, refusal', () => {
    expect(decodeUtxoReply(200, '{}')).toEqual({ kind: 'ok', value: {} })
    expect(decodeUtxoReply(404, '""')).toEqual({ kind: 'absent' })
    expect(decodeUtxoReply(404, '')).toEqual({ kind: 'absent' })
    expect(decodeHeadReply(400, '"Resource not found"')).toEqual({ kind: 'noRoute' })
    expect(decodeHeadReply(400, 'Resource not found')).toEqual({ kind: 'noRoute' })
    expect(
      decodeEffectReply(202, '{"tag":"RecoverSubmitted","timeout":"Operation timed out after 300s seconds"}')
    ).toEqual({
      kind: 'timedOut',
      reason: 'Operation timed out after 300s seconds'
    })
    expect(decodeEffectReply(200, '"OK"')).toEqual({ kind: 'ok', value: 'OK' })
    expect(decodeEffectReply(400, '"Recover failed"')).toMatchObject({
      kind: 'refused',
      status: 400,
      reason: 'Recover failed',
      tag: null
    })
    expect(decodeEffectReply(503, 'Rejected: out of sync')).toMatchObject({
      kind: 'refused',
      status: 503,
      reason: 'Rejected: out of sync'
    })
  })

  it("give the node's own reason out of every form of refusal", () => {
    expect(
      decodeSubmitCardanoReply(
        400,
        '{"tag":"FailedToPostTx","failureReason":"MissingVKeyWitnessesUTXOW","failingTx":{}}'
      )
    ).toMatchObject({
      kind: 'refused',
      tag: 'FailedToPostTx',
      reason: 'MissingVKeyWitnessesUTXOW'
    })
    expect(decodeCommitReply(400, '{"tag":"FailedToDraftTxNotInitializing"}')).toMatchObject({
      reason: 'FailedToDraftTxNotInitializing'
    })
    expect(decodeCommitReply(500, '')).toMatchObject({ kind: 'refused', reason: 'HTTP status 500', body: '' })
    expect(decodeCommitReply(400, '"Head is not open"')).toMatchObject({ reason: 'Head is not open' })
    expect(decodeCommitReply(502, `<html>${'x'.repeat(9000)}`)).toMatchObject({
      reason: expect.stringMatching(/^<html>x{1994}$/) as unknown
    })
  })

  it('repeat no key that a proxy repeats', () => {
    for (const text of [
      'Cannot POST /commit?X-Api-Key=SECRET&a=1',
      '{"message":"no wss://user:SECRET@hub.io/?X-Api-Key=SECRET"}',
      '"Authorization: Bearer SECRET"'
    ]) {
      expect(JSON.stringify(decodeCommitReply(500, text))).not.toContain('SECRET')
    }
  })

  it('of POST /transaction are verdicts, whatever their status', () => {
    const cases: [number, string, unknown][] = [
      [200, '{"tag":"SubmitTxConfirmed","snapshotNumber":7}', { tag: 'SubmitTxConfirmed', snapshotNumber: 7 }],
      [202, '{"tag":"SubmitTxSubmitted"}', { tag: 'SubmitTxSubmitted' }],
      [202, '{"tag":"SubmitTxSubmitted","timeout":"300s seconds"}', { tag: 'SubmitTxSubmitted', timedOut: true }],
      [400, '{"tag":"SubmitTxInvalid","validationError":"bad"}', { tag: 'SubmitTxInvalid', validationError: 'bad' }],
      [
        400,
        '{"tag":"SubmitTxInvalid","validationError":{"reason":"bad"}}',
        { tag: 'SubmitTxInvalid', validationError: 'bad' }
      ],
      [
        400,
        '"Error in $: txId not matching"',
        { tag: 'SubmitTxInvalid', validationError: 'Error in $: txId not matching' }
      ],
      [503, '{"tag":"SubmitTxRejected","reason":"drift: 123.4s"}', { tag: 'SubmitTxRejected', reason: 'drift: 123.4s' }]
    ]
    for (const [status, body, value] of cases) expect(decodeSubmitL2Reply(status, body)).toEqual({ kind: 'ok', value })
    expect(decodeSubmitL2Reply(400, '"Resource not found"')).toEqual({ kind: 'noRoute' })
    expect(decodeSubmitL2Reply(502, '<html>')).toMatchObject({ kind: 'refused', status: 502 })
    expect(decodeSubmitL2Reply(400, '<html>')).toMatchObject({ kind: 'refused', status: 400 })
    expect(() => decodeSubmitL2Reply(200, '"OK"')).toThrow(refused)
  })

  it('that are no JSON or of another shape, with status 200, are refused with a ProtocolError', () => {
    for (const decode of [
      decodeUtxoReply,
      decodeHeadReply,
      decodeSnapshotReply,
      decodeProtocolParametersReply,
      decodePendingDepositsReply,
      decodeLastSeenReply,
      decodeCommitReply
    ]) {
      for (const body of ['', '<html>', 'null', '7', '"x"', '[7]']) expect(() => decode(200, body)).toThrow(refused)
    }
  })

  it("are no success of a submission to the base ledger when they are a proxy's page", () => {
    for (const body of ['', '<html>', '"cut']) expect(() => decodeSubmitCardanoReply(200, body)).toThrow(refused)
    expect(decodeSubmitCardanoReply(200, '{"tag":"TransactionSubmitted"}')).toEqual({
      kind: 'ok',
      value: { tag: 'TransactionSubmitted' }
    })
    for (const body of [`"${ID}"`, 'null'])
      expect(decodeSubmitCardanoReply(200, body)).toEqual({ kind: 'ok', value: {} })
  })

  it('of GET /snapshot are refused without outputs', () => {
    const snapshot = { headId: 'h', number: 3, confirmed: [], utxoToCommit: null, utxoToDecommit: null }
    const body = JSON.stringify({ tag: 'ConfirmedSnapshot', snapshot, signatures: { multiSignature: [] } })
    expect(() => decodeSnapshotReply(200, body)).toThrow(refused)
  })

  it('read the rest of the routes', () => {
    expect(decodePendingDepositsReply(200, `["${ID}"]`)).toEqual({ kind: 'ok', value: [ID] })
    for (const [body, number] of [
      ['{"tag":"NoSeenSnapshot"}', 0],
      ['{"tag":"LastSeenSnapshot","lastSeen":3}', 3],
      ['{"tag":"RequestedSnapshot","lastSeen":3,"requested":4}', 3],
      ['{"tag":"SeenSnapshot","snapshot":{"number":5},"signatories":{}}', 4]
    ] as const) {
      expect(decodeLastSeenReply(200, body)).toEqual({ kind: 'ok', value: number })
    }
    expect(decodeSnapshotReply(200, '{"tag":"InitialSnapshot","headId":"h"}')).toEqual({
      kind: 'ok',
      value: { tag: 'InitialSnapshot', headId: 'h' }
    })
    expect(toHeadInfo({ tag: 'Idle', contents: {} })).toEqual({
      headId: null,
      headStatus: 'Idle',
      vkey: null,
      parties: []
    })
    expect(toHeadInfo({ tag: 'FanoutProgress', contents: { headId: 'h' } }).headStatus).toBe('FanningOut')
    expect(toHeadInfo({ tag: 'Closed', contents: { headId: 'h', readyToFanoutSent: true } }).headStatus).toBe(
      'FanoutPossible'
    )
    expect(
      toHeadInfo({
        tag: 'Initial',
        contents: { headId: 'h', parameters: { parties: [{ vkey: 'a' }], contestationPeriod: 60 } }
      })
    ).toEqual({
      headId: 'h',
      headStatus: 'Initializing',
      vkey: 'a',
      parties: [{ vkey: 'a' }],
      contestationPeriod: 60
    })
  })

  it('throw nothing but ProtocolError, whatever comes', () => {
    const decoders = [
      decodeUtxoReply,
      decodeHeadReply,
      decodeSnapshotReply,
      decodeProtocolParametersReply,
      decodePendingDepositsReply,
      decodeLastSeenReply,
      decodeCommitReply,
      decodeEffectReply,
      decodeSubmitCardanoReply,
      decodeSubmitL2Reply
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...decoders),
        fc.constantFrom(200, 202, 400, 404, 500, 503),
        fc.oneof(fc.json(), fc.string()),
        (decode, status, body) => {
          try {
            decode(status, body)
          } catch (error) {
            if (!isLayerError(error, 'BRIDGE_PROTOCOL')) throw error
          }
        }
      ),
      { numRuns: scaled(10_000) }
    )
  })
})

describe('routes', () => {
  const envelope = { type: 'Tx ConwayEra', description: '', cborHex: '84', txId: ID }

  it('are plain data', () => {
    expect(routes.head()).toEqual({ method: 'GET', path: '/head' })
    expect(routes.snapshotUtxo()).toEqual({ method: 'GET', path: '/snapshot/utxo' })
    expect(routes.submitL2Tx(envelope)).toEqual({
      method: 'POST',
      path: '/transaction',
      body: JSON.stringify(envelope)
    })
    expect(routes.recoverDeposit(ID, false)).toEqual({ method: 'DELETE', path: `/commits/${ID}` })
    expect(routes.recoverDeposit(ID, true)).toEqual({ method: 'DELETE', path: `/commits/%22${ID}%22` })
    expect(routes.recoverDeposit('../x?y', false).path).toBe('/commits/..%2Fx%3Fy')
  })

  it('write large integers exactly', () => {
    expect(routes.commit({ [`${ID}#0`]: { address: 'a', value: { lovelace: 2n ** 63n - 1n } } }).body).toContain(
      '"lovelace":9223372036854775807'
    )
  })
})

describe('versionProfile', () => {
  it.each([
    [
      '0.20.1',
      {
        hasSnapshotRoute: false,
        hasHeadRoute: false,
        hasSubmitRoute: false,
        quotedDepositId: true,
        opensDirectly: false
      }
    ],
    ['0.22.4', { hasSnapshotRoute: true, hasHeadRoute: true, hasSubmitRoute: false, sideEffectRoutesWait: false }],
    ['1.0.0', { hasSubmitRoute: true, sideEffectRoutesWait: true, quotedDepositId: true }],
    ['1.3.0', { quotedDepositId: false, opensDirectly: false }],
    ['2.3.0-ca8d19bca81de368b188d007f0387835c79274ad', { version: [2, 3, 0], opensDirectly: true }],
    [null, { version: null, hasSubmitRoute: true, quotedDepositId: false }],
    ['\f', { version: null, hasSnapshotRoute: true }]
  ])('of %j', (version, profile) => {
    expect(versionProfile(version)).toMatchObject(profile)
  })
})
