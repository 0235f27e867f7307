import fc from 'fast-check'
import { isKnownPayload, LayerHeadTag } from '../../../src/bridge/protocol/messages.js'
import { decodeMessage, decodePayload } from '../../../src/bridge/protocol/decode.js'
import { inputTxId, parseEchoedInput, toEnvelope } from '../../../src/bridge/protocol/clientInput.js'
import { buildInput } from '../../../src/bridge/protocol/encode.js'
import { isLayerError } from '../../../src/errors/base.js'
import { scaled } from '../../support/scale'

const NOW = Date.UTC(2026, 0, 1)
const ID = 'ab'.repeat(32)
const decode = (message: unknown): any =>
  decodePayload(typeof message === 'string' ? message : JSON.stringify(message), NOW)
const refused = expect.objectContaining({ code: 'BRIDGE_PROTOCOL' })

describe('decodePayload', () => {
  it("adds the time of arrival where the node sends none, and keeps the node's own", () => {
    expect(decode({ tag: 'NetworkConnected' })).toEqual({
      tag: 'NetworkConnected',
      timestamp: '2026-01-01T00:00:00.000Z'
    })
    expect(decode({ tag: 'NetworkConnected', timestamp: '2025-08-25T09:29:01.123456789012Z', seq: 7 })).toEqual({
      tag: 'NetworkConnected',
      timestamp: '2025-08-25T09:29:01.123456789012Z',
      seq: 7
    })
  })

  it('gives the untagged InvalidInput its tag', () => {
    expect(decode({ reason: 'Error in $', input: '{' })).toEqual({
      tag: 'InvalidInput',
      reason: 'Error in $',
      input: '{',
      timestamp: '2026-01-01T00:00:00.000Z'
    })
  })

  it('gives the untagged Greetings of 0.21.0 its tag and public names', () => {
    expect(
      decode({ me: { vkey: 'aa' }, headStatus: 'Open', hydraHeadId: 'h1', hydraNodeVersion: '0.21.0' })
    ).toMatchObject({
      tag: 'Greetings',
      layerHeadId: 'h1',
      layerNodeVersion: '0.21.0'
    })
  })

  it('reads the public spelling of names too, and it wins', () => {
    expect(
      decode({
        tag: 'Greetings',
        me: { vkey: 'aa' },
        headStatus: 'Open',
        layerHeadId: 'h1',
        hydraHeadId: 'h2',
        layerNodeVersion: '1.3.0'
      })
    ).toEqual({
      tag: 'Greetings',
      me: { vkey: 'aa' },
      headStatus: 'Open',
      layerHeadId: 'h1',
      layerNodeVersion: '1.3.0',
      timestamp: '2026-01-01T00:00:00.000Z'
    })
  })

  it("removes the node's secret key from the environment", () => {
    const payload = decode({
      tag: 'Greetings',
      me: { vkey: 'aa' },
      headStatus: 'Idle',
      env: { party: { vkey: 'aa' }, signingKey: 'secret' }
    })
    expect(JSON.stringify(payload)).not.toContain('secret')
  })

  it("gives TxValid its transaction from every version's form", () => {
    for (const form of [
      { transactionId: ID },
      { transaction: { txId: ID } },
      { transaction: ID },
      { transactionId: ID, transaction: { txId: ID, cborHex: '84' } }
    ]) {
      expect(decode({ tag: 'TxValid', headId: 'h', ...form })).toMatchObject({
        transactionId: ID,
        transaction: { txId: ID }
      })
    }
  })

  it('gives TxInvalid a reason, HeadIsFinalized its outputs, CommitFinalized its deposit', () => {
    expect(decode({ tag: 'TxInvalid', headId: 'h', transaction: { txId: ID }, validationError: 'bad' })).toMatchObject({
      validationError: { reason: 'bad' }
    })
    expect(decode({ tag: 'HeadIsFinalized', headId: 'h', finalizedUTxO: {} })).toMatchObject({ utxo: {} })
    expect(decode({ tag: 'HeadIsFinalized', headId: 'h', finalizedUTxO: [{ address: 'a' }] })).toMatchObject({
      utxo: { '#0': { address: 'a' } }
    })
    expect(decode({ tag: 'CommitFinalized', headId: 'h', theDeposit: ID })).toMatchObject({ depositTxId: ID })
  })

  it('gives a refusal without its reason one that says so', () => {
    for (const validationError of [undefined, null, {}, { reason: 7 }, 5]) {
      expect(decode({ tag: 'TxInvalid', transaction: { txId: ID }, validationError }).validationError).toEqual({
        reason: 'no reason given'
      })
    }
    expect(
      decode({ tag: 'TxInvalid', transaction: { txId: ID }, validationError: { other: 1 } }).validationError
    ).toEqual({
      reason: 'no reason given',
      other: 1
    })
    expect(decode({ tag: 'InvalidInput' })).toMatchObject({ reason: 'no reason given', input: '' })
  })

  it('finds the head of a snapshot in either of its places', () => {
    const snapshot = { number: 1, confirmed: [] }
    expect(decode({ tag: 'SnapshotConfirmed', headId: 'h', snapshot })).toMatchObject({
      headId: 'h',
      snapshot: { headId: 'h' }
    })
    expect(decode({ tag: 'SnapshotConfirmed', snapshot: { headId: 'h', ...snapshot } })).toMatchObject({
      headId: 'h',
      snapshot: { headId: 'h' }
    })
    expect(() => decode({ tag: 'SnapshotConfirmed', snapshot })).toThrow(refused)
  })

  it('reads the coming name of the id of a finalized decommit', () => {
    expect(decode({ tag: 'DecommitFinalized', headId: 'h', finalizedDecommitTxId: ID })).toMatchObject({
      decommitTxId: ID
    })
    expect(decode({ tag: 'DecommitFinalized', headId: 'h', finalizedDecommitTxId: null })).toEqual({
      tag: 'DecommitFinalized',
      headId: 'h',
      timestamp: '2026-01-01T00:00:00.000Z'
    })
  })

  it('passes members on that the bridge does not use, in whatever form they come', () => {
    expect(decode({ tag: 'PeerConnected', peer: { newer: ['form'] } })).toMatchObject({ peer: { newer: ['form'] } })
    expect(decode({ tag: 'DepositActivated', chainTime: 5 })).toMatchObject({ chainTime: 5 })
  })

  it('drops an environment that is no object, for it may hold the secret key', () => {
    for (const env of [['secret'], 'secret', [{ signingKey: 'secret' }]]) {
      expect(JSON.stringify(decode({ tag: 'Greetings', me: { vkey: 'aa' }, headStatus: 'Idle', env }))).not.toContain(
        'secret'
      )
    }
  })

  it('passes unknown tags, unknown fields and unknown head states as they are', () => {
    const message = { tag: 'PostTxOnChainWarning', timestamp: 't', hydraHeadId: 'x', extra: [1, { deep: null }] }
    const payload = decode(message)
    expect(payload).toEqual(message)
    expect(isKnownPayload(payload)).toBe(false)
    expect(decode({ tag: 'Greetings', me: { vkey: 'a' }, headStatus: 'Dreaming', future: 1 })).toMatchObject({
      headStatus: 'Dreaming',
      future: 1
    })
    for (const tag of ['toString', '__proto__', 'constructor', 'hasOwnProperty'])
      expect(isKnownPayload(decode({ tag }))).toBe(false)
  })

  it('removes optional fields that are null and keeps nullable ones', () => {
    expect(decode({ tag: 'Greetings', me: { vkey: 'a' }, headStatus: 'Idle', hydraHeadId: null })).not.toHaveProperty(
      'layerHeadId'
    )
    expect(
      decode({
        tag: 'SnapshotConfirmed',
        headId: 'h',
        signatures: { multiSignature: [] },
        snapshot: { headId: 'h', number: 1, confirmed: [ID] }
      }).snapshot
    ).toEqual({ headId: 'h', number: 1, confirmed: [{ txId: ID }], utxoToCommit: null, utxoToDecommit: null })
    expect(decode({ tag: 'CommitIgnored', headId: 'h', depositUTxO: [] })).toMatchObject({ snapshotUTxO: null })
  })

  it.each([
    [
      'Greetings',
      { headStatus: 'Open' },
      ['layerHeadId', 'snapshotUtxo', 'layerNodeVersion', 'env', 'networkInfo', 'chainSyncedStatus', 'currentSlot']
    ],
    ['TxInvalid', { transaction: { txId: ID } }, ['utxo']],
    ['HeadIsOpen', { headId: 'h' }, ['parties', 'utxo']],
    ['CommitRecorded', {}, ['deadline']],
    ['DecommitFinalized', {}, ['distributedUTxO', 'decommitTxId']]
  ])('removes what %s may lack when it is null', (tag, rest, names) => {
    const payload = decode({ tag, ...rest, ...Object.fromEntries(names.map((name) => [name, null])) })
    for (const name of names) expect(payload).not.toHaveProperty(name)
  })

  it('keeps null where a member can be anything', () => {
    expect(decode({ tag: 'EventLogRotated', checkpoint: null })).toMatchObject({ checkpoint: null })
    expect(decode({ tag: 'CommandFailed', clientInput: { tag: 'Close' }, state: null })).toMatchObject({ state: null })
  })

  it.each([
    ['null', null],
    ['a number', 7],
    ['an array', [{ tag: 'Greetings' }]],
    ['a text', '"x"'],
    ['malformed JSON', '{"tag":'],
    ['no tag', {}],
    ['a tag of another type', { tag: 7 }],
    ['an untagged reason alone', { reason: 'x' }],
    ['a timestamp of another type', { tag: 'NetworkConnected', timestamp: 5 }],
    ['a fractional seq', { tag: 'NetworkConnected', seq: 1.5 }],
    ['no head id', { tag: 'ReadyToFanout' }],
    ['a head id of another type', { tag: 'ReadyToFanout', headId: {} }],
    ['a negative number', { tag: 'SnapshotSideLoaded', headId: 'h', snapshotNumber: -1 }],
    ['a huge number', '{"tag":"SnapshotSideLoaded","headId":"h","snapshotNumber":9007199254740993}'],
    [
      'a snapshot without number',
      { tag: 'SnapshotConfirmed', headId: 'h', signatures: { multiSignature: [] }, snapshot: { headId: 'h' } }
    ],
    [
      'a snapshot with neither transactions nor outputs',
      { tag: 'SnapshotConfirmed', headId: 'h', snapshot: { headId: 'h', number: 1 } }
    ],
    [
      'outputs as a list',
      {
        tag: 'SnapshotConfirmed',
        headId: 'h',
        signatures: { multiSignature: [] },
        snapshot: { headId: 'h', number: 1, utxo: [] }
      }
    ],
    [
      'confirmed as a text',
      {
        tag: 'SnapshotConfirmed',
        headId: 'h',
        signatures: { multiSignature: [] },
        snapshot: { headId: 'h', number: 1, confirmed: 'x' }
      }
    ],
    ['a transaction without id', { tag: 'TxInvalid', headId: 'h', transaction: {}, validationError: { reason: 'x' } }],
    ['an echo without transaction', { tag: 'CommandFailed', clientInput: { tag: 'NewTx' } }],
    ['an echo that is no input', { tag: 'CommandFailed', clientInput: 'NewTx' }],
    ['100,000 levels', '['.repeat(100_000)],
    ['300 levels in a message', `{"tag":"X","a":${'['.repeat(300)}${']'.repeat(300)}}`]
  ])('refuses %s with a ProtocolError', (_, message) => {
    expect(() => decode(message)).toThrow(refused)
  })

  it('names the message and the field, and repeats no long value', () => {
    expect(() => decode({ tag: 'SnapshotSideLoaded', headId: 'h', snapshotNumber: 'x'.repeat(500) })).toThrow(
      /SnapshotSideLoaded, field snapshotNumber,[^]*a whole number[^]*a text of 500 characters/
    )
  })

  it('throws nothing but ProtocolError, and pollutes nothing, whatever comes', () => {
    const tags = fc.constantFrom(...Object.keys(LayerHeadTag), '__proto__', 'constructor')
    const fields = fc.constantFrom(
      'tag',
      'headId',
      'snapshot',
      'utxo',
      'transaction',
      'transactionId',
      'validationError',
      'clientInput',
      'env',
      'me',
      'parties',
      'seq',
      'timestamp',
      'signatures',
      '__proto__',
      'constructor',
      'hydraHeadId',
      'finalizedUTxO',
      'reason',
      'input'
    )
    const leaf = fc.oneof(
      fc.string(),
      fc.double(),
      fc.constant(null),
      fc.boolean(),
      fc.constant(ID),
      fc.constant({ txId: ID }),
      fc.constant({ tag: 'NewTx' }),
      fc.constant({ headId: 'h', number: 1 }),
      fc.constant({ multiSignature: [] }),
      fc.constant({ polluted: true })
    )
    const value = fc.oneof(leaf, fc.dictionary(fields, leaf), fc.array(leaf))
    const message = fc
      .tuple(tags, fc.dictionary(fields, value))
      .map(([tag, rest]) => `{"tag":${JSON.stringify(tag)},${JSON.stringify(rest).slice(1)}`.replace(/,}$/, '}'))
    fc.assert(
      fc.property(fc.oneof(message, fc.json(), fc.string()), (text) => {
        try {
          expect(typeof decodePayload(text, NOW).tag).toBe('string')
        } catch (error) {
          if (!isLayerError(error, 'BRIDGE_PROTOCOL')) throw error
        }
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      }),
      { numRuns: scaled(40_000) }
    )
  })

  it('takes parsed objects as well, for connectors that deliver them', () => {
    expect(decodeMessage({ tag: 'ReadyToFanout', headId: 'h' }, NOW)).toEqual({
      tag: 'ReadyToFanout',
      headId: 'h',
      timestamp: '2026-01-01T00:00:00.000Z'
    })
    expect(() => decodeMessage(undefined, NOW)).toThrow(refused)
  })
})

