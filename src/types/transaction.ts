/** A signed transaction in the text envelope of the head node. */
export interface Transaction {
  /** `'Witnessed Tx ConwayEra'`, or another of the node's names; the node ignores it. */
  type: string
  /** `'Ledger Cddl Format'` or empty; the node ignores it. */
  description: string
  /** The signed transaction: CBOR hex. */
  cborHex: string
  /** Transaction id: hex, 64 characters. */
  txId: string
}
