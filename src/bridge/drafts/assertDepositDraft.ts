import { parseAddress } from '../../codec/address.js'
import { bytesToHex, hexToBytes } from '../../codec/hex.js'
import type { OptionNames } from '../../codec/options.js'
import { readOptions } from '../../codec/options.js'
import { assertNoRepeatedEntries } from '../../codec/repeatedEntries.js'
import { readTransaction, toTransactionBytes, transactionId } from '../../codec/transaction.js'
import { readVkeyWitnesses } from '../../codec/witnessSet.js'
import { DEFAULT_MAX_FEE } from '../../constants.js'
import { isLayerError } from '../../errors/base.js'
import { InvalidArgumentError } from '../../errors/input.js'
import type { DraftDifference } from '../../errors/money.js'
import { DraftMismatchError } from '../../errors/money.js'
import { blake2b224 } from '../../hash/blake2b.js'
import type { UTxO } from '../../types/utxo.js'
import { toInputKey } from '../protocol/utxoJson.js'
import type { CommitRequest } from '../moves/deposits.js'
import { checkBody, decodeWhole } from './checkBody.js'
import type { Differ, DraftBounds, ReadDraft } from './checkBody.js'
import { checkOutputs } from './checkOutputs.js'
import { checkScripts } from './checkScripts.js'
import { checkWitnesses } from './checkWitnesses.js'
import { checkEmptyCommit } from './emptyCommit.js'
import type { ExpectedDeposit } from './expectedDeposit.js'
import { expectedDeposit, draftRefOf } from './expectedDeposit.js'

/** Request that a draft has to match. */
export interface DepositDraftRequest {
  /** Argument of `bridge.commit`. */
  commit: CommitRequest
  /** Id of the head that the deposit is for: hex, 56 characters; `bridge.getSnapshot().headId`. */
  headId: string
  /**
   * All outputs of the wallet on the base ledger. The draft may have one input that was not requested, from which the
   * node pays the fee; only with this list can the check tell it from an input of the wallet. @default the outputs of
   * `commit`
   */
  ownUtxos?: readonly UTxO[] | undefined
  /** The wallet's addresses: bech32. @default those of its outputs */
  ownAddresses?: readonly string[] | undefined
  /** Earliest time from which the owner may recover the deposit, ms since the Unix epoch. @default now */
  earliestRecoverableAt?: number | undefined
  /** Latest time from which the owner may recover the deposit, ms since the Unix epoch. @default in 30 days */
  latestRecoverableAt?: number | undefined
  /** Last slot that the draft may name as its upper bound. @default any */
  latestSlot?: number | undefined
  /** Most that the draft may pay as its fee, lovelace. @default 5_000_000n */
  maxFee?: bigint | undefined
  /**
   * Hash of the script that holds deposits: hex, 56 characters. It differs between versions of the node. @default any
   * script
   */
  depositScript?: string | undefined
}

/** Facts of a draft that matches its request. */
export interface CheckedDraft {
  /** Hex, 64 characters. */
  txId: string
  /**
   * Time from which the owner can recover the deposit, ms since the Unix epoch; null for the empty commit that opens a
   * head.
   */
  recoverableAt: number | null
}

const REQUEST: OptionNames<DepositDraftRequest> = {
  commit: true,
  headId: true,
  ownUtxos: true,
  ownAddresses: true,
  earliestRecoverableAt: true,
  latestRecoverableAt: true,
  latestSlot: true,
  maxFee: true,
  depositScript: true
}

const DAY_MS = 86_400_000
/** Maximum time that a deposit may be locked where the request states no limit. */
const LONGEST_LOCK_MS = 30 * DAY_MS

/** A draft as `bridge.commit` returns it. */
export interface DraftToCheck {
  /** The transaction, CBOR hex. */
  readonly cborHex: string
  /** Id that the node states: hex, 64 characters; compared with the hash of the body. */
  readonly txId?: string | undefined
}

/**
 * Checks a node's draft of a deposit against its request; call it before you sign. It checks that the draft spends the
 * requested outputs and no other of the wallet's; that its first output is a deposit at a script, for this head, of
 * exactly these references and outputs; that its deadline lies within bounds; that the rest returns to the change
 * address, to the last unit, while the node pays the fee; and that it holds no withdrawal, certificate, mint, vote,
 * proposal, required signer, script or metadata besides.
 *
 * @param draft - the result of `bridge.commit`.
 * @throws {@link DraftMismatchError} that names the difference; {@link InvalidArgumentError} when the request itself
 * cannot be read
 * @example
 * ```ts
 * import { assertDepositDraft, LayerBridge } from 'layer-sdk/bridge'
 * import { startDevNode } from 'layer-sdk/devnode'
 * import { ChainCliWallet } from 'layer-sdk/wallet'
 *
 * const node = await startDevNode({ port: 0 })
 * const [alice] = node.keys
 * const wallet = new ChainCliWallet({ networkId: 0, skey: alice.skey })
 * const bridge = new LayerBridge({ url: node.url })
 * await bridge.connect()
 * const { headId } = await bridge.commands.initSync(1, 10_000)
 *
 * const ownUtxos = node.baseUtxos(alice.address)
 * const commit = ownUtxos.slice(0, 1)
 * const draft = await bridge.commit(commit)
 * assertDepositDraft(draft, { commit, headId, ownUtxos })
 * const cborHex = await wallet.signTx(draft.cborHex, true)
 * await bridge.submitCardanoTransaction({ cborHex, description: '' })
 * await bridge.disconnect()
 * await node.stop()
 * ```
 */
