/** Messages of a gateway in front of the node: rows of `MESSAGES`. */
export const GATEWAY_MESSAGES = {
  /**
   * All outputs that this client follows, which replace those that it has. Sent after Greetings, and when the client
   * has requested them.
   */
  GatewaySnapshot: {
    source: 'gateway',
    headId: 'essential',
    fields: {
      /** Number of the snapshot. */
      number: { type: 'wholeNumber', check: 'essential' },
      /** Its version. */
      version: { type: 'wholeNumber', presence: 'optional', check: 'ifPresent' },
      /** Reason for sending all outputs: `start`, `resync`, `tooOld` or `otherHead`. */
      reason: { type: 'string' },
      /** Those of the outputs that come from the pending deposit. */
      utxoToCommit: { type: 'utxo', presence: 'optional', check: 'ifPresent' },
      /** Id of that deposit: hex, 64 characters (nodes from 2.4). */
      depositTxId: { type: 'string', presence: 'optional' },
      /** The outputs, those being committed included. */
      utxo: { type: 'utxo', check: 'essential' }
    }
  },
  /** Sent instead of GatewaySnapshot after a reconnect: all that the client has missed follows in order. */
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
   * The head has reached the snapshot `number`, and no snapshot after `from` has changed outputs that this client
   * follows.
   */
  GatewayProgress: {
    source: 'gateway',
    headId: 'essential',
    fields: { from: { type: 'wholeNumber', check: 'essential' }, number: { type: 'wholeNumber', check: 'essential' } }
  },
  /** `connected`: the gateway has a connection to the node. */
  GatewayUpstream: { source: 'gateway', fields: { connected: { type: 'boolean' } } }
} as const
