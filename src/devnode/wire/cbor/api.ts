import type { ClientMessage, HeadMessage } from '../../head/messages.js'
import type { Members, Shape } from './shapes.js'
import { bool, bytes, listOf, mapOf, maybe, named, natural, oneOf, recordShape, text, union } from './shapes.js'
import { duration, transaction, utcTimeValue, utxo } from './values.js'
import { postChainTx, postTxError, sideLoadFailure } from './chainShapes.js'
import {
  headId,
  onChainId,
  party,
  number,
  protocolVersion,
  slot,
  contestationPeriod,
  depositPeriod,
  validationErrorShape,
  host,
  multiSignature,
  syncedStatus,
  snapshot,
  confirmedSnapshotShape,
  headState,
  nodeState,
  inHead
} from './headShapes.js'

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
  SideLoadSnapshot: [['snapshot', confirmedSnapshotShape]]
})

const syncChange: Members = [
  ['chainSlot', slot],
  ['chainTime', utcTimeValue],
  ['drift', duration]
]
const depositTick = inHead(['depositTxId', bytes], ['deadline', utcTimeValue], ['chainTime', utcTimeValue])
const atDeadline = inHead(['snapshotNumber', number], ['contestationDeadline', utcTimeValue])

const stall: Members = [
  ['pendingBroadcasts', natural],
  ['stallReason', oneOf('NoProgress', 'BacklogFull')]
]

/** One entry for each tag that the local head sends, and for others of the node: a missing one does not compile. */
type MembersOf<Tag extends string> = Readonly<Record<Tag, Members>> & Readonly<Record<string, Members>>
/** Sent before 2.0 alone; CBOR begins with 2.4. */
type TagBeforeCbor = 'HeadIsInitializing' | 'Committed' | 'HeadIsAborted'

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
  TxInvalid: inHead(['utxo', utxo], ['transaction', transaction], ['validationError', validationErrorShape]),
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
          ['validationError', validationErrorShape]
        ],
        DecommitAlreadyInFlight: [['otherDecommitTxId', bytes]]
      })
    ]
  ),
  DecommitApproved: inHead(['decommitTxId', bytes], ['utxoToDecommit', utxo]),
  DecommitFinalized: inHead(['distributedUTxO', utxo]),
  CommitRecorded: inHead(['utxoToCommit', utxo], ['pendingDeposit', bytes], ['deadline', utcTimeValue]),
  DepositActivated: depositTick,
  DepositExpired: depositTick,
  CommitApproved: inHead(['utxoToCommit', utxo]),
  CommitFinalized: inHead(['depositTxId', bytes]),
  CommitRecovered: inHead(['recoveredUTxO', utxo], ['recoveredTxId', bytes]),
  SnapshotSideLoaded: inHead(['snapshotNumber', number]),
  EventLogRotated: [['checkpoint', union({ NodeInSync: nodeState, NodeCatchingUp: nodeState })]],
  NodeUnsynced: syncChange,
  NodeSynced: syncChange
} satisfies MembersOf<Exclude<HeadMessage['tag'], TagBeforeCbor>>)

const environment = recordShape('Environment', [
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
export const greetings: Shape = recordShape('Greetings', [
  ['me', party],
  ['headStatus', oneOf('Idle', 'Open', 'Closed', 'FanoutPossible', 'FanningOut')],
  ['hydraHeadId', maybe(headId)],
  ['snapshotUtxo', maybe(utxo)],
  ['hydraNodeVersion', text],
  ['env', environment],
  [
    'networkInfo',
    recordShape('NetworkInfo', [
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

/** Returns the answer to unreadable input; `input` is base16. */
export const invalidInput: Shape = recordShape('InvalidInput', [
  ['reason', text],
  ['input', text]
])

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
} satisfies MembersOf<ClientMessage['tag']>)

function hostOf(name: string): { hostname: string; port: number } {
  const at = name.lastIndexOf(':')
  return { hostname: name.slice(0, at), port: Number(name.slice(at + 1)) }
}
