/**
 * Longest chain of unconfirmed transactions: beyond it, nodes give up on children whose parents they have not seen yet.
 */
export const MAX_DEPTH = 50
/**
 * Transactions that are built and reserved together: with a few links before them, a chain of them stays within
 * {@link MAX_DEPTH}.
 */
export const MAX_BATCH = 40
/**
 * Default of the option `retries`: how many times a refused payment is built again, or an expired draft is replaced.
 */
export const DEFAULT_RETRIES = 2
/** How long a payment can be confirmed after it was built, ms. */
export const DEFAULT_EXPIRES_IN_MS = 300_000
/** How long `pay`, `payMany`, `submit` and `waitForTx` wait, ms. */
export const DEFAULT_TX_TIMEOUT_MS = 30_000
/** How long `withdraw` waits: a snapshot, and a transaction of the base ledger, ms. */
export const DEFAULT_WITHDRAW_TIMEOUT_MS = 600_000
/** Wait after a decommit is final before the next one, ms: a peer has been seen to be 20 s late. */
export const DEFAULT_WITHDRAW_PAUSE_MS = 45_000
/**
 * Wait before a close or a fanout without an effect is sent again, ms: in a long gap between blocks its transaction
 * expires in the mempool, and no message tells of it.
 */
export const RESEND_AFTER_MS = 90_000
/** Wait before a recovery that the base ledger refused at the deadline of the deposit is sent again, ms. */
export const RECOVER_AGAIN_MS = 5_000
/**
 * Time after a deposit's deadline during which a refused recovery is tried again, ms: blocks come late, so it may only
 * be too early.
 */
export const RECOVER_MARGIN_MS = 120_000
/** How long `open`, `close`, `contest` and `abort` wait: a transaction of the base ledger, ms. */
export const DEFAULT_HEAD_TIMEOUT_MS = 300_000
/** How long `connect` waits while the client goes on trying, ms. */
export const DEFAULT_CONNECT_TIMEOUT_MS = 30_000
