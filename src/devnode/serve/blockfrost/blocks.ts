import type { BaseBlock, BaseChain } from '../../chain/BaseChain.js'
import { EPOCH_SLOTS, epochOf, NETWORK_MAGIC } from '../../chain/BaseChain.js'
import type { JsonValue } from '../../json/jsonText.js'
import { sumOf } from './outputs.js'
import { IndexerFailure, notFound } from './reply.js'

/** Unix time of a block, s. */
export function blockTime(slot: number, { slotZeroMs }: Pick<BaseChain, 'slotZeroMs'>): number {
  return Math.floor(slotZeroMs / 1000) + slot
}

/** GET /blocks/{hash_or_number}: a hash that has been named, or a height. */
export function blockInfo(hashOrNumber: string, chain: BaseChain): JsonValue {
  if (/^\d+$/.test(hashOrNumber) && hashOrNumber.length < 16) {
    const height = Number(hashOrNumber)
    if (height > chain.tip.slot) throw notFound()
    return blockJson(chain.blockAt(height), chain)
  }
  if (!/^[0-9a-fA-F]{64}$/.test(hashOrNumber)) throw new IndexerFailure(400, 'Missing or malformed block hash.')
  const block = chain.blockOf(hashOrNumber.toLowerCase())
  if (block === undefined) throw notFound()
  return blockJson(block, chain)
}

/** GET /blocks/latest */
export function blockJson({ slot, hash }: BaseBlock, chain: BaseChain): JsonValue {
  const { epoch, epochSlot } = epochOf(slot)
  const tip = chain.tip.slot
  const transactions = [...chain.history.transactions()].filter((tx) => tx.slot === slot)
  const fees = transactions.reduce((sum, { submitted }) => sum + (submitted?.fee ?? 0n), 0n)
  const some = transactions.length > 0
  return {
    time: blockTime(slot, chain),
    height: slot,
    hash,
    slot,
    epoch,
    epoch_slot: epochSlot,
    // The blocks of a simulated ledger have no minter.
    slot_leader: 'local head node',
    size: transactions.reduce((sum, { submitted }) => sum + (submitted?.bytes.length ?? 0), 0),
    tx_count: transactions.length,
    output: some ? String(sumOf(transactions.flatMap(({ outputs }) => outputs)).get('lovelace')) : null,
    fees: some ? String(fees) : null,
    block_vrf: null,
    op_cert: null,
    op_cert_counter: null,
    previous_block: slot === 0 ? null : chain.blockAt(slot - 1).hash,
    next_block: slot < tip ? chain.blockAt(slot + 1).hash : null,
    confirmations: Math.max(0, tip - slot)
  }
}

/** GET /genesis */
export function genesisJson({ networkId, slotZeroMs }: BaseChain): JsonValue {
  return {
    active_slots_coefficient: 1,
    update_quorum: 5,
    max_lovelace_supply: '45000000000000000',
    network_magic: NETWORK_MAGIC[networkId],
    epoch_length: EPOCH_SLOTS,
    system_start: Math.floor(slotZeroMs / 1000),
    slots_per_kes_period: 129_600,
    slot_length: 1,
    max_kes_evolutions: 62,
    security_param: 2160
  }
}
