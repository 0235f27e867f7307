/**
 * React hooks over a head client. A component renders again only when the value it reads has changed.
 *
 * @see docs/guides/react.md
 * @see docs/guides/ui.md
 * @packageDocumentation
 */
export { HeadProvider, useHead } from './HeadProvider.js'
export type { HeadProviderProps } from './HeadProvider.js'
export { useBalance, useHeadStatus, useLatest, useUtxos } from './hooks.js'
export type { ActionMutation, ActionState } from './useAction.js'
export { useDeposit, useWithdraw } from './useMoves.js'
export { useReceipts, useTransaction } from './useReceipts.js'
export type { ReceiptsState, UseReceiptsArgs } from './useReceipts.js'
export { RecognitionCards } from './RecognitionCards.js'
export type { RecognitionCardsProps, RecoverableDeposit } from './RecognitionCards.js'
export { useRecognition } from './useRecognition.js'
export type { RecognitionView } from './useRecognition.js'
export { usePay } from './usePay.js'
export type { PayMutation, PayState } from './usePay.js'
