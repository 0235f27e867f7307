/** Messages of a gateway in front of the node: rows of `MESSAGES`. */
export const GATEWAY_MESSAGES = {
  /**
   * All outputs that this client follows: they replace its present ones. After Greetings, and when it has requested
   * them.
   */
  GatewaySnapshot: {
    source: 'gateway',
    headId: 'essential',
    fields: {
      /** Number of the snapshot. */
      number: { type: 'wholeNumber', check: 'essential' },
      /** Its version. */
      version: { type: 'wholeNumber', presence: 'optional', check: 'ifPresent' },
      /** `start`, `resync`, `tooOld` or `otherHead`. */
      reason: { type: 'string' },
      /** Those of the outputs that the pending deposit brings. */
      utxoToCommit: { type: 'utxo', presence: 'optional', check: 'ifPresent' },
      /** Its id: hex, 64 characters (nodes from 2.4). */
      depositTxId: { type: 'string', presence: 'optional' },
      /** The outputs, those being committed included. */
      utxo: { type: 'utxo', check: 'essential' }
    }
  },
  /** In the place of GatewaySnapshot, after a reconnect: all that the client has missed follows in order. */
  GatewayResumed: {
    source: 'gateway',
    headId: 'essential',
    fields: {
      /** Number of the snapshot that the client has. */
      from: { type: 'wholeNumber', check: 'essential' },
      /** Number of the newest snapshot. */
      to: { type: 'wholeNumber', check: 'essential' }
    }
  },
  /**
   * The head has come to the snapshot `number`; no snapshot after `from` has changed outputs that this client follows.
   */
  GatewayProgress: {
    source: 'gateway',
    headId: 'essential',
    fields: { from: { type: 'wholeNumber', check: 'essential' }, number: { type: 'wholeNumber', check: 'essential' } }
  },
  /** `connected`: the gateway has a connection to the node. */
  GatewayUpstream: { source: 'gateway', fields: { connected: { type: 'boolean' } } }
} as const
