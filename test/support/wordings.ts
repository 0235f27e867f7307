const REF = 'TxIn (TxId {unTxId = SafeHash "0101"}) (TxIx {unTxIx = 0})'

/**
 * What versions of the ledger say of inputs that are gone, then words that none says: part of a fault row, name, words.
 */
export const WORDINGS: readonly (readonly [part: string, name: string, words: (random: () => number) => string])[] = [
  ['a', 'BadInputsUTxO (to 2.0)', () => `ConwayUtxowFailure (UtxoFailure (BadInputsUTxO (fromList [${REF}])))`],
  [
    'b',
    'All inputs are spent (from 2.1)',
    () => 'ConwayMempoolFailure "All inputs are spent. Transaction has probably already been included"'
  ],
  ['c', 'AllInputsAreSpent (later eras)', () => `DijkstraMempoolFailure (AllInputsAreSpent (fromList [${REF}]))`],
  [
    'd',
    'words nobody knows',
    (random) => Array.from({ length: 5 }, () => Math.floor(random() * 36 ** 6).toString(36)).join(' ')
  ]
]
