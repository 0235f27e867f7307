const PEER = {
  /** Address of the peer; a text from nodes up to 0.20. */
  peer: { type: 'peer' }
} as const

/** Messages about the network of the head's nodes: rows of `MESSAGES`. */
export const NETWORK_MESSAGES = {
  /** The node has reached its network of peers. */
  NetworkConnected: { since: '0.21', fields: {} },
  /** The node has lost its network of peers. */
  NetworkDisconnected: { since: '0.21', fields: {} },
  /**
   * The node cannot hand its messages to its peers: `pendingBroadcasts` wait, `stallReason` says why; it refuses
   * transactions and decommits.
   */
  NetworkBroadcastStalled: {
    since: 'master',
    fields: { pendingBroadcasts: { type: 'number' }, stallReason: { type: 'string' } }
  },
  /** The node's messages reach its peers again. */
  NetworkBroadcastResumed: { since: 'master', fields: {} },
  /** A peer speaks another version of the node's network: `ourVersion` and `theirVersion`, null when unknown. */
  NetworkVersionMismatch: {
    since: '0.21',
    fields: { ourVersion: { type: 'number' }, theirVersion: { type: 'number', presence: 'nullable' } }
  },
  /**
   * Peers are set up differently: `clusterPeers` are those of the network, `misconfiguredPeers` those of this node's
   * options.
   */
  NetworkClusterIDMismatch: {
    since: '0.22',
    fields: { clusterPeers: { type: 'string' }, misconfiguredPeers: { type: 'string' } }
  },
  /** A peer has connected. `peer` is a name to 0.20, a host and port later. */
  PeerConnected: { fields: PEER as typeof PEER },
  /** A peer has disconnected. */
  PeerDisconnected: { fields: PEER as typeof PEER },
  /** The peer at `remoteHost` speaks `theirVersions`, this node `ourVersion`. */
  PeerHandshakeFailure: {
    until: '0.20',
    fields: { remoteHost: { type: 'peer' }, ourVersion: { type: 'number' }, theirVersions: { type: 'numbers' } }
  }
} as const