export function assertDepositDraft(draft: DraftToCheck, request: DepositDraftRequest): CheckedDraft {
  const { commit, ...given } = readOptions(request, REQUEST, 'request')
  const expected = expectedDeposit(commit)
  const bounds = boundsOf(expected, given)
  const differences: DraftDifference[] = []
  const differ: Differ = (part, wanted, got) => differences.push({ part, expected: wanted, got })
  let checked: CheckedDraft
  try {
    checked = check(draft, expected, bounds, differ)
  } catch (error) {
    if (!isLayerError(error)) throw error
    // An unreadable draft does not match the request.
    throw new DraftMismatchError(
      [
        ...differences,
        { part: 'form', expected: 'a transaction as the ledger writes it', got: error.message.split('\n')[0]! }
      ],
      error
    )
  }
  if (differences.length > 0) throw new DraftMismatchError(differences)
  return checked
}

function check(
  draft: { readonly cborHex: string; readonly txId?: string | undefined },
  expected: ExpectedDeposit,
  bounds: DraftBounds,
  differ: Differ
): CheckedDraft {
  const read = readDraft(draft?.cborHex, expected)
  if (draft.txId !== undefined && draft.txId !== read.txId)
    differ('txId', `the draft's own id, ${read.txId}`, 'another')
  if (expected.spent.size === 0 && expected.blueprint === null) {
    checkEmptyCommit(read, bounds, differ)
    return { txId: read.txId, recoverableAt: null }
  }
  checkBody(read, expected, bounds, differ)
  const deadline = checkOutputs(read, expected, bounds, differ)
  checkWitnesses(read, expected, bounds, differ)
  checkScripts(read, expected, differ)
  return { txId: read.txId, recoverableAt: deadline === null ? null : Number(deadline) }
}

function readDraft(cborHex: string, { spent }: ExpectedDeposit): ReadDraft {
  const transaction = readTransaction(toTransactionBytes(cborHex))
  const body = decodeWhole(transaction)
  assertNoRepeatedEntries(transaction.bytes, body)
  return {
    transaction,
    body,
    txId: transactionId(transaction),
    foreign: body.inputs.map(toInputKey).filter((ref) => !spent.has(ref)),
    witnessKeys: new Set(readVkeyWitnesses(transaction).map(({ vkey }) => bytesToHex(blake2b224(vkey))))
  }
}

function boundsOf(expected: ExpectedDeposit, request: Omit<DepositDraftRequest, 'commit'>): DraftBounds {
  const { headId, ownUtxos = [], ownAddresses = [], latestSlot, maxFee = DEFAULT_MAX_FEE, depositScript } = request
  const { earliestRecoverableAt = Date.now(), latestRecoverableAt = Date.now() + LONGEST_LOCK_MS } = request
  hexToBytes(headId, 'request.headId', 28)
  if (depositScript !== undefined) hexToBytes(depositScript, 'request.depositScript', 28)
  if (typeof maxFee !== 'bigint' || maxFee < 0n)
    throw new InvalidArgumentError('request.maxFee', 'lovelace as a bigint', maxFee)
  for (const [name, time] of [
    ['earliestRecoverableAt', earliestRecoverableAt],
    ['latestRecoverableAt', latestRecoverableAt]
  ] as const)
    if (typeof time !== 'number' || !Number.isFinite(time))
      throw new InvalidArgumentError(`request.${name}`, 'ms since the Unix epoch', time)
  if (latestSlot !== undefined && !Number.isSafeInteger(latestSlot))
    throw new InvalidArgumentError('request.latestSlot', 'a slot', latestSlot)
  const addresses = [
    ...ownAddresses,
    ...ownUtxos.map(({ output }) => output.address),
    ...[...expected.spent.values()].map(({ address }) => address)
  ]
  const keys = [...new Set(addresses)].flatMap((address) => {
    const { payment, stake } = parseAddress(address)
    return [payment, stake].flatMap((credential) => (credential?.kind === 'key' ? [credential.hash] : []))
  })
  return {
    headId: headId.toLowerCase(),
    ownRefs: new Set([...ownUtxos.map(draftRefOf), ...expected.stated]),
    ownKeys: new Set(keys),
    earliestRecoverableAt,
    latestRecoverableAt,
    maxFee,
    latestSlot: latestSlot ?? null,
    depositScript: depositScript?.toLowerCase() ?? null
  }
}
