import { Serialization } from '@cardano-sdk/core'
import * as CSL from '@emurgo/cardano-serialization-lib-nodejs'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { isLayerError } from '../../src/errors/base'
import { decodeTransaction } from '../../src/tx/index'
import type { DecodedTransaction } from '../../src/tx/index'
import { randomSource } from '../support/random'
import { randomTransaction } from '../support/randomTransaction'
import { fullRun, scaled } from '../support/scale'
import { loadVectors, setsHere } from '../support/vectors'

const SETS = setsHere('tx_conway', 'tx_conway_conformance', 'tx_hydra_generated', 'tx_older_eras', 'tx_conway_unproven')

interface CommonOutput {
  readonly address: string
  readonly amount: readonly string[]
  readonly datumHash: string | null
  readonly inlineDatum: string | null
  readonly hasScript: boolean
}

/** Members of a transaction that all three libraries show, in one form. */
interface Common {
  readonly inputs: readonly string[]
  readonly referenceInputs: readonly string[]
  readonly collateral: readonly string[]
  readonly outputs: readonly CommonOutput[]
  readonly fee: string
  readonly bounds: readonly (string | null)[]
  readonly mint: readonly string[]
  readonly requiredSigners: readonly string[]
  readonly totalCollateral: string | null
  readonly signers: readonly string[]
  readonly redeemers: readonly string[]
  readonly datums: readonly string[]
  readonly labels: readonly string[]
  readonly withdrawals: readonly string[]
  readonly hashes: readonly (string | null)[]
}

/**
 * The part on which @cardano-sdk/core can be right: it writes the attributes of Byron addresses anew, so that some become
 * others, and loses the datum hash of some outputs of the older form. The other library holds us to both.
 */
const asCoreShows = (common: Common, core: Common): Common => ({
  ...common,
  outputs: common.outputs.map((output, index) => ({
    ...output,
    ...(core.outputs[index]?.datumHash === null ? { datumHash: null } : {}),
    ...(output.address.startsWith('addr') ? {} : { address: 'Byron' })
  }))
})

function isUnreadable(cborHex: string): boolean {
  try {
    decodeTransaction(cborHex)
    return false
  } catch (error) {
    if (isLayerError(error)) return true
    throw error
  }
}

const text = (value: bigint | number | null | undefined): string | null => (value == null ? null : String(value))

function ours(tx: DecodedTransaction): Common {
  const refs = (list: DecodedTransaction['inputs']): string[] =>
    list.map(({ txHash, index }) => `${txHash}#${index}`).sort()
  return {
    inputs: refs(tx.inputs),
    referenceInputs: refs(tx.referenceInputs),
    collateral: refs(tx.collateral),
    outputs: tx.outputs.map(({ output }) => ({
      address: output.address,
      amount: output.amount
        .filter(({ quantity }) => quantity !== '0')
        .map(({ unit, quantity }) => `${unit} ${quantity}`)
        .sort(),
      datumHash: output.datumHash ?? null,
      inlineDatum: output.inlineDatum ?? null,
      hasScript: output.scriptRef !== undefined
    })),
    fee: String(tx.fee),
    bounds: [text(tx.validFrom), text(tx.validTo)],
    mint: tx.mint.map(({ unit, quantity }) => `${unit} ${quantity}`).sort(),
    requiredSigners: [...tx.requiredSigners].sort(),
    totalCollateral: text(tx.totalCollateral),
    // A witness that stands twice is shown twice here; the libraries keep one.
    signers: [
      ...new Set(tx.signers.filter(({ bootstrap }) => !bootstrap).map(({ vkey, signature }) => `${vkey} ${signature}`))
    ].sort(),
    redeemers: tx.redeemers
      .map(({ purpose, index, cborHex, mem, cpu }) => `${purpose}#${index} ${cborHex} ${mem} ${cpu}`)
      .sort(),
    datums: tx.datums.map(({ cborHex }) => cborHex).sort(),
    labels: [...tx.metadata.keys()].map(String).sort(),
    withdrawals: tx.withdrawals.map(({ address, amount }) => `${address} ${amount}`).sort(),
    hashes: [tx.auxiliaryDataHash, tx.scriptDataHash]
  }
}

const listOf = <T>(list: { len(): number; get(index: number): T } | undefined): T[] =>
  list === undefined ? [] : Array.from({ length: list.len() }, (_, index) => list.get(index))

function cslAmount(value: CSL.Value): string[] {
  const amount = [`lovelace ${value.coin().to_str()}`]
  const assets = value.multiasset()
  for (const policy of listOf(assets?.keys()))
    for (const name of listOf(assets!.get(policy)!.keys()))
      amount.push(`${policy.to_hex()}${bytesToHex(name.name())} ${assets!.get_asset(policy, name).to_str()}`)
  return amount.filter((each) => !each.endsWith(' 0')).sort()
}

