import type { Members, Shape } from './shapes.js'
import {
  bool,
  bytes,
  listOf,
  mapOf,
  maybe,
  named,
  natural,
  oneOf,
  record,
  revised,
  sequenceOf,
  text,
  union
} from './shapes.js'
import { byronAddress, duration, transaction, utcTime, utxo } from './values.js'

// The declarations of the node's types (hydra ca8d19bca, and of snapshots Hydra/Tx/Snapshot.hs after it), in the order
// of their members.

const headId = named('UnsafeHeadId', bytes)
const headSeed = named('UnsafeHeadSeed', bytes)
const onChainId = named('UnsafeOnChainId', bytes)
const party = record('Party', [['vkey', bytes]])
const number = named('UnsafeSnapshotNumber', natural)
const version = named('UnsafeSnapshotVersion', natural)
const protocolVersion = named('ProtocolVersion', natural)
const slot = named('ChainSlot', natural)
const contestationPeriod = named('UnsafeContestationPeriod', natural)
const depositPeriod = named('DepositPeriod', duration)
const validationError = record('ValidationError', [['reason', text]])
const host = record('Host', [
  ['hostname', text],
  ['port', natural]
])
const signature = named('HydraSignature', bytes)
const multiSignature = record('HydraMultiSignature', [['multiSignature', listOf(signature)]])
const syncedStatus = oneOf('InSync', 'CatchingUp')

const snapshotMembers = (...deposit: Members): Members => [
  ['headId', headId],
  ['version', version],
  ['number', number],
  ['confirmed', listOf(transaction)],
  ['utxo', utxo],
  ['utxoToCommit', maybe(utxo)],
  ...deposit,
  ['utxoToDecommit', maybe(utxo)]
]
/** Written with the deposit; read without it, too, as up to 2.3. */
const snapshot = revised(['Snapshot2', snapshotMembers(['depositTxId', maybe(bytes)])], ['Snapshot', snapshotMembers()])

/** Body of GET and POST /snapshot. */
export const confirmedSnapshot: Shape = union({
  InitialSnapshot: [['headId', headId]],
  ConfirmedSnapshot: [
    ['snapshot', snapshot],
    ['signatures', multiSignature]
  ]
})

const headParameters = record('HeadParameters', [
  ['contestationPeriod', contestationPeriod],
  ['depositPeriod', depositPeriod],
  ['parties', listOf(party)]
])

/** Body of GET /snapshot/last-seen. */
export const seenSnapshot: Shape = union({
  NoSeenSnapshot: [],
  LastSeenSnapshot: [['lastSeen', number]],
  RequestedSnapshot: [
    ['lastSeen', number],
    ['requested', number]
  ],
  SeenSnapshot: [
    ['snapshot', snapshot],
    [
      'signatories',
      mapOf(
        party,
        signature,
        (vkey) => ({ vkey }),
        (key) => (key as { vkey: string }).vkey
      )
    ]
  ]
})

const chainPoint = union({
  ChainPointAtGenesis: [],
  ChainPoint: [
    // A slot of the ledger, not one of the head's ChainSlots.
    ['slot', natural],
    ['blockHash', bytes]
  ]
})
const chainState = record('ChainStateAt', [
  ['spendableUTxO', utxo],
  ['recordedAt', maybe(chainPoint)]
])
const closed: Members = [
  ['parameters', headParameters],
  ['confirmedSnapshot', confirmedSnapshot],
  ['contestationDeadline', utcTime]
]
const identity: Members = [
  ['chainState', chainState],
  ['headId', headId],
  ['headSeed', headSeed]
]

