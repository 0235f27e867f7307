import { readTransaction, toTransactionBytes, transactionId } from '../codec/transaction.js'
import { messageRow } from '../bridge/inner.js'
import type { ConformanceReport, LifeDifference } from './compareLives.js'
import type { LifeTrace, TracedAnswer, TracedMessage } from './trace.js'
import { LIFE_STEPS, asRecord } from './trace.js'

/** Written in place of a value that the list of allowed members refuses. */
const ELIDED = '…'
const MAX_ITEMS = 500

/** Forms of the texts that members may hold. */
const HASH28 = /^[0-9a-f]{56}$/
const HASH32 = /^[0-9a-f]{64}$/
const SIGNATURE = /^[0-9a-f]{128}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,12})?Z$/
const VERSION = /^\d{1,4}(\.\d{1,4}){2}(-([0-9a-f]{7,40}|UNKNOWN|devnode))?$/
/** Addresses of test networks alone. */
const ADDRESS = /^addr_test1[02-9ac-hj-np-z]{50,120}$/
const REFERENCE = /^[0-9a-f]{64}#\d{1,5}$/
const ASSET = /^([0-9a-f]{2}){0,32}$/
const NUMBER = 'number'
const FLAG = 'flag'
const NULL = 'null'

/** Words that nodes use as tags and states; any other is elided. */
const WORDS = new Set(
  `Idle Initial Initializing Open Closed FanningOut InSync CatchingUp AutoFanningOut AwaitingFanoutSelection LastSeenSnapshot
  NoSeenSnapshot RequestedSnapshot SeenSnapshot ConfirmedSnapshot InitialSnapshot TransactionSubmitted SubmitTxSubmitted
  DecommitAlreadyInFlight DecommitTxInvalid DecommitNoOutputs Init Close SafeClose Contest Fanout PartialFanout NewTx Decommit Recover Abort
  SideLoadSnapshot InitTx CloseTx ContestTx FanoutTx PartialFanoutTx FinalPartialFanoutTx IncrementTx DecrementTx
  RecoverTx DepositTx`.split(/\s+/)
)

type Rule = RegExp | typeof NUMBER | typeof FLAG | typeof NULL | 'word' | 'transaction' | Members
interface Members {
  readonly [member: string]: Rule
}

const VALUE: Rule = 'number'
const TRANSACTION: Members = {
  txId: HASH32,
  cborHex: 'transaction',
  type: /^(Unwitnessed |Witnessed )?Tx ConwayEra$/,
  description: /^$/
}
const OUTPUT: Members = {
  address: ADDRESS,
  datum: NULL,
  datumhash: NULL,
  inlineDatum: NULL,
  inlineDatumRaw: NULL,
  referenceScript: NULL,
  value: VALUE
}
const SNAPSHOT: Members = {
  headId: HASH28,
  version: NUMBER,
  number: NUMBER,
  accumulator: HASH32,
  appliedAccumulator: HASH32,
  depositTxId: HASH32,
  utxo: OUTPUT,
  utxoToCommit: OUTPUT,
  utxoToDecommit: OUTPUT,
  confirmed: TRANSACTION
}
const PARTY: Members = { vkey: HASH32 }
const ENVIRONMENT: Members = {
  party: PARTY,
  otherParties: PARTY,
  participants: HASH28,
  contestationPeriod: NUMBER,
  depositPeriod: NUMBER,
  depositActivation: NUMBER,
  unsyncedPeriod: NUMBER
}
/** Every member that the file may hold, at any place, with the form of its value. */
const ALLOWED: Members = {
  tag: 'word',
  seq: NUMBER,
  timestamp: TIME,
  chainTime: TIME,
  chainSlot: NUMBER,
  currentSlot: NUMBER,
  drift: NUMBER,
  headId: HASH28,
  hydraHeadId: HASH28,
  hydraNodeVersion: VERSION,
  headStatus: 'word',
  chainSyncedStatus: 'word',
  me: PARTY,
  env: ENVIRONMENT,
  parties: PARTY,
  contestationPeriod: NUMBER,
  depositPeriod: NUMBER,
  contestationDeadline: TIME,
  deadline: TIME,
  snapshotNumber: NUMBER,
  snapshot: SNAPSHOT,
  signatures: { multiSignature: SIGNATURE },
  transactionId: HASH32,
  transaction: TRANSACTION,
  decommitTx: TRANSACTION,
  decommitTxId: HASH32,
  decommitInvalidReason: { tag: 'word', otherDecommitTxId: HASH32 },
  pendingDeposit: HASH32,
  depositTxId: HASH32,
  theDeposit: HASH32,
  recoveredTxId: HASH32,
  finalizedDecommitTxId: HASH32,
  utxo: OUTPUT,
  snapshotUtxo: OUTPUT,
  utxoToCommit: OUTPUT,
  utxoToDecommit: OUTPUT,
  distributedUTxO: OUTPUT,
  remainingUTxO: OUTPUT,
  recoveredUTxO: OUTPUT,
  finalizedUTxO: OUTPUT,
  fanoutMode: 'word',
  clientInput: { tag: 'word' },
  postChainTx: { tag: 'word' },
  lastSeen: NUMBER
}