const CSL_TAGS = ['spend', 'mint', 'cert', 'reward', 'vote', 'propose']

function byCsl(cborHex: string): Common {
  const tx = CSL.Transaction.from_hex(cborHex)
  const [body, witnesses] = [tx.body(), tx.witness_set()]
  const refs = (list: CSL.TransactionInputs | undefined): string[] =>
    listOf(list)
      .map((input) => `${input.transaction_id().to_hex()}#${input.index()}`)
      .sort()
  const mint = body.mint()
  const minted = new Map<string, bigint>()
  for (const policy of listOf(mint?.keys()))
    for (const assets of listOf(mint!.get(policy)))
      for (const name of listOf(assets!.keys())) {
        const unit = policy.to_hex() + bytesToHex(name.name())
        minted.set(unit, BigInt(assets!.get(name)!.to_str()))
      }
  const withdrawals = body.withdrawals()
  const byron = (address: CSL.Address): string =>
    CSL.ByronAddress.from_address(address)?.to_base58() ?? address.to_bech32()
  const metadata = tx.auxiliary_data()?.metadata()
  return {
    inputs: refs(body.inputs()),
    referenceInputs: refs(body.reference_inputs()),
    collateral: refs(body.collateral()),
    outputs: listOf(body.outputs()).map((output) => ({
      address: byron(output.address()),
      amount: cslAmount(output.amount()),
      datumHash: output.data_hash()?.to_hex() ?? null,
      inlineDatum: output.plutus_data()?.to_hex() ?? null,
      hasScript: output.has_script_ref()
    })),
    fee: body.fee().to_str(),
    bounds: [body.validity_start_interval_bignum()?.to_str() ?? null, body.ttl_bignum()?.to_str() ?? null],
    mint: [...minted]
      .filter(([, amount]) => amount !== 0n)
      .map(([unit, amount]) => `${unit} ${amount}`)
      .sort(),
    requiredSigners: listOf(body.required_signers())
      .map((hash) => hash.to_hex())
      .sort(),
    totalCollateral: body.total_collateral()?.to_str() ?? null,
    signers: listOf(witnesses.vkeys())
      .map((each) => `${each.vkey().public_key().to_hex()} ${each.signature().to_hex()}`)
      .sort(),
    redeemers: listOf(witnesses.redeemers())
      .map((each) => {
        const units = each.ex_units()
        const purpose = CSL_TAGS[each.tag().kind()]
        return `${purpose}#${each.index().to_str()} ${each.data().to_hex()} ${units.mem().to_str()} ${units.steps().to_str()}`
      })
      .sort(),
    datums: listOf(witnesses.plutus_data())
      .map((data) => data.to_hex())
      .sort(),
    labels: listOf(metadata?.keys())
      .map((label) => label.to_str())
      .sort(),
    withdrawals: listOf(withdrawals?.keys())
      .map((account) => `${account.to_address().to_bech32()} ${withdrawals!.get(account)!.to_str()}`)
      .sort(),
    hashes: [body.auxiliary_data_hash()?.to_hex() ?? null, body.script_data_hash()?.to_hex() ?? null]
  }
}

const CORE_TAGS = ['spend', 'mint', 'cert', 'reward', 'vote', 'propose']

function byCore(cborHex: string): Common {
  const tx = Serialization.Transaction.fromCbor(cborHex as never)
  const [body, witnesses] = [tx.body(), tx.witnessSet()]
  const refs = (list: readonly Serialization.TransactionInput[] | undefined): string[] =>
    (list ?? []).map((input) => `${input.transactionId()}#${input.index()}`).sort()
  return {
    inputs: refs(body.inputs().values()),
    referenceInputs: refs(body.referenceInputs()?.values()),
    collateral: refs(body.collateral()?.values()),
    outputs: body.outputs().map((output) => {
      const { address, datumHash } = output.toCore()
      const value = output.amount()
      return {
        address: String(address),
        amount: [
          `lovelace ${value.coin()}`,
          ...[...(value.multiasset() ?? [])].map(([unit, amount]) => `${unit} ${amount}`)
        ]
          .filter((each) => !each.endsWith(' 0'))
          .sort(),
        datumHash: datumHash?.toString() ?? null,
        inlineDatum: output.datum()?.asInlineData()?.toCbor().toString() ?? null,
        hasScript: output.scriptRef() !== undefined
      }
    }),
    fee: String(body.fee()),
    bounds: [text(body.validityStartInterval()), text(body.ttl())],
    mint: [...(body.mint() ?? [])]
      .filter(([, amount]) => amount !== 0n)
      .map(([unit, amount]) => `${unit} ${amount}`)
      .sort(),
    requiredSigners: (body.requiredSigners()?.values() ?? []).map((hash) => String(hash.value())).sort(),
    totalCollateral: text(body.totalCollateral()),
    signers: [
      ...new Set((witnesses.vkeys()?.values() ?? []).map((each) => `${each.vkey()} ${each.signature()}`))
    ].sort(),
    redeemers: (witnesses.redeemers()?.values() ?? [])
      .map((each) => {
        const units = each.exUnits()
        return `${CORE_TAGS[each.tag()]}#${each.index()} ${each.data().toCbor()} ${units.mem()} ${units.steps()}`
      })
      .sort(),
    datums: (witnesses.plutusData()?.values() ?? []).map((data) => String(data.toCbor())).sort(),
    labels: [...(tx.auxiliaryData()?.metadata()?.metadata()?.keys() ?? [])].map(String).sort(),
    withdrawals: [...(body.withdrawals() ?? [])].map(([account, amount]) => `${account} ${amount}`).sort(),
    hashes: [body.auxiliaryDataHash()?.toString() ?? null, body.scriptDataHash()?.toString() ?? null]
  }
}

