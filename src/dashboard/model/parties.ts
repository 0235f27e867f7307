import type { ClientStatus } from '../../client/index.js'
import type { NodeInfo } from './Session.js'
import { formatDuration, formatTime, safeText } from './text.js'

/** A party as the page shows it. */
export interface PartyLine {
  /** Hydra verification key: hex, 64 characters. */
  readonly vkey: string
  /** True for the party of the node that the page is connected to. */
  readonly isOwn: boolean
  /** Text about the snapshot that lacks the party's signature; null while none does. */
  readonly late: string | null
}

/** A peer of the node as the page shows it. */
export interface PeerLine {
  readonly name: string
  readonly isConnected: boolean
}

/** The parties of the head, those that it waits for, contests, and the peers of the node. */
export interface PartiesShown {
  readonly parties: readonly PartyLine[]
  readonly peers: readonly PeerLine[]
  /** The newest contest of the closing, as a text; null without one. */
  readonly contest: string | null
}

/** Returns what the page shows of parties and peers; `now`: ms since the Unix epoch. */
export function partiesShown(
  status: Pick<ClientStatus, 'parties' | 'waitingFor' | 'contest' | 'peers'>,
  greetings: NodeInfo['greetings'],
  now: number
): PartiesShown {
  const { parties, waitingFor, contest, peers = {} } = status
  const env = greetings?.env
  const ownVkey = greetings?.me?.vkey
  const named = env === undefined ? [] : [env.party, ...env.otherParties].map(({ vkey }) => vkey)
  const keys = parties ?? (named.length === 0 && ownVkey !== undefined ? [ownVkey] : named)
  const late =
    waitingFor === undefined
      ? null
      : `has not ${waitingFor.lacks === 'request' ? 'requested' : 'signed'} snapshot ` +
        `${waitingFor.snapshotNumber} for ` +
        formatDuration(Math.max(0, now - waitingFor.since))
  return {
    parties: keys.map((vkey) => ({
      vkey,
      isOwn: vkey === ownVkey,
      late: waitingFor?.parties.includes(vkey) === true ? late : null
    })),
    peers: Object.entries(peers).map(([name, isConnected]) => ({ name: safeText(name, 80), isConnected })),
    contest:
      contest === undefined
        ? null
        : `The closing was contested with snapshot ${contest.snapshotNumber} at ${formatTime(contest.at)}.`
  }
}
