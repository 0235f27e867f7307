import type {
  DepositArgs,
  DepositResult,
  DepositStep,
  HeadClient,
  WithdrawArgs,
  WithdrawResult,
  WithdrawStep
} from '../client/inner.js'
import type { ActionMutation } from './useAction.js'
import { useAction } from './useAction.js'

const deposit = (head: HeadClient, args: DepositArgs): Promise<DepositResult> => head.deposit(args)
const withdraw = (head: HeadClient, args: WithdrawArgs): Promise<WithdrawResult> => head.withdraw(args)

/**
 * Moves money into the head, and shows the step that the deposit has reached.
 *
 * @throws {@link HeadProviderMissingError} outside of a `HeadProvider`; the error of `head.deposit` is in `error`
 * @example
 * ```tsx no-run
 * import { useDeposit } from 'layer-sdk/react'
 *
 * const Deposit = () => {
 *   const { run, status, step, error } = useDeposit()
 *   return <button disabled={status === 'pending'} onClick={() => run({ amount: 10_000_000n })}>
 *     {error?.message ?? step ?? 'Deposit 10 ada'}
 *   </button>
 * }
 * ```
 */
export function useDeposit(): ActionMutation<DepositArgs, DepositResult, DepositStep> {
  return useAction<DepositArgs, DepositResult, DepositStep>(deposit)
}

/**
 * Moves money from the head to the base ledger, and shows the step that the withdrawal has reached.
 *
 * @throws {@link HeadProviderMissingError} outside of a `HeadProvider`; the error of `head.withdraw` is in `error`
 * @example
 * ```tsx no-run
 * import { useWithdraw } from 'layer-sdk/react'
 *
 * const Withdraw = () => {
 *   const { run, status, data } = useWithdraw()
 *   return <button disabled={status === 'pending'} onClick={() => run({ amount: 5_000_000n })}>
 *     {data?.decommitTxId ?? 'Withdraw 5 ada'}
 *   </button>
 * }
 * ```
 */
export function useWithdraw(): ActionMutation<WithdrawArgs, WithdrawResult, WithdrawStep> {
  return useAction<WithdrawArgs, WithdrawResult, WithdrawStep>(withdraw)
}
