import { encodeAuxiliaryData } from '../../codec/auxiliaryData.js'
import { BODY_KEY, TAG_SET } from '../../codec/bodyEntries.js'
import { CborWriter } from '../../codec/cbor/writer.js'
import { hexToBytes } from '../../codec/hex.js'
import { Metadatum } from '../../codec/metadatum.js'
import { readTransaction, transactionHash } from '../../codec/transaction.js'
import { encodeTxOutput } from '../../codec/txOutput.js'
import { encodeMultiAsset } from '../../codec/value.js'
import { setVkeyWitnesses } from '../../codec/witnessSet.js'
import { signWithSeed } from '../../crypto/inner.js'
import { blake2b256 } from '../../hash/blake2b.js'
import type { TxInput, TxOutput } from '../../types/utxo.js'
import type { DevKey } from '../settings/keys.js'

/** Content of a transaction of the head. */
export interface HeadTxContent {
  readonly inputs: readonly TxInput[]
  readonly outputs: readonly TxOutput[]
  readonly fee: bigint
  /** Units that it mints, or burns with a negative quantity. */
  readonly mint: ReadonlyMap<string, bigint>
  /** Text of the node's metadata, e.g. `HydraV2/InitTx`. */
  readonly name: string
}

/** Label under which the node's metadata names the kind of a transaction (Hydra.Tx.Utils). */
const METADATA_LABEL = 55_555n
const ALONZO_TAG = 259

/** Writes a transaction of the head, signed by the node's wallet; its scripts are simulated and not part of it. */
export function writeHeadTx({ inputs, outputs, fee, mint, name }: HeadTxContent, wallet: DevKey): Uint8Array {
  const metadata = encodeAuxiliaryData({ metadata: new Map([[METADATA_LABEL, Metadatum.from(name)]]) })
  const auxiliaryData = new CborWriter().tag(ALONZO_TAG).map(1).uint(0).raw(metadata).toBytes()
  const writer = new CborWriter().array(4).map(mint.size === 0 ? 4 : 5)
  writer.uint(BODY_KEY.INPUTS).tag(TAG_SET).array(inputs.length)
  for (const { txHash, index } of [...inputs].sort(compareInputs)) writer.array(2).bytes(hexToBytes(txHash)).uint(index)
  writer.uint(BODY_KEY.OUTPUTS).array(outputs.length)
  for (const output of outputs) writer.raw(encodeTxOutput(output))
  writer.uint(BODY_KEY.FEE).uint(fee)
  writer.uint(BODY_KEY.AUXILIARY_DATA_HASH).bytes(blake2b256(auxiliaryData))
  if (mint.size > 0) encodeMultiAsset(writer.uint(BODY_KEY.MINT), mint)
  const spans = readTransaction(writer.map(0).bool(true).raw(auxiliaryData).toBytes())
  const { publicKey, seed } = wallet
  return setVkeyWitnesses(spans, [
    { vkey: publicKey, signature: signWithSeed(transactionHash(spans), seed, publicKey) }
  ])
}

function compareInputs(a: TxInput, b: TxInput): number {
  return a.txHash === b.txHash ? a.index - b.index : a.txHash < b.txHash ? -1 : 1
}
