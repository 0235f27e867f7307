import type { HeadInfo, LayerHeadStatus, Party, Protocol, RawProtocolParameters } from './types.js'
import type { WireRecord } from './wireRecord.js'
import type { Schema } from './fields.js'
import { checkFields, schemaOf } from './fields.js'
import { isRecord, getOwn, protocolError } from './wireRecord.js'

/** States of the head by the names that GET /head has for them. */
const STATUS: Readonly<Record<string, LayerHeadStatus>> = {
  Idle: 'Idle',
  Initial: 'Initializing',
  Open: 'Open',
  Closed: 'Closed',
  FanoutProgress: 'FanningOut'
}

const inner = (record: WireRecord, name: string): WireRecord => {
  const value = getOwn(record, name)
  return isRecord(value) ? value : {}
}

const CONTENTS: Schema = /* @__PURE__ */ schemaOf({
  headId: { type: 'string', presence: 'optional', check: 'ifPresent' }
})
const PARAMETERS: Schema = /* @__PURE__ */ schemaOf({
  parties: { type: 'parties', presence: 'optional', check: 'ifPresent' },
  contestationPeriod: { type: 'number', presence: 'optional', check: 'ifPresent' }
})

/** Converts the body of GET /head into public terms. */
export function toHeadInfo(head: WireRecord): HeadInfo {
  const tag = getOwn(head, 'tag')
  if (typeof tag !== 'string') return protocolError('The state of the head', 'a tag', tag)
  const contents = inner(head, 'contents')
  const parameters = inner(contents, 'parameters')
  checkFields(contents, CONTENTS, 'The state of the head')
  checkFields(parameters, PARAMETERS, 'The state of the head')
  const parties = (parameters['parties'] ?? []) as Party[]
  const period = parameters['contestationPeriod'] as number | undefined
  const ready = tag === 'Closed' && getOwn(contents, 'readyToFanoutSent') === true
  return {
    headId: (contents['headId'] as string | undefined) ?? null,
    headStatus: ready
      ? 'FanoutPossible'
      : ((getOwn(STATUS, tag) as LayerHeadStatus | undefined) ?? (tag as LayerHeadStatus)),
    vkey: parties[0]?.vkey ?? null,
    parties,
    ...(period === undefined ? {} : { contestationPeriod: period })
  }
}

/**
 * Returns the ids of transactions that the node has received and no snapshot has confirmed, from the body of GET /head.
 * Some of them may never be applied.
 */
export function pendingTxIds(head: WireRecord): string[] {
  const ledger = inner(inner(head, 'contents'), 'coordinatedHeadState')
  return [...new Set([...Object.keys(inner(ledger, 'allTxs')), ...txIdsOf(getOwn(ledger, 'localTxs'))])]
}

/** Returns the ids of transactions in the snapshot that is being signed, from the body of GET /head. */
export function signingTxIds(head: WireRecord): string[] {
  const seen = inner(inner(inner(head, 'contents'), 'coordinatedHeadState'), 'seenSnapshot')
  return txIdsOf(getOwn(inner(seen, 'snapshot'), 'confirmed'))
}

/**
 * Returns the snapshot that is being signed and the keys that have signed it, from the body of GET /head; null: none.
 */
export function seenSnapshot(head: WireRecord): { number: number; signers: string[] } | null {
  const seen = inner(inner(inner(head, 'contents'), 'coordinatedHeadState'), 'seenSnapshot')
  const number = getOwn(inner(seen, 'snapshot'), 'number')
  if (getOwn(seen, 'tag') !== 'SeenSnapshot' || !Number.isSafeInteger(number)) return null
  const signatories = getOwn(seen, 'signatories')
  const pairs = Array.isArray(signatories) ? signatories : Object.keys(inner(seen, 'signatories'))
  const signers = pairs.map((pair: unknown): unknown => {
    const party: unknown = Array.isArray(pair) ? pair[0] : pair
    return isRecord(party) ? getOwn(party, 'vkey') : party
  })
  return { number: number as number, signers: signers.filter((vkey) => typeof vkey === 'string') }
}

