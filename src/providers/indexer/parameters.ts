import type { ProtocolParameters } from '../../types/provider.js'
import { costModels } from '../shared/parameters.js'
import type { ResponseReader } from '../shared/ResponseReader.js'

/**
 * Reads protocol parameters from the answer of GET /epochs/latest/parameters. This module is loaded on demand, because
 * only building transactions needs it.
 */
export function readParameters(value: Record<string, unknown>, read: ResponseReader): ProtocolParameters {
  const number = (field: string): number => read.whole(value[field], field)
  const big = (field: string): bigint => BigInt(read.quantity(value[field], field))
  const scriptFee = value['min_fee_ref_script_cost_per_byte']
  return {
    minFeeA: number('min_fee_a'),
    minFeeB: number('min_fee_b'),
    maxTxSize: number('max_tx_size'),
    maxValueSize: number('max_val_size'),
    coinsPerUtxoByte: big('coins_per_utxo_size'),
    keyDeposit: big('key_deposit'),
    poolDeposit: big('pool_deposit'),
    ...(typeof scriptFee === 'number' ? { minFeeRefScriptCostPerByte: scriptFee } : {}),
    costModels: costModels(value['cost_models_raw'], read),
    protocolVersion: { major: number('protocol_major_ver'), minor: number('protocol_minor_ver') },
    raw: value
  }
}