/** Body of GET /head. @see HeadLogic/State.hs */
export const headState: Shape = union({
  Idle: record('IdleState', [['chainState', chainState]]),
  Open: record('OpenState', [
    ['parameters', headParameters],
    [
      'coordinatedHeadState',
      record('CoordinatedHeadState', [
        ['localUTxO', utxo],
        ['localTxs', sequenceOf(transaction)],
        ['allTxs', mapOf(bytes, transaction)],
        ['confirmedSnapshot', confirmedSnapshot],
        ['seenSnapshot', seenSnapshot],
        ['currentDepositTxId', maybe(bytes)],
        ['decommitTx', maybe(transaction)],
        ['version', version]
      ])
    ],
    ...identity
  ]),
  Closed: record('ClosedState', [...closed, ['readyToFanoutSent', bool], ...identity, ['version', version]]),
  FanoutProgress: record('PartialFanoutState', [
    ...closed,
    ...identity,
    ['version', version],
    ['remainingOutputs', utxo],
    ['distributedOutputs', utxo],
    ['mode', union({ AutoDrain: [], DistributingSelection: utxo, AwaitingSelection: [] })]
  ])
})

const deposit = record('Deposit', [
  ['headId', headId],
  ['deposited', utxo],
  ['created', utcTime],
  ['deadline', utcTime],
  ['status', oneOf('Inactive', 'Active', 'Expired')]
])
const nodeState: Members = [
  ['headState', headState],
  ['pendingDeposits', mapOf(bytes, deposit)],
  [
    'chainPointTime',
    record('ChainPointTime', [
      ['currentSlot', slot],
      ['currentChainTime', utcTime],
      ['drift', duration]
    ])
  ]
]

/** An input of a client. @see API/ClientInput.hs */
export const clientInput: Shape = union({
  Init: [],
  NewTx: [['transaction', transaction]],
  Recover: [['recoverTxId', bytes]],
  Decommit: [['decommitTx', transaction]],
  Close: [],
  SafeClose: [],
  Contest: [],
  Fanout: [],
  PartialFanout: [['utxoToFanout', utxo]],
  SideLoadSnapshot: [['snapshot', confirmedSnapshot]]
})

const inHead = (...members: Members): Members => [['headId', headId], ...members]
const syncChange: Members = [
  ['chainSlot', slot],
  ['chainTime', utcTime],
  ['drift', duration]
]
const depositTick = inHead(['depositTxId', bytes], ['deadline', utcTime], ['chainTime', utcTime])
const atDeadline = inHead(['snapshotNumber', number], ['contestationDeadline', utcTime])

const stall: Members = [
  ['pendingBroadcasts', natural],
  ['stallReason', oneOf('NoProgress', 'BacklogFull')]
]

/** A stored message. @see API/ServerOutput.hs */
export const serverOutput: Shape = union({
  NetworkConnected: [],
  NetworkDisconnected: [],
  NetworkBroadcastStalled: stall,
  NetworkBroadcastResumed: [],
  NetworkVersionMismatch: [
    ['ourVersion', protocolVersion],
    ['theirVersion', maybe(protocolVersion)]
  ],
  NetworkClusterIDMismatch: [
    ['clusterPeers', text],
    ['misconfiguredPeers', text]
  ],
  PeerConnected: [['peer', host]],
  PeerDisconnected: [['peer', host]],
  HeadIsOpen: inHead(['parties', listOf(party)]),
  HeadIsClosed: atDeadline,
  HeadIsContested: atDeadline,
  ReadyToFanout: inHead(),
  HeadPartiallyFannedOut: inHead(
    ['distributedUTxO', utxo],
    ['remainingUTxO', utxo],
    ['fanoutMode', oneOf('AutoFanningOut', 'AwaitingFanoutSelection')]
  ),
  HeadIsFinalized: inHead(['finalizedUTxO', utxo]),
  TxValid: inHead(['transactionId', bytes]),
  TxInvalid: inHead(['utxo', utxo], ['transaction', transaction], ['validationError', validationError]),
  SnapshotConfirmed: inHead(['snapshot', snapshot], ['signatures', multiSignature]),
  IgnoredHeadInitializing: inHead(
    ['contestationPeriod', contestationPeriod],
    ['parties', listOf(party)],
    ['participants', listOf(onChainId)]
  ),
  DecommitRequested: inHead(['decommitTx', transaction], ['utxoToDecommit', utxo]),
  DecommitInvalid: inHead(
    ['decommitTx', transaction],
    [
      'decommitInvalidReason',
      union({
        DecommitTxInvalid: [
          ['localUTxO', utxo],
          ['validationError', validationError]
        ],
        DecommitAlreadyInFlight: [['otherDecommitTxId', bytes]]
      })
    ]
  ),
  DecommitApproved: inHead(['decommitTxId', bytes], ['utxoToDecommit', utxo]),
  DecommitFinalized: inHead(['distributedUTxO', utxo]),
  CommitRecorded: inHead(['utxoToCommit', utxo], ['pendingDeposit', bytes], ['deadline', utcTime]),
  DepositActivated: depositTick,
  DepositExpired: depositTick,
  CommitApproved: inHead(['utxoToCommit', utxo]),
  CommitFinalized: inHead(['depositTxId', bytes]),
  CommitRecovered: inHead(['recoveredUTxO', utxo], ['recoveredTxId', bytes]),
  SnapshotSideLoaded: inHead(['snapshotNumber', number]),
  EventLogRotated: [['checkpoint', union({ NodeInSync: nodeState, NodeCatchingUp: nodeState })]],
  NodeUnsynced: syncChange,
  NodeSynced: syncChange
})