describe('inputs', () => {
  const envelope = { type: 'Tx ConwayEra', description: '', cborHex: '84', txId: ID }

  it("carry their argument under the node's name", () => {
    expect(buildInput('Init')).toEqual({ tag: 'Init' })
    expect(buildInput('NewTx', envelope)).toEqual({ tag: 'NewTx', transaction: envelope })
    expect(buildInput('Recover', ID)).toEqual({ tag: 'Recover', recoverTxId: ID })
    expect(buildInput('Decommit', envelope)).toEqual({ tag: 'Decommit', decommitTx: envelope })
    expect(buildInput('SideLoadSnapshot', { tag: 'InitialSnapshot', headId: 'h' })).toEqual({
      tag: 'SideLoadSnapshot',
      snapshot: { tag: 'InitialSnapshot', headId: 'h' }
    })
    expect(toEnvelope({ cborHex: '84', txId: ID })).toEqual(envelope)
  })

  it('are known again by their id, from an echo or its text', () => {
    expect(inputTxId(buildInput('NewTx', envelope))).toBe(ID)
    expect(inputTxId(buildInput('Decommit', envelope))).toBe(ID)
    expect(inputTxId(buildInput('Recover', ID))).toBe(ID)
    expect(inputTxId(buildInput('Close'))).toBeNull()
    expect(parseEchoedInput(JSON.stringify(buildInput('NewTx', envelope)))).toEqual(buildInput('NewTx', envelope))
    for (const text of ['{', '7', '{}', '{"tag":"NewTx"}', '']) expect(parseEchoedInput(text)).toBeNull()
  })
})