/** The other library's reading; null where it cannot read the transaction at all. */
function readingOf(read: (cborHex: string) => Common, cborHex: string): Common | null {
  try {
    return read(cborHex)
  } catch {
    return null
  }
}

describe('decodeTransaction', () => {
  it.each(SETS)('reads as cardano-serialization-lib and @cardano-sdk/core do: %s', (set) => {
    const unread = { csl: 0, core: 0 }
    // The older eras alone are some thousand.
    const vectors = loadVectors(set).filter((_, i, { length }) => fullRun || i % Math.ceil(length / 300) === 0)
    for (const { txId, cborHex, isValid } of vectors) {
      const [csl, core] = [readingOf(byCsl, cborHex), readingOf(byCore, cborHex)]
      if (isUnreadable(cborHex)) {
        // Of the unproven ones alone: transactions that no ledger has accepted, e.g. with a script of no language.
        expect([set, csl === null || core === null]).toEqual(['tx_conway_unproven', true])
        continue
      }
      const tx = decodeTransaction(cborHex)
      expect(tx.txId).toBe(txId)
      expect(tx.cborHex).toBe(cborHex)
      if (isValid !== undefined) expect(tx.isValid).toBe(isValid)
      const own = ours(tx)
      if (csl === null) unread.csl++
      else expect({ txId, ...own }).toEqual({ txId, ...csl })
      if (core === null) unread.core++
      else expect({ txId, ...asCoreShows(own, core) }).toEqual({ txId, ...asCoreShows(core, core) })
    }
    expect([unread.csl <= vectors.length / 4, unread.core <= vectors.length / 4, unread]).toEqual([true, true, unread])
  })

  it(
    'reads random transactions as both libraries do',
    () => {
      const random = randomSource('decodeTransaction')
      for (let i = 0; i < scaled(10_000); i++) {
        const cborHex = randomTransaction(random)
        const own = ours(decodeTransaction(cborHex))
        expect({ cborHex, ...own }).toEqual({ cborHex, ...byCsl(cborHex) })
        expect({ cborHex, ...own }).toEqual({ cborHex, ...byCore(cborHex) })
      }
    },
    fullRun ? 3_600_000 : 120_000
  )

  it(
    'throws typed errors alone on mutated transactions',
    () => {
      const random = randomSource('mutated')
      const vectors = SETS.flatMap((set) => loadVectors(set))
      let refused = 0
      for (let i = 0; i < scaled(10_000); i++) {
        const bytes = hexToBytes(
          i % 2 === 0 ? (random.pick(vectors)['cborHex'] as string) : randomTransaction(random)
        ).slice()
        for (let change = 0; change <= random.below(3); change++) bytes[random.below(bytes.length)] = random.below(256)
        const mutated = random.below(4) === 0 ? bytes.subarray(0, random.below(bytes.length)) : bytes
        try {
          expect(decodeTransaction(bytesToHex(mutated)).txId).toHaveLength(64)
        } catch (error) {
          expect([isLayerError(error), error]).toEqual([true, error])
          refused++
        }
      }
      expect(refused).toBeGreaterThan(scaled(10_000) / 4)
    },
    fullRun ? 3_600_000 : 120_000
  )

  it.each([[undefined], [7], [''], ['zz'], ['84'], ['a0'], ['83a0a0f6ff'], ['f'.repeat(99)]])(
    'refuses %p as no transaction',
    (value) => {
      expect(() => decodeTransaction(value as string)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^INPUT|^INVALID|ARGUMENT|CBOR|HEX/) })
      )
    }
  )

  it('refuses an output with two addresses, of which decoders show different ones', () => {
    const address = (fill: string) => `581d60${fill.repeat(28)}`
    const output = (keys: string) => `84a300818258${'20'}${'00'.repeat(32)}000181${keys}0200a0f5f6`
    expect(decodeTransaction(output(`a200${address('11')}0105`)).outputs).toHaveLength(1)
    expect(() => decodeTransaction(output(`a300${address('11')}010500${address('22')}`))).toThrow('key 0 again')
  })
})