const environment = record('Environment', [
  ['party', party],
  ['otherParties', listOf(party)],
  ['participants', listOf(onChainId)],
  ['contestationPeriod', contestationPeriod],
  ['depositPeriod', depositPeriod],
  ['depositActivation', depositPeriod],
  ['unsyncedPeriod', named('UnsyncedPeriod', duration)],
  ['configuredPeers', text]
])

/** The first message of a connection. */
export const greetings: Shape = record('Greetings', [
  ['me', party],
  ['headStatus', oneOf('Idle', 'Open', 'Closed', 'FanoutPossible', 'FanningOut')],
  ['hydraHeadId', maybe(headId)],
  ['snapshotUtxo', maybe(utxo)],
  ['hydraNodeVersion', text],
  ['env', environment],
  [
    'networkInfo',
    record('NetworkInfo', [
      ['networkConnected', bool],
      [
        'peersInfo',
        mapOf(
          host,
          bool,
          hostOf,
          (key) => `${(key as { hostname: string }).hostname}:${(key as { port: number }).port}`
        )
      ]
    ])
  ],
  ['chainSyncedStatus', syncedStatus],
  ['currentSlot', slot]
])

/** The answer to what cannot be read; `input` is base16. */
export const invalidInput: Shape = record('InvalidInput', [
  ['reason', text],
  ['input', text]
])

const fanout: Members = [
  ['headSeed', headSeed],
  ['contestationDeadline', utcTime]
]
const change = (snapshotName: string, ...members: Members): Members => [
  ['headSeed', headSeed],
  ['headId', headId],
  ['headParameters', headParameters],
  [snapshotName, confirmedSnapshot],
  ...members
]
const postChainTx = union({
  InitTx: [
    ['participants', listOf(onChainId)],
    ['headParameters', headParameters]
  ],
  IncrementTx: change('incrementingSnapshot', ['depositTxId', bytes]),
  RecoverTx: inHead(['recoverTxId', bytes], ['deadline', slot], ['recoverUTxO', utxo]),
  DecrementTx: change('decrementingSnapshot'),
  CloseTx: inHead(['headParameters', headParameters], ['openVersion', version], ['closingSnapshot', confirmedSnapshot]),
  ContestTx: inHead(
    ['headParameters', headParameters],
    ['openVersion', version],
    ['contestingSnapshot', confirmedSnapshot]
  ),
  FanoutTx: [
    ['utxo', utxo],
    ['utxoToCommit', maybe(utxo)],
    ['utxoToDecommit', maybe(utxo)],
    ['utxoForProof', utxo],
    ...fanout
  ],
  PartialFanoutTx: [['utxoToDistribute', utxo], ['utxoForProof', utxo], ...fanout],
  FinalPartialFanoutTx: [['utxoToDistribute', utxo], ['presettledUTxO', utxo], ...fanout]
})

