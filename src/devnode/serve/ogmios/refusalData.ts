import { minLovelaceOfSize } from '../../../codec/txOutput.js'
import type { Value } from '../../../codec/value.js'
import { addUnit, addValue, LOVELACE } from '../../../codec/value.js'
import type { BaseChain } from '../../chain/BaseChain.js'
import type { PreparedTx } from '../../rules/preparedTx.js'
import { entryRefOf } from '../../rules/utxoSet.js'
import type { JsonValue } from '../../json/jsonText.js'
import { lovelaceJson, outputJson, ogmiosValue } from './outputJson.js'
import { hashes } from './refusalRule.js'

export function validityInterval(_reason: string, { validityStart, ttl }: PreparedTx, { tip }: BaseChain): JsonValue {
  return { validityInterval: { invalidBefore: validityStart, invalidAfter: ttl }, currentSlot: tip.slot }
}

export function networkMismatch(reason: string, _tx: PreparedTx, { networkId }: BaseChain): JsonValue {
  const expectedNetwork = networkId === 1 ? 'mainnet' : 'testnet'
  if (reason.includes('WrongNetworkInTxBody')) return { expectedNetwork, discriminatedType: 'transaction' }
  const type = reason.includes('WrongNetworkWithdrawal') ? 'rewardAccount' : 'address'
  return {
    expectedNetwork,
    discriminatedType: type,
    invalidEntities: hashes(/(?:Addr|RewardAccount) "([0-9a-zA-Z_]+)"/g, reason)
  }
}

export function integrityHashes(reason: string): JsonValue {
  const parts = reason.match(/SNothing|SafeHash "[0-9a-f]{64}"/g) ?? []
  const [provided = null, computed = null] = parts.map((part) => /"([0-9a-f]{64})"/.exec(part)?.[1] ?? null)
  return { providedScriptIntegrity: provided, computedScriptIntegrity: computed }
}

export function withdrawals(reason: string): JsonValue {
  const found = [...reason.matchAll(/RewardAccount "([0-9a-z_]+)",Coin (\d+)/g)]
  return {
    incompleteWithdrawals: Object.fromEntries(
      found.map(([, account, lovelace]) => [account!, lovelaceJson(BigInt(lovelace!))])
    )
  }
}

export function smallOutputs(_reason: string, tx: PreparedTx, { parameters }: BaseChain): JsonValue {
  const least = tx.outputSizes.map(({ output }) =>
    minLovelaceOfSize(output, BigInt(parameters['utxoCostPerByte'] as number))
  )
  const small = tx.outputs.flatMap((entry, i) => {
    return (entry.value.get(LOVELACE) ?? 0n) < least[i]!
      ? [{ output: outputJson(entry), minimumRequiredValue: lovelaceJson(least[i]!) }]
      : []
  })
  return { insufficientlyFundedOutputs: small }
}

/** Consumed = inputs, withdrawn and minted; produced = outputs, fee and burned. */
export function values(_reason: string, tx: PreparedTx, chain: BaseChain): JsonValue {
  const consumed: Value = new Map()
  const produced: Value = new Map()
  for (const input of tx.inputs) addValue(consumed, chain.get(entryRefOf(input))?.value ?? new Map())
  for (const { amount } of tx.withdrawals) addUnit(consumed, LOVELACE, amount)
  for (const { value } of tx.outputs) addValue(produced, value)
  addUnit(produced, LOVELACE, tx.fee)
  for (const [unit, quantity] of tx.mint)
    addUnit(quantity > 0n ? consumed : produced, unit, quantity > 0n ? quantity : -quantity)
  return { valueConsumed: ogmiosValue(consumed), valueProduced: ogmiosValue(produced) }
}
