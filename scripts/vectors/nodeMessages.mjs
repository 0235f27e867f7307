// Messages of the node in every form that its versions give them (docs/protocol.md), with ids, keys and amounts of our
// own.
import { costModels, randomOutput } from './ledger.mjs'
import { seeded } from './seeded.mjs'
import { payments } from './transactions.mjs'

export const VERSIONS = ['0.20.1', '0.22.4', '1.2.1', '1.3.0', '2.0.0', '2.3.0', '2.4.1', 'master']

const SCRIPT_TYPES = ['PlutusScriptV1', 'PlutusScriptV2', 'PlutusScriptV3']

/** An output of the library as the node's JSON: which keys there are depends on the datum. */
function outputJson(output) {
  const value = { lovelace: BigInt(output.amount().coin().to_str()) }
  const assets = output.amount().multiasset()
  for (let p = 0; p < (assets?.len() ?? 0); p++) {
    const policy = assets.keys().get(p)
    const held = assets.get(policy)
    value[policy.to_hex()] = Object.fromEntries(
      Array.from({ length: held.len() }, (_, n) => {
        const name = held.keys().get(n)
        return [Buffer.from(name.name()).toString('hex'), BigInt(held.get(name).to_str())]
      })
    )
  }
  const data = output.plutus_data()
  const datum =
    data === undefined
      ? { datumhash: output.data_hash()?.to_hex() ?? null, inlineDatum: null, inlineDatumRaw: null }
      : { inlineDatum: exactJson(data.to_json(1)), inlineDatumRaw: data.to_hex(), inlineDatumhash: 'd0'.repeat(32) }
  const reference = output.script_ref()
  const native = reference?.native_script()
  const plutus = reference?.plutus_script()
  const type = native ? 'SimpleScript' : plutus && SCRIPT_TYPES[plutus.language_version().kind()]
  const script = type && {
    type,
    description: '',
    cborHex: native ? native.to_hex() : Buffer.from(plutus.to_bytes()).toString('hex')
  }
  const referenceScript = script
    ? { scriptLanguage: native ? 'SimpleScriptLanguage' : `PlutusScriptLanguage ${type}`, script }
    : null
  return { address: output.address().to_bech32(), value, datum: null, ...datum, referenceScript }
}

/** Reads JSON without rounding its integers. */
const exactJson = (text) =>
  JSON.parse(text.replace(/:(-?\d{16,})/g, ':{"$big":"$1"}'), (_, value) =>
    value?.$big === undefined ? value : BigInt(value.$big)
  )

/** The body of GET /protocol-parameters: cardano-api's names, with figures that mainnet had. */
export const protocolParameters = () => ({
  txFeeFixed: 155_381,
  txFeePerByte: 44,
  utxoCostPerByte: 4310,
  executionUnitPrices: { priceMemory: 0.0577, priceSteps: 0.0000721 },
  collateralPercentage: 150,
  committeeMaxTermLength: 146,
  committeeMinSize: 7,
  costModels: costModels().figures.models,
  dRepActivity: 20,
  dRepDeposit: 500_000_000,
  dRepVotingThresholds: {
    committeeNoConfidence: 0.6,
    committeeNormal: 0.67,
    hardForkInitiation: 0.6,
    motionNoConfidence: 0.67,
    ppEconomicGroup: 0.67,
    ppGovGroup: 0.75,
    ppNetworkGroup: 0.67,
    ppTechnicalGroup: 0.67,
    treasuryWithdrawal: 0.67,
    updateToConstitution: 0.75
  },
  govActionDeposit: 100_000_000_000,
  govActionLifetime: 6,
  maxBlockBodySize: 90_112,
  maxBlockExecutionUnits: { memory: 62_000_000, steps: 20_000_000_000 },
  maxBlockHeaderSize: 1100,
  maxCollateralInputs: 3,
  maxTxExecutionUnits: { memory: 14_000_000, steps: 10_000_000_000 },
  maxTxSize: 16_384,
  maxValueSize: 5000,
  minFeeRefScriptCostPerByte: 15,
  minPoolCost: 170_000_000,
  monetaryExpansion: 0.003,
  poolPledgeInfluence: 0.3,
  poolRetireMaxEpoch: 18,
  poolVotingThresholds: {
    committeeNoConfidence: 0.51,
    committeeNormal: 0.51,
    hardForkInitiation: 0.51,
    motionNoConfidence: 0.51,
    ppSecurityGroup: 0.51
  },
  protocolVersion: { major: 10, minor: 0 },
  stakeAddressDeposit: 2_000_000,
  stakePoolDeposit: 500_000_000,
  stakePoolTargetNum: 500,
  treasuryCut: 0.2
})

