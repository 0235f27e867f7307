/** Text about a finding code: its meaning, the next step and the source of the rule. */
export interface CodeText {
  /** Condition under which the finding blocks or warns. */
  readonly meaning: string
  /** Next step, with the command to type. */
  readonly remedy: string
  /** Link to the source. */
  readonly source: string
}

const HYDRA = 'https://github.com/cardano-scaling/hydra'
const KNOWN_ISSUES = `${HYDRA}/blob/ca8d19bca/docs/docs/known-issues.md`
const PARTIAL_FANOUT = `${HYDRA}/blob/ca8d19bca/docs/docs/dev/architecture/partial-fanout.md`
const OPERATING = `${HYDRA}/blob/ca8d19bca/docs/docs/how-to/operating-hydra.md`
const HEAD_LOGIC = `${HYDRA}/blob/ca8d19bca/hydra-node/src/Hydra/HeadLogic.hs`
const NODE_OPTIONS = `${HYDRA}/blob/ca8d19bca/hydra-node/src/Hydra/Options.hs`
const NODE_WALLET = `${HYDRA}/blob/ca8d19bca/hydra-node/src/Hydra/Chain/Direct/Wallet.hs`
const OPERATORS = 'https://github.com/masumi-network/masumi-payment-service/blob/04ed70bf/docs/hydra-operations.md'
const REPORT =
  'https://github.com/masumi-network/masumi-payment-service/blob/046d800d/docs/hydra-l2-milestone4-report.md'
const FANOUT_COSTS = 'https://github.com/masumi-network/masumi-payment-service/blob/358c85f6/docs/adr/0013'
const RECOVERY =
  'https://github.com/masumi-network/masumi-payment-service/blob/bf7d645c/docs/hydra-persistence-recovery-verification.md'
const UPGRADE =
  'https://github.com/masumi-network/masumi-payment-service/blob/0c419a1e/docs/hydra-2.4.1-upgrade-runbook.md'

/** Code of a finding: stable, kebab-case, never renamed or reused. */
export type FindingCode =
  | 'outputs-limit'
  | 'minted-token'
  | 'burned-token'
  | 'output-too-large'
  | 'below-min-ada'
  | 'address-kind'
  | 'script-output'
  | 'exit-budget'
  | 'decommit-unpostable'
  | 'decommit-pending'
  | 'decommit-pause'
  | 'last-collateral'
  | 'deposit-open'
  | 'deposit-expiring'
  | 'deposit-expired'
  | 'deposit-approved'
  | 'deposit-period-short'
  | 'fuel-low'
  | 'fuel-shape'
  | 'mismatch-version'
  | 'mismatch-parameters'
  | 'mismatch-parties'
  | 'mismatch-periods'
  | 'mismatch-peers'
  | 'cost-models'
  | 'peer-silent'
  | 'peer-behind'
  | 'node-unsynced'
  | 'chain-stalled'
  | 'period-short'
  | 'node-vulnerable'
  | 'node-unknown'
  | 'fanout-known-bug'
  | 'history-size'
  | 'unconfirmed-transactions'

