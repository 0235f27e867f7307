import type { Members, Shape } from './shapes.js'
import { bytes, listOf, maybe, natural, text, union } from './shapes.js'
import { byronAddress, transaction, utcTimeValue, utxo } from './values.js'
import {
  headId,
  headSeed,
  onChainId,
  number,
  version,
  slot,
  confirmedSnapshotShape,
  headParametersShape,
  chainState,
  inHead
} from './headShapes.js'

const fanout: Members = [
  ['headSeed', headSeed],
  ['contestationDeadline', utcTimeValue]
]
const change = (snapshotName: string, ...members: Members): Members => [
  ['headSeed', headSeed],
  ['headId', headId],
  ['headParameters', headParametersShape],
  [snapshotName, confirmedSnapshotShape],
  ...members
]
export const postChainTx: Shape = union({
  InitTx: [
    ['participants', listOf(onChainId)],
    ['headParameters', headParametersShape]
  ],
  IncrementTx: change('incrementingSnapshot', ['depositTxId', bytes]),
  RecoverTx: inHead(['recoverTxId', bytes], ['deadline', slot], ['recoverUTxO', utxo]),
  DecrementTx: change('decrementingSnapshot'),
  CloseTx: inHead(
    ['headParameters', headParametersShape],
    ['openVersion', version],
    ['closingSnapshot', confirmedSnapshotShape]
  ),
  ContestTx: inHead(
    ['headParameters', headParametersShape],
    ['openVersion', version],
    ['contestingSnapshot', confirmedSnapshotShape]
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

/** Error of a transaction for the base ledger. @see Chain.hs:179 */
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

/** Reason of a refused side-load. */
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
