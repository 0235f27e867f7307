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
  recordShape,
  revised,
  sequenceOf,
  text,
  union
} from './shapes.js'
import { duration, transaction, utcTimeValue, utxo } from './values.js'

// The declarations of the node's types (hydra ca8d19bca, and of snapshots Hydra/Tx/Snapshot.hs after it), in the order
// of their members.

export const headId: Shape = named('UnsafeHeadId', bytes)
export const headSeed: Shape = named('UnsafeHeadSeed', bytes)
export const onChainId: Shape = named('UnsafeOnChainId', bytes)
export const party: Shape = recordShape('Party', [['vkey', bytes]])
export const number: Shape = named('UnsafeSnapshotNumber', natural)
export const version: Shape = named('UnsafeSnapshotVersion', natural)
export const protocolVersion: Shape = named('ProtocolVersion', natural)
export const slot: Shape = named('ChainSlot', natural)
export const contestationPeriod: Shape = named('UnsafeContestationPeriod', natural)
export const depositPeriod: Shape = named('DepositPeriod', duration)
export const validationErrorShape: Shape = recordShape('ValidationError', [['reason', text]])
export const host: Shape = recordShape('Host', [
  ['hostname', text],
  ['port', natural]
])
const signature = named('HydraSignature', bytes)
export const multiSignature: Shape = recordShape('HydraMultiSignature', [['multiSignature', listOf(signature)]])
export const syncedStatus: Shape = oneOf('InSync', 'CatchingUp')

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
/** Shape of a snapshot: written with the deposit, and read without it, too, as up to 2.3. */
export const snapshot: Shape = revised(
  ['Snapshot2', snapshotMembers(['depositTxId', maybe(bytes)])],
  ['Snapshot', snapshotMembers()]
)

/** Body of GET and POST /snapshot. */
export const confirmedSnapshotShape: Shape = union({
  InitialSnapshot: [['headId', headId]],
  ConfirmedSnapshot: [
    ['snapshot', snapshot],
    ['signatures', multiSignature]
  ]
})

export const headParametersShape: Shape = recordShape('HeadParameters', [
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
export const chainState: Shape = recordShape('ChainStateAt', [
  ['spendableUTxO', utxo],
  ['recordedAt', maybe(chainPoint)]
])
const closed: Members = [
  ['parameters', headParametersShape],
  ['confirmedSnapshot', confirmedSnapshotShape],
  ['contestationDeadline', utcTimeValue]
]
const identity: Members = [
  ['chainState', chainState],
  ['headId', headId],
  ['headSeed', headSeed]
]

/** Body of GET /head. @see HeadLogic/State.hs */
export const headState: Shape = union({
  Idle: recordShape('IdleState', [['chainState', chainState]]),
  Open: recordShape('OpenState', [
    ['parameters', headParametersShape],
    [
      'coordinatedHeadState',
      recordShape('CoordinatedHeadState', [
        ['localUTxO', utxo],
        ['localTxs', sequenceOf(transaction)],
        ['allTxs', mapOf(bytes, transaction)],
        ['confirmedSnapshot', confirmedSnapshotShape],
        ['seenSnapshot', seenSnapshot],
        ['currentDepositTxId', maybe(bytes)],
        ['decommitTx', maybe(transaction)],
        ['version', version]
      ])
    ],
    ...identity
  ]),
  Closed: recordShape('ClosedState', [...closed, ['readyToFanoutSent', bool], ...identity, ['version', version]]),
  FanoutProgress: recordShape('PartialFanoutState', [
    ...closed,
    ...identity,
    ['version', version],
    ['remainingOutputs', utxo],
    ['distributedOutputs', utxo],
    ['mode', union({ AutoDrain: [], DistributingSelection: utxo, AwaitingSelection: [] })]
  ])
})

const deposit = recordShape('Deposit', [
  ['headId', headId],
  ['deposited', utxo],
  ['created', utcTimeValue],
  ['deadline', utcTimeValue],
  ['status', oneOf('Inactive', 'Active', 'Expired')]
])
export const nodeState: Members = [
  ['headState', headState],
  ['pendingDeposits', mapOf(bytes, deposit)],
  [
    'chainPointTime',
    recordShape('ChainPointTime', [
      ['currentSlot', slot],
      ['currentChainTime', utcTimeValue],
      ['drift', duration]
    ])
  ]
]

/** Members of messages that belong to a head. */
export const inHead = (...members: Members): Members => [['headId', headId], ...members]
