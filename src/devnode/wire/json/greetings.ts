import { bytesToHex } from '../../../codec/hex.js'
import type { HeadState } from '../../head/types.js'
import type { JsonValue } from '../../json/jsonText.js'
import { toJson } from '../../json/jsonText.js'
import type { DevKey } from '../../settings/keys.js'
import { deriveId } from '../../settings/keys.js'
import { currentSlot } from '../../chain/chainTime.js'
import type { NodeContext } from '../../party/NodeContext.js'
import { partiesJson, wholeSeconds } from './messages.js'
import type { UtxoView } from '../../rules/utxoSet.js'
import { EMPTY_VIEW } from '../../rules/utxoSet.js'
import { blake2b224 } from '../../../hash/blake2b.js'

/** headStatus of Greetings; GET /head uses other names. */
export function headStatus(head: HeadState): string {
  return head.status === 'Closed' && head.ready ? 'FanoutPossible' : head.status
}

/** UTxO of the latest confirmed snapshot, with what is being committed; null without a head. */
export function snapshotUtxo(head: HeadState): UtxoView | null {
  if (head.status === 'Idle') return null
  if (head.status === 'Initializing') return head.committed.reduce((all, { utxo }) => all.concat(utxo), EMPTY_VIEW)
  if (head.confirmed === null) return head.initialUtxo
  const { utxo, utxoToCommit } = head.confirmed.snapshot
  return utxoToCommit === null ? utxo : utxo.concat(utxoToCommit)
}

/** The first message of a connection, or the one after the history. */
export function greetingsText(
  context: Pick<NodeContext, 'options' | 'features' | 'keys' | 'party' | 'runtime'>,
  withUtxo: boolean
): string {
  const { features, options, keys, party, runtime } = context
  const { head, synced } = runtime.state
  return toJson({
    tag: 'Greetings',
    me: partyOf(keys[party]!),
    headStatus: headStatus(head),
    hydraHeadId: head.status === 'Idle' ? undefined : head.head.headId,
    snapshotUtxo: withUtxo ? (snapshotUtxo(head) ?? undefined) : undefined,
    hydraNodeVersion: `${features.version}-${deriveId(options.seed, 'revision').slice(0, 40)}`,
    env: features.environment ? environmentJson(context) : undefined,
    networkInfo: features.environment
      ? { networkConnected: true, peersInfo: peersInfo(keys.length, party) }
      : undefined,
    ...(features.syncStatus
      ? { chainSyncedStatus: synced ? 'InSync' : 'CatchingUp', currentSlot: currentSlot(context) }
      : {})
  })
}

/** Hashes of the parties' keys on the base ledger. */
export function participantsOf({ options, keys }: Pick<NodeContext, 'options' | 'keys'>): readonly string[] {
  return keys.map(({ name }) => deriveId(options.seed, `participant ${name}`, blake2b224))
}

function environmentJson(context: Pick<NodeContext, 'options' | 'features' | 'keys' | 'party'>): JsonValue {
  const { features, options, keys, party } = context
  const { contestationPeriodMs, depositPeriodMs, depositDelayMs } = options.timings
  return {
    party: partyOf(keys[party]!),
    otherParties: partiesJson(keys.filter((_, i) => i !== party).map(({ publicKey }) => bytesToHex(publicKey))),
    participants: [...participantsOf(context)],
    contestationPeriod: wholeSeconds(contestationPeriodMs),
    depositPeriod: wholeSeconds(depositPeriodMs),
    depositActivation: features.depositActivation ? wholeSeconds(depositDelayMs) : undefined,
    unsyncedPeriod: features.syncStatus ? wholeSeconds(contestationPeriodMs / 2) : undefined,
    configuredPeers: '',
    // The leak of 1.0 to 2.1, so that clients can be tested against it.
    signingKey: features.signingKeyInEnv ? bytesToHex(keys[party]!.seed) : undefined
  }
}

function peersInfo(parties: number, own: number): JsonValue {
  const peers: Record<string, JsonValue> = {}
  for (let i = 0; i < parties; i++) if (i !== own) peers[`127.0.0.1:${5001 + i}`] = true
  return peers
}

function partyOf({ publicKey }: DevKey): JsonValue {
  return { vkey: bytesToHex(publicKey) }
}