const failure: Members = [['failureReason', text]]
const fuel: Members = [['failingTx', transaction]]

/** What is wrong with a transaction for the base ledger. @see Chain.hs:179 */
export const postTxError: Shape = union({
  NoSeedInput: [],
  InvalidSeed: [['headSeed', headSeed]],
  InvalidHeadId: inHead(),
  UnsupportedLegacyOutput: [['byronAddress', byronAddress]],
  DepositTooLow: [
    ['providedValue', natural],
    ['minimumValue', natural]
  ],
  DepositTooLarge: [
    ['estimatedTxSize', natural],
    ['maximumTxSize', natural],
    ['estimatedValueSize', natural],
    ['maximumValueSize', natural]
  ],
  InvalidStateToPost: [
    ['txTried', postChainTx],
    ['chainState', chainState]
  ],
  NotEnoughFuel: fuel,
  NoFuelUTXOFound: fuel,
  ScriptFailedInWallet: [['redeemerPtr', text], ...failure, ...fuel],
  InternalWalletError: [['headUTxO', utxo], ['reason', text], ...fuel],
  FailedToPostTx: [
    ['failureReason', text],
    ['failingTx', transaction]
  ],
  FailedToConstructCloseTx: [],
  FailedToConstructContestTx: [],
  FailedToConstructDepositTx: failure,
  FailedToConstructRecoverTx: failure,
  FailedToConstructIncrementTx: failure,
  FailedToConstructDecrementTx: failure,
  FailedToConstructFanoutTx: [],
  FailedToConstructPartialFanoutTx: [],
  StalePartialFanoutTx: [],
  ContestationDeadlineOutsideTimeHorizon: failure
})

/** Why a side-load is refused. */
export const sideLoadFailure: Shape = union({
  SideLoadInitialSnapshotMismatch: [],
  SideLoadSnNumberInvalid: [
    ['requestedSn', number],
    ['lastSeenSn', number]
  ],
  SideLoadSvNumberInvalid: [
    ['requestedSv', version],
    ['lastSeenSv', version]
  ],
  SideLoadUTxOToCommitInvalid: [
    ['requestedSc', maybe(utxo)],
    ['lastSeenSc', maybe(utxo)]
  ],
  SideLoadDepositTxIdInvalid: [
    ['requestedDeposit', maybe(bytes)],
    ['lastSeenDeposit', maybe(bytes)]
  ],
  SideLoadUTxOToDecommitInvalid: [
    ['requestedSd', maybe(utxo)],
    ['lastSeenSd', maybe(utxo)]
  ],
  SideLoadInvalidMultisignature: [
    ['multisig', text],
    ['vkeys', listOf(bytes)]
  ]
})

/** A message that is not stored. */
export const clientMessage: Shape = union({
  CommandFailed: [
    ['clientInput', clientInput],
    ['state', headState]
  ],
  PostTxOnChainFailed: [
    ['postChainTx', postChainTx],
    ['postTxError', postTxError]
  ],
  RejectedInputBecauseUnsynced: [
    ['clientInput', clientInput],
    ['drift', duration]
  ],
  RejectedInputBecauseBroadcastStalled: [['clientInput', clientInput], ...stall],
  SideLoadSnapshotRejected: [
    ['clientInput', clientInput],
    ['requirementFailure', sideLoadFailure]
  ]
})

function hostOf(name: string): { hostname: string; port: number } {
  const at = name.lastIndexOf(':')
  return { hostname: name.slice(0, at), port: Number(name.slice(at + 1)) }
}
