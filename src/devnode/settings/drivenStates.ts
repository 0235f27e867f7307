/**
 * States of a head and of a deposit into it, as a wallet sees them:
 *
 * - `no-head`; `empty`: open, without outputs
 * - `deposit-waiting`, `deposit-claimable`, `deposit-expired`, `deposit-recoverable`, `deposit-recovered`: of a deposit
 *   that the head does not claim
 * - `arriving`: a snapshot carries the deposit, the base ledger has no increment yet; `settled`: it has
 * - `verified`: a payment is in a snapshot; `leaving`: a snapshot carries a decommit; `withdrawn`: it has left
 * - `contestable`, `contested` (the deadline has moved), `payable`: the head is closed
 * - `paying-out`: half is paid out (profiles with partial fanouts); `paid-out`: all is
 */
export type DrivenState = (typeof DRIVEN_STATES)[number]

/** All states that {@link driveTo} brings a head into. */
export const DRIVEN_STATES = [
  'no-head',
  'empty',
  'deposit-waiting',
  'deposit-claimable',
  'deposit-expired',
  'deposit-recoverable',
  'deposit-recovered',
  'arriving',
  'settled',
  'verified',
  'leaving',
  'withdrawn',
  'contestable',
  'contested',
  'payable',
  'paying-out',
  'paid-out'
] as const