/** All codes with their texts: `layer-sdk explain CODE` prints them, and the guide has an anchor for each. */
export const DOCTOR_CODES: Readonly<Record<FindingCode, CodeText>> = {
  'outputs-limit': {
    meaning:
      'Nodes from 2.2 on commit to at most 4,095 outputs, pending deposits and decommits included: above it this blocks, above 3,500 it warns. Before 2.2 a head is paid out in one transaction: above 40 outputs it warns.',
    remedy:
      'Combine small outputs with payments to yourself (`consolidate()` of the client), or withdraw some, before you close.',
    source: PARTIAL_FANOUT
  },
  'minted-token': {
    meaning:
      'The head holds more of a token than entered it. The base ledger has never seen the rest: the transaction that pays it out fails, and the last fanout with it.',
    remedy: 'Burn the quantity that `evidence` names in the head before you close, then run `layer-sdk doctor` again.',
    source: KNOWN_ISSUES
  },
  'burned-token': {
    meaning:
      'The head holds less of a token than entered it. The output of the head on the base ledger still has the rest, which no fanout can put anywhere: the last one fails.',
    remedy: 'Mint the quantity that `evidence` names in the head again before you close, if its policy allows it.',
    source: 'https://github.com/cardano-scaling/hydra/issues/2334'
  },
  'output-too-large': {
    meaning:
      'An output does not fit into a transaction of the base ledger with the parts of a fanout (about 840 bytes), or its value is larger than the ledger allows: this blocks. An output above 10,250 bytes warns.',
    remedy: 'Spend the outputs of `refs` in the head into smaller ones: a shorter datum, fewer tokens, no script.',
    source: KNOWN_ISSUES
  },
  'below-min-ada': {
    meaning:
      "An output holds less lovelace than the base ledger demands of one of its size, by the base ledger's price and not the head's: it can never be paid out. Head parameters with a price of 0 warn, since they allow such outputs.",
    remedy: 'Combine the outputs of `refs` with others in the head: `consolidate()` of the client.',
    source: 'https://github.com/cardano-scaling/hydra/issues/2759'
  },
  'address-kind': {
    meaning: 'An output lies at a Byron address. Deposits refuse such addresses; their fanout is not tested anywhere.',
    remedy: 'Let the owner spend the outputs of `refs` to an address of the Shelley era in the head.',
    source: KNOWN_ISSUES
  },
  'script-output': {
    meaning:
      'Outputs with a datum at script addresses, or more than 10 outputs with a datum, are in the head: after the fanout their scripts run on the base ledger, with its fees and limits, and each makes a fanout dearer.',
    remedy: 'Let the scripts of `refs` pay out in the head before you close; leave at most 10 outputs with a datum.',
    source: OPERATORS
  },
  'exit-budget': {
    meaning:
      'By estimate, a fanout transaction comes within 1 % of the execution limit. The node measures it before it adds its fee input: such a transaction can pass that check, fail, and be tried again for ever. All outputs behind it then wait.',
    remedy: 'Merge or spend some of the outputs of `refs` before you close, so that the prefix changes.',
    source: FANOUT_COSTS
  },
  'decommit-unpostable': {
    meaning:
      'A decommit whose transaction the base ledger would refuse: it takes minted tokens, an output below the least ada, no outputs, more than a transaction holds, or comes beside a deposit that is under way. Its approval cannot be withdrawn and blocks every later decommit.',
    remedy: 'Do not send it. Change what `evidence` names; where it is approved already, close the head.',
    source: 'https://github.com/cardano-scaling/hydra/issues/2797'
  },
  'decommit-pending': {
    meaning: 'A decommit is under way. Until it is on the base ledger the head has no second one.',
    remedy: 'Wait for DecommitFinalized: `layer-sdk status --url URL` and this check show when it is over.',
    source: OPERATORS
  },
  'decommit-pause': {
    meaning:
      'A decommit was final less than 45 s ago, or the nodes show different versions: a second one now can wedge the head, because a peer may see the first up to 20 s later.',
    remedy: 'Wait until 45 s have passed and all nodes show the same version, then run this check again.',
    source: REPORT
  },
  'last-collateral': {
    meaning:
      'Scripts are in the head and no output of ada alone with 5 ada or more: no party can give collateral, so no script can be spent.',
    remedy: 'Keep, or deposit, one output of at least 5 ada without tokens: `deposit()` of the client.',
    source: OPERATORS
  },
  'deposit-open': {
    meaning:
      'A deposit is on the base ledger and not in the head. It is harmless while its window runs; a close leaves it at the script until it is recovered, so before a close it blocks.',
    remedy:
      'Wait until it is in the head, or close and recover it after the time in `evidence`: `recover()` of the client.',
    source: OPERATORS
  },
  'deposit-expiring': {
    meaning: 'A deposit is active, not approved, and less than a fifth of its window is left.',
    remedy: 'See that all parties are online: the head includes it with the next snapshot, or it has to be recovered.',
    source: HEAD_LOGIC
  },
  'deposit-expired': {
    meaning: 'The head no longer includes a deposit. It lies at the script until it is recovered.',
    remedy: 'Recover it after the time in `evidence`, plus a minute: `recover()` of the client.',
    source: HEAD_LOGIC
  },
  'deposit-approved': {
    meaning:
      'A signed snapshot names the deposit. To recover it now wedges the head, and a close with that snapshot cannot be paid out. It blocks once the deposit could be recovered.',
    remedy: 'Do not recover it. Wait for CommitFinalized; where it never comes, close the head.',
    source: RECOVERY
  },
  'deposit-period-short': {
    meaning:
      'The deposit period is below 600 s and the node has been more than 60 s behind the base ledger: deposits can miss their window.',
    remedy: 'Open the next head with `--deposit-period 600s` or more at all nodes.',
    source: RECOVERY
  },
  'fuel-low': {
    meaning:
      "The node's wallet pays close, contest and fanout. Below the estimated cost of the exit this blocks; below 15 ada it warns.",
    remedy: "Send ada to the node's own address on the base ledger, 30 ada for each head, as an output without tokens.",
    source: OPERATORS
  },
  'fuel-shape': {
    meaning:
      'The node pays with the largest output of its wallet. One that holds a token cannot be collateral, and a contest has failed for it; without an output of ada alone with 5 ada or more the node cannot pay at all.',
    remedy: "Send one output of ada alone, larger than all others, to the node's own address.",
    source: NODE_WALLET
  },
  'mismatch-version': {
    meaning: 'Nodes of one head run different versions: the scripts differ, and the head never opens, in silence.',
    remedy: 'Run the same version at all parties.',
    source: UPGRADE
  },
  'mismatch-parameters': {
    meaning: 'Nodes of one head have different ledger parameters: they disagree about transactions, in silence.',
    remedy: 'Give all nodes the same file as `--ledger-protocol-parameters`.',
    source: UPGRADE
  },
  'mismatch-parties': {
    meaning: 'Nodes name different parties, or are in different heads: a node ignores a head of others, in silence.',
    remedy:
      'Give each node the verification keys of all others: `--hydra-verification-key`, `--cardano-verification-key`.',
    source: HEAD_LOGIC
  },
  'mismatch-periods': {
    meaning: 'Nodes have different contestation, deposit or activation periods: the head never opens, in silence.',
    remedy: 'Start all nodes with the same `--contestation-period`, `--deposit-period` and `--deposit-activation`.',
    source: HEAD_LOGIC
  },
  'mismatch-peers': {
    meaning: 'Nodes list different peers. Their cluster id comes from that list, so they never form one network.',
    remedy: 'Give all nodes the same set of addresses as `--peer` and `--advertise`.',
    source: KNOWN_ISSUES
  },
  'cost-models': {
    meaning:
      "The head's cost models differ from the base ledger's, or have a length that no ledger of their version has: scripts then cost something else, and transactions of other builders are refused.",
    remedy: 'Build transactions for the head with its own models; start the next head with those of the base ledger.',
    source: UPGRADE
  },
  'peer-silent': {
    meaning:
      'A snapshot has been requested for more than 30 s and not all parties have signed it, or transactions wait as long and the party whose turn it is requests none.',
    remedy: 'Look at the node of the parties that `refs` names: it is offline, or its network is.',
    source: REPORT
  },
  'peer-behind': {
    meaning:
      'A node shows an older snapshot than the others showed before. Only where all show the same number is a side-load safe.',
    remedy: 'Let the node catch up; compare the numbers of all nodes again before a side-load (POST /snapshot).',
    source: REPORT
  },
  'node-unsynced': {
    meaning:
      'The node is catching up with the base ledger: it refuses inputs, and may see a close too late to contest.',
    remedy: 'Wait for NodeSynced; look at the cardano-node that it follows.',
    source: OPERATING
  },
  'chain-stalled': {
    meaning:
      'The newest block that the node has seen is more than 3 minutes old. Its drift does not show that: it stands still with the chain.',
    remedy: 'Look at the cardano-node or the provider that the node follows.',
    source: OPERATING
  },
  'period-short': {
    meaning:
      'On mainnet, a contestation period below 43,200 s. A contest is in time for one period after the close: the period has to exceed the longest time in which no node of a party runs.',
    remedy: 'Open the next head with `--contestation-period 43200s` or more.',
    source: NODE_OPTIONS
  },
  'node-vulnerable': {
    meaning:
      'Nodes 2.3.0 and 2.4.0 may sign transactions that were not validated (GHSA-cg83-6w6r-6hx3): this blocks. Nodes 1.0 to 2.1 show their signing key to every client: this warns.',
    remedy: 'Close the head and run 2.4.1 at all parties.',
    source: `${HYDRA}/security/advisories/GHSA-cg83-6w6r-6hx3`
  },
  'node-unknown': {
    meaning: 'The node is newer than the newest rule that this package knows: its limits may have changed.',
    remedy: 'Update layer-sdk; where there is no newer one, read the release notes of the node.',
    source: `${HYDRA}/releases`
  },
  'fanout-known-bug': {
    meaning: 'Node 2.2.0 cannot pay out outputs with a datum in more than one transaction (error H9).',
    remedy: 'Spend the outputs of `refs`, or leave at most 29 outputs in the head, before you close.',
    source: 'https://github.com/cardano-scaling/hydra/issues/2751'
  },
  'history-size': {
    meaning:
      'The stored history of the node is above 64 MiB or 10,000 transactions: each client that asks for it reads all of it.',
    remedy: 'Start the node with `--persistence-rotate-after`.',
    source: OPERATING
  },
  'unconfirmed-transactions': {
    meaning: 'Transactions are valid and in no snapshot. A close drops them, so before a close this warns.',
    remedy: 'Wait for the next snapshot, then close.',
    source: HEAD_LOGIC
  }
}