/** What is sent in each version: [path below the version, message]. */
export function nodeMessages(version) {
  const at = VERSIONS.indexOf(version)
  const from = (first, fields, before = {}) => (at >= VERSIONS.indexOf(first) ? fields : before)
  const since = (first) => at >= VERSIONS.indexOf(first)
  const random = seeded(`node ${version}`)
  const pick = (list) => random.pick(list)
  const envelope = () => {
    const { cborHex, txId } = pick(PAYMENTS)
    return { type: 'Tx ConwayEra', description: '', cborHex, txId }
  }
  const party = () => ({ vkey: random.hex(32) })
  const utxo = (count = 2) =>
    Object.fromEntries(
      Array.from({ length: count }, () => [
        `${random.hex(32)}#${random.below(40)}`,
        outputJson(randomOutput(random, 0))
      ])
    )
  const plain = (count = 1) =>
    Object.fromEntries(
      Array.from({ length: count }, () => [
        `${random.hex(32)}#${random.below(3)}`,
        {
          address: ADDRESS,
          value: { lovelace: 2_000_000 + random.below(9_000_000) },
          datum: null,
          datumhash: null,
          inlineDatum: null,
          inlineDatumRaw: null,
          referenceScript: null
        }
      ])
    )
  const headId = random.hex(28)
  const head = { headId }
  const time = () =>
    new Date(Date.UTC(2026, 0, 1) + random.below(31_536_000) * 1000).toISOString().replace('.000Z', 'Z')
  const drift = () => random.below(100_000) / 10
  const clock = () => ({ chainSlot: random.below(2e8), chainTime: time(), drift: drift() })
  const reason = { reason: `ConwayUtxowFailure (UtxoFailure (BadInputsUTxO (fromList [TxIn ${random.hex(4)} 0])))` }
  const snapshot = (full = false) => ({
    headId,
    version: random.below(4),
    number: 1 + random.below(200),
    confirmed: full ? [envelope(), envelope()] : [envelope()],
    utxo: utxo(3),
    utxoToCommit: full ? plain() : null,
    utxoToDecommit: full ? plain() : null,
    ...from('2.3.0', { accumulator: random.hex(32) }),
    // Evaluated where it is: the messages of earlier versions stay as they were.
    ...(since('2.4.1') ? { depositTxId: full ? random.hex(32) : null } : {}),
    ...(since('master') ? { appliedAccumulator: random.hex(32) } : {})
  })
  const signatures = { multiSignature: [random.hex(64), random.hex(64)] }
  const confirmed = (full) => ({ tag: 'ConfirmedSnapshot', snapshot: snapshot(full), signatures })
  const initial = { tag: 'InitialSnapshot', headId, ...from('2.0.0', {}, { initialUTxO: utxo(1) }) }
  const closed = () => ({ ...head, snapshotNumber: random.below(100), contestationDeadline: time() })
  const deposit = () => ({ ...head, depositTxId: random.hex(32), deadline: time(), chainTime: time() })
  const chainState = {
    recordedAt: { tag: 'ChainPoint', slot: random.below(2e8), blockHash: random.hex(32) },
    spendableUTxO: {}
  }
  const parameters = {
    contestationPeriod: 43_200,
    parties: [party(), party()],
    ...from('2.4.1', { depositPeriod: 3600 })
  }
  const coordinated = () => ({
    localUTxO: utxo(2),
    localTxs: [envelope()],
    allTxs: {},
    confirmedSnapshot: pick([confirmed(false), initial]),
    seenSnapshot: { tag: 'LastSeenSnapshot', lastSeen: 3 },
    currentDepositTxId: null,
    decommitTx: null,
    version: random.below(3)
  })
  const openState = () => ({
    tag: 'Open',
    contents: { parameters, coordinatedHeadState: coordinated(), chainState, headId, headSeed: random.hex(36) }
  })
  const closedState = {
    tag: 'Closed',
    contents: {
      parameters,
      confirmedSnapshot: confirmed(true),
      contestationDeadline: time(),
      readyToFanoutSent: false,
      chainState,
      headId,
      headSeed: random.hex(36),
      version: 1
    }
  }
  const idleState = { tag: 'Idle', contents: { chainState } }
  const states = [
    idleState,
    openState(),
    closedState,
    ...from(
      '2.0.0',
      [],
      [
        {
          tag: 'Initial',
          contents: {
            parameters,
            pendingCommits: [parameters.parties[1]],
            committed: [],
            chainState,
            headId,
            headSeed: random.hex(36)
          }
        }
      ]
    ),
    ...from(
      '2.4.1',
      [
        {
          tag: 'FanoutProgress',
          contents: {
            parameters,
            confirmedSnapshot: confirmed(false),
            contestationDeadline: time(),
            version: 1,
            remainingOutputs: [],
            distributedOutputs: [],
            mode: { tag: 'AutoDrain' },
            chainState,
            headId,
            headSeed: random.hex(36)
          }
        }
      ],
      []
    )
  ]
  const peer = from('0.22.4', { peer: { hostname: '127.0.0.1', port: 5001 } }, { peer: 'node-2' })
  const me = party()
  const greeting = (status) => ({
    tag: 'Greetings',
    me,
    headStatus: status,
    hydraNodeVersion: `${version === 'master' ? '2.5.0' : version}-${random.hex(20)}`,
    ...(status === 'Idle' ? {} : { hydraHeadId: headId, snapshotUtxo: plain(2) }),
    ...from('1.2.1', {
      env: {
        party: me,
        otherParties: [party()],
        participants: [random.hex(28), random.hex(28)],
        contestationPeriod: 43_200,
        depositPeriod: 3600,
        configuredPeers: '',
        ...from('1.3.0', { unsyncedPeriod: 21_600 }),
        ...from('2.4.1', { depositActivation: 3600 }),
        ...from('2.3.0', {}, { signingKey: random.hex(32) })
      },
      networkInfo: { networkConnected: true, peersInfo: { '127.0.0.1:5002': false } }
    }),
    ...from('1.3.0', { chainSyncedStatus: 'InSync', currentSlot: random.below(2e8) })
  })
  const stall = { pendingBroadcasts: 7, stallReason: 'NoProgress' }
  const output = (tag, fields) => [`ServerOutput/${tag}`, { tag, ...fields }]
  const decommitInvalid = (decommitInvalidReason) =>
    output('DecommitInvalid', { ...head, decommitTx: envelope(), decommitInvalidReason })
  const checkpoint = {
    ...from('1.3.0', { tag: 'NodeInSync', chainPointTime: { currentSlot: 5, currentChainTime: time(), drift: 0.5 } }),
    headState: openState(),
    pendingDeposits: {}
  }

  const outputs = [
    output('HeadIsOpen', { ...head, ...from('2.0.0', { parties: [party(), party()] }, { utxo: utxo(2) }) }),
    output('HeadIsClosed', closed()),
    output('HeadIsContested', closed()),
    output('ReadyToFanout', head),
    output('HeadIsFinalized', { ...head, ...from('2.3.0', { finalizedUTxO: utxo(3) }, { utxo: utxo(3) }) }),
    output(
      'TxValid',
      from(
        '0.22.4',
        { ...head, transactionId: random.hex(32) },
        ((transaction) => ({ ...head, transactionId: transaction.txId, transaction }))(envelope())
      )
    ),
    output('TxInvalid', { ...head, utxo: utxo(2), transaction: envelope(), validationError: reason }),
    output('SnapshotConfirmed', { ...head, snapshot: snapshot(), signatures }),
    [
      'ServerOutput/SnapshotConfirmed with pending',
      { tag: 'SnapshotConfirmed', ...head, snapshot: snapshot(true), signatures }
    ],
    output('IgnoredHeadInitializing', {
      ...head,
      contestationPeriod: 43_200,
      parties: [party()],
      participants: [random.hex(28)]
    }),
    output('CommitRecorded', { ...head, utxoToCommit: plain(), pendingDeposit: random.hex(32), deadline: time() }),
    output('CommitApproved', { ...head, utxoToCommit: plain() }),
    output('CommitFinalized', {
      ...head,
      ...from('0.22.4', { depositTxId: random.hex(32) }, { theDeposit: random.hex(32) })
    }),
    output('CommitRecovered', { ...head, recoveredUTxO: plain(), recoveredTxId: random.hex(32) }),
    output('DecommitRequested', { ...head, decommitTx: envelope(), utxoToDecommit: plain() }),
    decommitInvalid({ tag: 'DecommitTxInvalid', localUTxO: plain(), validationError: reason }),
    [
      'ServerOutput/DecommitInvalid in flight',
      {
        tag: 'DecommitInvalid',
        ...head,
        decommitTx: envelope(),
        decommitInvalidReason: { tag: 'DecommitAlreadyInFlight', otherDecommitTxId: random.hex(32) }
      }
    ],
    output('DecommitApproved', { ...head, decommitTxId: random.hex(32), utxoToDecommit: plain() }),
    output('DecommitFinalized', {
      ...head,
      ...from('0.22.4', { distributedUTxO: plain() }, { decommitTxId: random.hex(32) })
    }),
    output('PeerConnected', peer),
    output('PeerDisconnected', peer),
    ...from(
      '0.22.4',
      [
        output('NetworkConnected', {}),
        output('NetworkDisconnected', {}),
        output('NetworkVersionMismatch', { ourVersion: 1, theirVersion: null }),
        output('NetworkClusterIDMismatch', {
          clusterPeers: 'a=http://127.0.0.1:5001',
          misconfiguredPeers: 'b=http://127.0.0.1:5002'
        }),
        output('DepositActivated', deposit()),
        output('DepositExpired', deposit()),
        output('SnapshotSideLoaded', { ...head, snapshotNumber: 4 }),
        ...(since('master') ? [output('NetworkBroadcastStalled', stall), output('NetworkBroadcastResumed', {})] : []),
        output('EventLogRotated', from('1.2.1', { checkpoint }))
      ],
      [
        output('PeerHandshakeFailure', {
          remoteHost: { tag: 'IPv4', ipv4: '127.0.0.1' },
          ourVersion: 1,
          theirVersions: [2]
        }),
        output('CommitIgnored', { ...head, depositUTxO: [plain()], snapshotUTxO: plain() }),
        output('GetUTxOResponse', { ...head, utxo: utxo(2) })
      ]
    ),
    ...from('1.3.0', [output('NodeSynced', clock()), output('NodeUnsynced', clock())], []),
    ...from(
      '2.0.0',
      [],
      [
        output('HeadIsInitializing', { ...head, parties: [party(), party()] }),
        output('Committed', { ...head, party: party(), utxo: plain() }),
        output('HeadIsAborted', { ...head, utxo: plain() })
      ]
    ),
    ...from(
      '2.4.1',
      [
        output('HeadPartiallyFannedOut', {
          ...head,
          distributedUTxO: plain(2),
          remainingUTxO: plain(),
          fanoutMode: 'AwaitingFanoutSelection'
        })
      ],
      []
    )
  ]
  const timed = outputs
    .filter((_, i) => i % 6 === 0)
    .map(([path, message], i) => [
      path.replace('ServerOutput', 'TimedServerOutput'),
      { ...message, seq: 3 * i, timestamp: time() }
    ])
  const failed = (clientInput, state) => ({ tag: 'CommandFailed', clientInput, state })
  const newTx = { tag: 'NewTx', transaction: envelope() }
  const clientMessages = [
    ['CommandFailed', failed(newTx, idleState)],
    ['CommandFailed to init', failed({ tag: 'Init' }, openState())],
    [
      'PostTxOnChainFailed',
      {
        tag: 'PostTxOnChainFailed',
        postChainTx: { tag: 'FanoutTx', headId, utxo: {} },
        postTxError: { tag: 'FailedToPostTx', failureReason: 'expired', failingTx: envelope() }
      }
    ],
    ...from(
      '1.3.0',
      [
        ['RejectedInputBecauseUnsynced', { tag: 'RejectedInputBecauseUnsynced', clientInput: newTx, drift: drift() }],
        [
          'SideLoadSnapshotRejected',
          {
            tag: 'SideLoadSnapshotRejected',
            clientInput: { tag: 'SideLoadSnapshot', snapshot: confirmed() },
            requirementFailure: { tag: 'SideLoadSnNumberInvalid', requestedSn: 1, lastSeenSn: 4 }
          }
        ]
      ],
      []
    ),
    ...(since('master')
      ? [
          [
            'RejectedInputBecauseBroadcastStalled',
            { tag: 'RejectedInputBecauseBroadcastStalled', clientInput: newTx, ...stall }
          ]
        ]
      : []),
    ...(version === '1.3.0' || version === '2.3.0'
      ? [['SyncedStatusReport', { tag: 'SyncedStatusReport', ...clock(), synced: 'CatchingUp' }]]
      : [])
  ].map(([name, message]) => [`ClientMessage/${name}`, message])
  const inputs = [
    { tag: 'Init' },
    { tag: 'Close' },
    { tag: 'Contest' },
    { tag: 'Fanout' },
    newTx,
    { tag: 'Recover', recoverTxId: random.hex(32) },
    { tag: 'Decommit', decommitTx: envelope() },
    ...from('2.0.0', [], [{ tag: 'Abort' }]),
    ...from('0.22.4', [{ tag: 'SideLoadSnapshot', snapshot: confirmed(true) }], [{ tag: 'GetUTxO' }]),
    ...from('1.2.1', [{ tag: 'SafeClose' }], []),
    ...from('2.4.1', [{ tag: 'PartialFanout', utxoToFanout: utxo(2) }], [])
  ].map((input) => [`ClientInput/${input.tag}`, input])
  const legacy = at === 0 ? { seq: 0, timestamp: time() } : {}
  const invalid = { reason: 'Error in $: not enough input. Expecting object content', input: '{' }
  return [
    ...outputs,
    ...timed,
    ...clientMessages,
    ...inputs,
    ...['Idle', 'Open'].map((status) => [`Greetings/${status}`, { ...greeting(status), ...legacy }]),
    ['InvalidInput/unreadable', at === 0 ? { tag: 'InvalidInput', ...invalid, ...legacy } : invalid],
    ...from(
      '0.22.4',
      states.map((state) => [`HeadState/${state.tag}`, state]),
      []
    ),
    ...from(
      '0.22.4',
      [confirmed(true), initial].map((body) => [`SideLoadSnapshotRequest/${body.tag}`, body]),
      []
    ),
    ['UTxO_/map', utxo(12)],
    ['DraftCommitTxResponse/envelope', envelope()],
    [
      'DraftCommitTxRequest/blueprint',
      { blueprintTx: envelope(), utxo: utxo(2), ...from('1.2.1', { changeAddress: ADDRESS }) }
    ],
    ...from(
      '1.2.1',
      [
        ['SubmitL2TxRequest/envelope', envelope()],
        ['SubmitL2TxResponse/valid', { tag: 'SubmitTxSubmitted' }],
        ['SubmitL2TxResponse/invalid', { tag: 'SubmitTxInvalid', validationError: reason.reason }]
      ],
      []
    )
  ].map(([path, value]) => ({ path: `${version}/${path}`, value }))
}

const PAYMENTS = payments()
const ADDRESS = (() => {
  const random = seeded('node address')
  return randomOutput(random, 0).address().to_bech32()
})()
