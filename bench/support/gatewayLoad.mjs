// What the node, the clients and the bench of the gateway have to agree on.

/** Outputs of the head, one to an address: with them a snapshot has 106 KB. */
export const ADDRESSES = 240
/** Payments of one snapshot. */
export const TXS = 10

/** Whether a snapshot spends the output of an address. */
export const touches = (number, address) => (address - ((number * TXS) % ADDRESSES) + ADDRESSES) % ADDRESSES < TXS

export const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]
