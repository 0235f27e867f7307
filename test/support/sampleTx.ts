import { buildTx, envelopeOf, ada } from '../devnode/transactions'
import type { Transaction } from 'layer-sdk/bridge'

const ADDRESS = 'addr_test1vzpwq95z3xyum8vqndgdd9mdnmafh3djcxnc6jemlgdmswcve6tkw'

/** The hash of an imaginary transaction: `n` in all its bytes. */
export const hashOf = (n: number): string => n.toString(16).padStart(2, '0').repeat(32)

/**
 * A transaction (unsigned) that spends output 0 of each given hash and makes two outputs. `salt` makes others of it.
 */
export function sampleTx(salt = 1, spends: readonly string[] = [hashOf(salt)]): Transaction {
  return envelopeOf(
    buildTx({
      inputs: spends.map((txHash) => ({ txHash, index: 0 })),
      outputs: [ada(ADDRESS, 2_000_000n), ada(ADDRESS, BigInt(1_000_000 + salt))]
    })
  )
}
