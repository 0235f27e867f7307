import { bytesToHex } from '../../../codec/hex.js'
import type { LocalHeadState } from '../../head/types.js'
import type { JsonValue } from '../../json/jsonText.js'
import { toJson } from '../../json/jsonText.js'
import type { DevKey } from '../../settings/keys.js'
import { deriveId } from '../../settings/keys.js'
import { currentSlot } from '../../chain/chainTime.js'
import { partiesJson, wholeSeconds } from './messages.js'
import type { ChainView, PartyView } from './PartyView.js'
import type { UtxoView } from '../../rules/utxoSet.js'
import { EMPTY_VIEW } from '../../rules/utxoSet.js'
import { blake2b224 } from '../../../hash/blake2b.js'

/** Returns the headStatus of Greetings; GET /head uses other names. */
export function headStatus(head: LocalHeadState): string {
  return head.status === 'Closed' && head.ready ? 'FanoutPossible' : head.status
}

/** UTxO of the latest confirmed snapshot, with the outputs being committed; null without a head. */
export function snapshotUtxo(head: LocalHeadState): UtxoView | null {
  if (head.status === 'Idle') return null
  if (head.status === 'Initializing') return head.committed.reduce((all, { utxo }) => all.concat(utxo), EMPTY_VIEW)
  if (head.confirmed === null) return head.initialUtxo
  const { utxo, utxoToCommit } = head.confirmed.snapshot
  return utxoToCommit === null ? utxo : utxo.concat(utxoToCommit)
}

/** The first message of a connection, or the one after the history. */
export function greetingsText(party: Omit<PartyView, 'ledger'>, withUtxo: boolean): string {
  const { index, chain, runtime } = party
  const { features, options } = chain
  const { keys } = party.head
  const { head, synced } = runtime.state
  return toJson({
    tag: 'Greetings',
    me: partyOf(keys[index]!),
    headStatus: headStatus(head),
    hydraHeadId: head.status === 'Idle' ? undefined : head.head.headId,
    snapshotUtxo: withUtxo ? (snapshotUtxo(head) ?? undefined) : undefined,
    hydraNodeVersion: `${features.version}-${deriveId(options.seed, 'revision').slice(0, 40)}`,
    env: features.environment ? environmentJson(index, keys, chain) : undefined,
    networkInfo: features.environment
      ? { networkConnected: true, peersInfo: peersInfo(keys.length, index) }
      : undefined,
    ...(features.syncStatus
      ? { chainSyncedStatus: synced ? 'InSync' : 'CatchingUp', currentSlot: currentSlot(chain) }
      : {})
  })
}

/** Hashes of the parties' keys on the base ledger. */
export function participantsOf(keys: readonly DevKey[], seed: string): readonly string[] {
  return keys.map(({ name }) => deriveId(seed, `participant ${name}`, blake2b224))
}

function environmentJson(index: number, keys: readonly DevKey[], { features, options }: ChainView): JsonValue {
  const { contestationPeriodMs, depositPeriodMs, depositDelayMs } = options.timings
  return {
    party: partyOf(keys[index]!),
    otherParties: partiesJson(keys.filter((_, i) => i !== index).map(({ publicKey }) => bytesToHex(publicKey))),
    participants: [...participantsOf(keys, options.seed)],
    contestationPeriod: wholeSeconds(contestationPeriodMs),
    depositPeriod: wholeSeconds(depositPeriodMs),
    depositActivation: features.depositActivation ? wholeSeconds(depositDelayMs) : undefined,
    unsyncedPeriod: features.syncStatus ? wholeSeconds(contestationPeriodMs / 2) : undefined,
    configuredPeers: '',
    // The leak of 1.0 to 2.1, so that clients can be tested against it.
    signingKey: features.signingKeyInEnv ? bytesToHex(keys[index]!.seed) : undefined
  }
}

function peersInfo(parties: number, ownIndex: number): JsonValue {
  const peers: Record<string, JsonValue> = {}
  for (let i = 0; i < parties; i++) if (i !== ownIndex) peers[`127.0.0.1:${5001 + i}`] = true
  return peers
}

function partyOf({ publicKey }: DevKey): JsonValue {
  return { vkey: bytesToHex(publicKey) }
}