/**
 * Returns a life in a form that may be published: of each message and answer only the members on a list, each value in
 * the form that the list requires. A value of any other form becomes `…`; names that are not on the list are left out.
 */
export function publicLife(trace: LifeTrace, report: ConformanceReport, at: Date): Readonly<Record<string, unknown>> {
  const { nodeVersion, steps, messages, answers } = trace
  return {
    kind: 'layer-sdk/conformance',
    version: 1,
    at: at.toISOString(),
    hydraNodeVersion: textOf(nodeVersion, VERSION),
    steps: LIFE_STEPS.map((step) => ({ step, outcome: steps.get(step)?.outcome ?? 'not tried' })),
    frames: messages.filter(({ tag }) => isKnown(tag)).map(publicMessage),
    answers: answers.map(publicAnswer),
    equal: report.equal,
    differs: report.differs.map(publicDifference),
    notTried: report.notTried.map(({ step }) => step)
  }
}

const isKnown = (tag: string): boolean => messageRow(tag) !== undefined

function publicMessage({ step, tag, message }: TracedMessage): unknown {
  const { tag: _, ...members } = message
  return { step, frame: { tag, ...(allowed(members, ALLOWED) as object) } }
}

/** Returns an answer for publication; a route with anything but letters, dashes and `{id}` becomes `…`. */
function publicAnswer({ step, route, status, body }: TracedAnswer): unknown {
  const rule = route.startsWith('GET /snapshot/utxo') ? OUTPUT : route === 'GET /commits' ? HASH32 : ALLOWED
  return { step, route: /^[A-Z]+ [/a-z{}-]+$/.test(route) ? route : ELIDED, status, body: allowed(body, rule) }
}

/** Returns a difference for publication, without its sentence, which may name members of the node's own making. */
function publicDifference({ aspect, step, local, node }: LifeDifference): unknown {
  const shown = (side: LifeDifference['node']): unknown =>
    side === null ? null : 'tag' in side ? (isKnown(side.tag) ? publicMessage(side) : ELIDED) : publicAnswer(side)
  return { aspect, step, local: shown(local), node: shown(node) }
}

/** Returns a value as its rule allows: unchanged, reduced to allowed members, or `…`. */
function allowed(value: unknown, rule: Rule): unknown {
  if (value === null) return null
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => allowed(item, rule))
  if (typeof rule === 'object' && !(rule instanceof RegExp)) return allowedMembers(value, rule)
  // The value of an output: quantities by asset.
  if (rule === NUMBER && asRecord(value) !== null) return quantities(asRecord(value)!, 0)
  if (rule === NUMBER) return typeof value === 'bigint' || Number.isFinite(value) ? value : ELIDED
  if (rule === FLAG) return typeof value === 'boolean' ? value : ELIDED
  if (rule === 'word') return typeof value === 'string' && (WORDS.has(value) || isKnown(value)) ? value : ELIDED
  return rule instanceof RegExp ? textOf(value, rule) : ELIDED
}

function allowedMembers(value: unknown, members: Members): unknown {
  const record = asRecord(value)
  if (record === null) return ELIDED
  const entries = Object.entries(record).slice(0, MAX_ITEMS)
  // A map of outputs by reference.
  if (members === OUTPUT && !Object.hasOwn(record, 'address'))
    return Object.fromEntries(
      entries.filter(([key]) => REFERENCE.test(key)).map(([key, output]) => [key, allowedMembers(output, OUTPUT)])
    )
  const kept = entries.filter(([name]) => Object.hasOwn(members, name))
  return Object.fromEntries(
    kept.map(([name, inner]) => [
      name,
      members[name] === 'transaction' ? transactionOf(inner, record['txId']) : allowed(inner, members[name]!)
    ])
  )
}

function quantities(record: Readonly<Record<string, unknown>>, depth: number): unknown {
  const isName = (key: string): boolean => key === 'lovelace' || (depth === 0 ? HASH28 : ASSET).test(key)
  return Object.fromEntries(
    Object.entries(record)
      .filter(([key]) => isName(key))
      .map(([key, inner]) => {
        const policy = depth === 0 ? asRecord(inner) : null
        return [
          key,
          policy === null
            ? typeof inner === 'bigint' || Number.isFinite(inner)
              ? inner
              : ELIDED
            : quantities(policy, 1)
        ]
      })
  )
}

/** Returns the hex of a transaction only if its id is the stated one, else `…`, because mere hex could be a key. */
function transactionOf(cborHex: unknown, txId: unknown): string {
  try {
    const text = textOf(cborHex, /^([0-9a-f]{2})+$/)
    return transactionId(readTransaction(toTransactionBytes(text))) === txId ? text : ELIDED
  } catch {
    return ELIDED
  }
}

const textOf = (value: unknown, form: RegExp): string =>
  typeof value === 'string' && form.test(value) ? value : ELIDED