/**
 * Returns the number of the newest confirmed snapshot (0 before any) from the body of GET /head, if the next one is due
 * and not requested yet. It is due when the node's ledger holds transactions, a decommit or a deposit for it. Null
 * otherwise, and where the node does not report it.
 */
export function dueAfter(head: WireRecord): number | null {
  const ledger = inner(inner(head, 'contents'), 'coordinatedHeadState')
  // `allTxs` holds what was received: transactions that can never be applied among them.
  const isDue =
    txIdsOf(getOwn(ledger, 'localTxs')).length > 0 ||
    pendingDecommitTxId(head) !== null ||
    typeof getOwn(ledger, 'currentDepositTxId') === 'string'
  if (!isDue) return null
  const seen = inner(ledger, 'seenSnapshot')
  if (getOwn(seen, 'tag') === 'NoSeenSnapshot') return 0
  const number = getOwn(seen, 'lastSeen')
  return getOwn(seen, 'tag') === 'LastSeenSnapshot' && Number.isSafeInteger(number) ? (number as number) : null
}

/**
 * Returns the id of the decommit that has been requested and is not on the base ledger yet, from the body of GET /head;
 * null when there is none.
 */
export function pendingDecommitTxId(head: WireRecord): string | null {
  return txIdOf(getOwn(inner(inner(head, 'contents'), 'coordinatedHeadState'), 'decommitTx'))
}

/**
 * Returns the version of the head's outputs, which grows with each deposit and each decommit that this node has seen to
 * be final, from the body of GET /head; null where the node does not report it.
 */
export function versionOfHead(head: WireRecord): number | null {
  const version = getOwn(inner(inner(head, 'contents'), 'coordinatedHeadState'), 'version')
  return Number.isSafeInteger(version) ? (version as number) : null
}

/** Returns the slot of an open head, from the body of GET /head; null where it is not reported there (from 1.0 on). */
export function slotOfHead(head: WireRecord): number | null {
  const slot = getOwn(inner(head, 'contents'), 'currentSlot')
  return Number.isSafeInteger(slot) ? (slot as number) : null
}

function txIdsOf(transactions: unknown): string[] {
  return (Array.isArray(transactions) ? (transactions as unknown[]) : []).map(txIdOf).filter((id) => id !== null)
}

function txIdOf(transaction: unknown): string | null {
  const id = isRecord(transaction) ? getOwn(transaction, 'txId') : transaction
  return typeof id === 'string' ? id : null
}

/** The node's names of the five parameters that have a name of their own. */
const PROTOCOL: Readonly<Record<string, string>> = {
  txFeePerByte: 'min_fee_a',
  txFeeFixed: 'min_fee_b',
  maxTxSize: 'max_tx_size',
  stakeAddressDeposit: 'key_deposit',
  stakePoolDeposit: 'pool_deposit'
}

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

const USED_PARAMETERS: Schema = /* @__PURE__ */ schemaOf({
  txFeePerByte: { type: 'wholeNumber', check: 'essential' },
  txFeeFixed: { type: 'wholeNumber', check: 'essential' },
  maxTxSize: { type: 'wholeNumber', check: 'essential' },
  stakeAddressDeposit: { type: 'number', check: 'essential' },
  stakePoolDeposit: { type: 'number', check: 'essential' }
})

/**
 * Returns protocol parameters under the names of the ledger's own tools; cost models and protocol version are in the
 * raw form only.
 */
export function toProtocol(raw: RawProtocolParameters): Protocol {
  checkFields({ ...raw }, USED_PARAMETERS, 'The protocol parameters')
  const entries = Object.entries(raw)
    .filter(([name]) => name !== 'costModels' && name !== 'protocolVersion')
    .map(
      ([name, value]) =>
        [
          getOwn(PROTOCOL, name) ?? toSnakeCase(name),
          /Deposit$/.test(name) && name in PROTOCOL ? String(value) : value
        ] as const
    )
  return Object.fromEntries(entries) as Protocol
}
