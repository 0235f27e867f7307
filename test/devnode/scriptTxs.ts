import { addressToString, enterpriseAddress } from '../../src/codec/address'
import { CborWriter } from '../../src/codec/cbor/writer'
import { hexToBytes } from '../../src/codec/hex'
import { encodeTxOutput } from '../../src/codec/txOutput'
import { plutusHashOf } from '../../src/devnode/rules/plutusScript'
import type { FundedKey } from '../../src/devnode'
import { blake2b256 } from '../../src/hash/blake2b'
import type { UTxO } from '../../src/types/utxo'
import { ada, buildTx, lovelaceOf, signTx } from './transactions'

/** `(program 1.1.0 (lam x (con unit ())))`: succeeds. */
export const ALWAYS_V3 = hexToBytes('450101002499')
/** Address of a script of PlutusV3. */
export const scriptAddress = (bytes: Uint8Array): string =>
  addressToString(enterpriseAddress(0, { kind: 'script', hash: plutusHashOf({ language: 'PlutusV3', bytes }) }))
export const ALWAYS_V3_ADDRESS = scriptAddress(ALWAYS_V3)

const set = (...items: Uint8Array[]): Uint8Array =>
  items.reduce((writer, item) => writer.raw(item), new CborWriter().array(items.length)).toBytes()
const refOf = ({ input: { txHash, index } }: UTxO): Uint8Array =>
  new CborWriter().array(2).bytes(hexToBytes(txHash)).uint(index).toBytes()

export interface SpendOptions {
  isValid?: boolean
  mem?: number
  cpu?: number
  fee?: bigint
  /** Lovelace that come back when the scripts fail. */
  collateralReturn?: bigint
  /** Pays this much to the first address, the rest back to the script. */
  to?: { address: string; lovelace: bigint }
  /** Of PlutusV3. @default the one that succeeds */
  script?: Uint8Array
}

/** Spends an output of {@link ALWAYS_V3_ADDRESS} under the cost model of a node. */
export function spendFromScript(
  locked: UTxO,
  collateral: UTxO,
  owner: FundedKey,
  costModel: readonly number[],
  options: SpendOptions = {}
): Uint8Array {
  const { isValid = true, mem = 10_000, cpu = 10_000_000, fee = 0n, collateralReturn, to, script = ALWAYS_V3 } = options
  const units = new CborWriter().array(2).uint(mem).uint(cpu).toBytes()
  const redeemers = set(new CborWriter().array(4).uint(0).uint(0).raw(hexToBytes('d87980')).raw(units).toBytes())
  const view = new CborWriter().map(1).uint(2).array(costModel.length)
  for (const cost of costModel) view.int(cost)
  const integrity = new CborWriter().bytes(blake2b256(Uint8Array.from([...redeemers, ...view.toBytes()]))).toBytes()
  const rest = lovelaceOf(locked.output) - fee - (to?.lovelace ?? 0n)
  return signTx(
    buildTx({
      inputs: [locked.input],
      outputs: [...(to === undefined ? [] : [ada(to.address, to.lovelace)]), ada(scriptAddress(script), rest)],
      fee,
      extra: [
        [11, integrity],
        [13, set(refOf(collateral))],
        ...(collateralReturn === undefined
          ? []
          : ([[16, encodeTxOutput(ada(owner.address, collateralReturn))]] as const))
      ],
      witnesses: [
        [5, redeemers],
        [7, set(new CborWriter().bytes(script).toBytes())]
      ],
      isValid
    }),
    owner
  )
}
