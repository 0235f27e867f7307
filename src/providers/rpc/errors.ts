import type { ProviderRequestDetails } from '../../errors/provider.js'
import { ProviderRpcError } from '../../errors/refusal.js'

/** An error object of JSON-RPC 2.0. */
export interface ServerFailure {
  code: number
  message: string
  /** Its `data` member, as JSON text. */
  data: string
}

/** Runs of codes: the first code, then the names that follow one another (Ogmios v6.14 ogmios.json, definitions). */
const NAMES: readonly (readonly [first: number, names: string])[] = [
  [-32700, 'ParseError'],
  [-32603, 'InternalError InvalidParams MethodNotFound InvalidRequest'],
  [2000, 'AcquireLedgerStateFailure EraMismatch UnavailableInCurrentEra AcquiredExpired InvalidGenesis'],
  [
    3000,
    'IncompatibleEra UnsupportedEra OverlappingAdditionalUtxo NodeTipTooOld CannotCreateEvaluationContext EraMismatch'
  ],
  [
    3100,
    'InvalidSignatories MissingSignatories MissingScripts FailingNativeScript ExtraneousScripts MissingMetadataHash MissingMetadata ' +
      'MetadataHashMismatch InvalidMetadata MissingRedeemers ExtraneousRedeemers MissingDatums ExtraneousDatums ScriptIntegrityHashMismatch ' +
      'OrphanScriptInputs MissingCostModels MalformedScripts UnknownOutputReferences OutsideOfValidityInterval TransactionTooLarge ' +
      'ValueTooLarge EmptyInputSet TransactionFeeTooSmall ValueNotConserved NetworkMismatch InsufficientlyFundedOutputs ' +
      'BootstrapAttributesTooLarge MintingOrBurningAda InsufficientCollateral CollateralLockedByScript UnforeseeableSlot ' +
      'TooManyCollateralInputs MissingCollateralInputs NonAdaCollateral ExecutionUnitsTooLarge TotalCollateralMismatch SpendsMismatch ' +
      'UnauthorizedVotes UnknownGovernanceProposals InvalidProtocolParametersUpdate UnknownStakePool IncompleteWithdrawals ' +
      'RetirementTooLate StakePoolCostTooLow MetadataHashTooLarge CredentialAlreadyRegistered UnknownCredential NonEmptyRewardAccount ' +
      'InvalidGenesisDelegation InvalidMIRTransfer ForbiddenWithdrawal CredentialDepositMismatch DRepAlreadyRegistered ' +
      'DRepNotRegistered UnknownConstitutionalCommitteeMember GovernanceProposalDepositMismatch ConflictingCommitteeUpdate ' +
      'InvalidCommitteeUpdate TreasuryWithdrawalMismatch InvalidOrMissingPreviousProposals VotingOnExpiredActions ' +
      'ExecutionBudgetOutOfBounds InvalidHardForkVersionBump ConstitutionGuardrailsHashMismatch ConflictingInputsAndReferences ' +
      'UnauthorizedGovernanceAction ReferenceScriptsTooLarge UnknownVoters EmptyTreasuryWithdrawal'
  ],
  [3997, 'UnexpectedMempoolError UnrecognizedCertificateType'],
  [4000, 'MustAcquireMempoolFirst']
]

/** A code's name, e.g. `UnknownOutputReferences` for 3117; `UnknownError` for one that is not listed. */
export function rpcCodeName(code: number): string {
  for (const [first, names] of NAMES) {
    const name = names.split(' ')[code - first]
    if (name) return name
  }
  return 'UnknownError'
}

/** The typed error of a failed call. */
export function toRpcError(details: ProviderRequestDetails, { code, message, data }: ServerFailure): ProviderRpcError {
  return new ProviderRpcError(details, code, rpcCodeName(code), message + data)
}
