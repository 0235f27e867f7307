import type { Accelerator } from '../accumulator/inner.js'
import { InvalidArgumentError } from '../errors/input.js'
import type { Hex, TxOutput, UTxO } from '../types/utxo.js'
import type { NodeOutput } from '../verify/index.js'
import type { SetMemo } from './bindSet.js'
import type { EndpointAnswer } from './readBundle.js'
import type { VerifiedRecord } from './store.js'
import type { HeadIdOrigin, RecognitionTime } from './types.js'
import type { WalletAddresses } from './walletAddresses.js'
import { readWalletAddresses } from './walletAddresses.js'

/** An output of the base ledger that may be a head's. */
export interface HeadCandidate {
  /** Reference of the output. */
  readonly input: UTxO['input']
  /** The output, in this package's form or the node's JSON. */
  readonly output: TxOutput | NodeOutput
}

/** Input of {@link recognise}: all data that it needs, fetched before. */
export interface RecognitionMaterial {
  /** Id of the head: hex, 56 characters. */
  readonly headId: Hex
  /** Addresses of the wallet: bech32. */
  readonly addresses: readonly string[]
  /** Every unspent output with a token of the head's policy named HydraHeadV2, or V1. */
  readonly headOutputs: readonly HeadCandidate[]
  /** Answers of the head's endpoints to `GET /snapshot`. */
  readonly answers: readonly EndpointAnswer[]
  /** Unspent outputs that may be deposits of the wallet. @default none */
  readonly deposits?: readonly UTxO[] | undefined
  /** Time of the chain source. */
  readonly asOf: RecognitionTime
  /**
   * Head keys of the parties that the user pinned, in their order: hex, 64 characters each. Other keys in the datum are
   * a fault.
   */
  readonly parties?: readonly Hex[] | undefined
  /** Hashes of head scripts that the wallet knows: hex, 56 characters each. */
  readonly scripts?: readonly Hex[] | undefined
  /** Origin of the head id. @default 'configured' */
  readonly headIdFrom?: HeadIdOrigin | undefined
  /** True: only the proposed standard applies, without the additions of this package. @default false */
  readonly strict?: boolean | undefined
  /** Version of the endpoint's node, its `hydraNodeVersion`: a version that is too new explains a failed signature. */
  readonly nodeVersion?: string | undefined
  /** Deposit period of the head, ms. @default that of its datum */
  readonly depositPeriodMs?: number | undefined
  /** Deposits that the wallet knows as its own, which are never folded: hex, 64 characters each. @default none */
  readonly depositTxIds?: readonly Hex[] | undefined
  /**
   * Deposits without tokens and with less lovelace than this are not listed one by one but added up.
   * @default 2_000_000n
   */
  readonly dustLimit?: bigint | undefined
  /** The newest snapshot that was verified before: older ones are then refused. */
  readonly known?: VerifiedRecord | null | undefined
  /** Cache of commitments that were computed before. */
  readonly memo?: SetMemo | undefined
  /** Implementation that computes commitments faster. @default pure JavaScript, `@noble/curves` */
  readonly accelerator?: Accelerator | undefined
}

/** Material that has been checked. */
export interface CheckedMaterial extends RecognitionMaterial {
  readonly wallet: WalletAddresses
}

const ORIGINS: readonly HeadIdOrigin[] = ['own-deposit', 'configured', 'hint']

/** Returns the id when it is one. @throws {@link InvalidArgumentError} */
export function checkHeadId(headId: unknown): Hex {
  if (typeof headId !== 'string' || !/^[0-9a-f]{56}$/.test(headId))
    throw new InvalidArgumentError('headId', '56 lower-case hex characters', headId)
  return headId
}

/** @throws {@link InvalidArgumentError} */
export function checkDustLimit(limit: unknown): void {
  if (limit !== undefined && !(typeof limit === 'bigint' && limit >= 0n))
    throw new InvalidArgumentError('dustLimit', 'lovelace as a bigint', limit)
}

/** @throws {@link InvalidArgumentError} on arguments of another form */
export function checkMaterial(material: RecognitionMaterial): CheckedMaterial {
  const refuse = (name: string, expected: string): never => {
    throw new InvalidArgumentError(name, expected, (material as unknown as Record<string, unknown>)?.[name])
  }
  if (typeof material !== 'object' || material === null)
    throw new InvalidArgumentError('material', 'an object', material)
  checkHeadId(material.headId)
  for (const name of ['headOutputs', 'answers'] as const) if (!Array.isArray(material[name])) refuse(name, 'an array')
  if (!Number.isSafeInteger(material.asOf?.slot) || !Number.isFinite(material.asOf.timeMs))
    refuse('asOf', '{ slot, timeMs }')
  if (material.headIdFrom !== undefined && !ORIGINS.includes(material.headIdFrom))
    refuse('headIdFrom', ORIGINS.join(', '))
  for (const name of ['parties', 'scripts'] as const) {
    const list: unknown = material[name]
    if (list !== undefined && !(Array.isArray(list) && list.every((each) => typeof each === 'string')))
      refuse(name, 'an array of hex')
  }
  checkDustLimit(material.dustLimit)
  return { ...material, wallet: readWalletAddresses(material.addresses) }
}
