import { assertHex, fail, isPlainRecord, ownMember, readOutput, reading } from '../accumulator/inner.js'
import { bytesToHex } from '../codec/hex.js'
import type { PlutusData } from '../codec/plutusData.js'
import type { Hex } from '../types/utxo.js'
import { readParties } from './signatures.js'
import type { AnyOutput } from './types.js'
import { optionsOf } from './verdict.js'

/**
 * "HydraHeadV1" (nodes to 1.3) and "HydraHeadV2" (from 2.0) in hex: the name of the token that marks a head's output.
 */
const TOKENS = { v1: '4879647261486561645631', v2: '4879647261486561645632' } as const

/**
 * Positions of the head id and the parties, by constructor of the state.
 * @see cardano-scaling/hydra, Contract/HeadState.hs, State
 */
const PLACES: Readonly<
  Record<keyof typeof TOKENS, Readonly<Record<string, readonly [headId: number, parties: number]>>>
> = {
  v1: { 1: [0, 1], 2: [0, 1] },
  v2: { 0: [1, 2], 1: [0, 1], 3: [0, 1] }
}

/** Arguments of {@link partiesFromDatum}. */
export interface HeadOutput {
  /** The head's output on the base ledger, with its inline datum, from a provider that you trust. */
  readonly output: AnyOutput
  /** The head's id from a source that you trust, such as a contract or a person: hex, 56 characters. */
  readonly headId: Hex
}

/**
 * Returns the head keys of the parties, in their order, from the server's `GET /head`. They are the server's own claim,
 * so they give no protection against a dishonest server.
 *
 * @throws {@link VerificationError} with reason `parties`.
 * @example
 * ```ts
 * import { partiesFromHead } from 'layer-sdk/verify'
 * const vkey = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'
 * console.log(partiesFromHead({ tag: 'Open', contents: { parameters: { parties: [{ vkey }] } } }).length) // 1
 * ```
 */
export function partiesFromHead(head: unknown): Hex[] {
  return reading('parties', 'The body of GET /head', () => {
    const contents = isPlainRecord(head) ? ownMember(head, 'contents') : undefined
    const parameters = isPlainRecord(contents) ? ownMember(contents, 'parameters') : undefined
    return toHexKeys(isPlainRecord(parameters) ? ownMember(parameters, 'parties') : undefined)
  })
}

/**
 * Returns the head keys of the parties from a HeadIsOpen message (nodes from 2.0) or HeadIsInitializing (up to 1.3).
 * They are the server's own claim, so they give no protection against a dishonest server.
 *
 * @throws {@link VerificationError} with reason `parties`.
 * @example
 * ```ts
 * import { partiesFromHeadIsOpen } from 'layer-sdk/verify'
 * const vkey = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'
 * console.log(partiesFromHeadIsOpen({ tag: 'HeadIsOpen', parties: [{ vkey }] }).length) // 1
 * ```
 */
export function partiesFromHeadIsOpen(message: unknown): Hex[] {
  return reading('parties', 'The message', () =>
    toHexKeys(isPlainRecord(message) ? ownMember(message, 'parties') : undefined)
  )
}

/**
 * Returns the head keys of the parties from the head's output on the base ledger, the only source that does not depend
 * on the head's server.
 *
 * The result is only as trustworthy as the head id, because anyone can mint a token of that name under their own policy
 * and name their own parties. So the id must come from a source other than the server. The output must hold exactly one
 * token `HydraHeadV2` (`HydraHeadV1` up to node 1.3) with the id as its policy, and its datum must contain the id.
 *
 * @throws {@link VerificationError} with reason `parties`.
 * @example
 * ```ts no-run
 * import { RpcProvider } from 'layer-sdk/providers'
 * import { partiesFromDatum } from 'layer-sdk/verify'
 * const headId = 'd5c0a8bebabbe1d935110f2ddc31ea83e412b17705bec77f2fb7f420'
 * const { fetcher } = new RpcProvider({ apiEndpoint: 'ws://127.0.0.1:1337', network: 'preprod' })
 * const [utxo] = await fetcher.fetchUTxOs([{ txHash: '02'.repeat(32), index: 0 }])
 * const parties = partiesFromDatum({ output: utxo!.output, headId })
 * ```
 */
export function partiesFromDatum(options: HeadOutput): Hex[] {
  return reading('parties', 'The output', () => {
    const { output, headId } = optionsOf(options)
    const policy = assertHex('parties', 'The headId', headId, 28)
    const { assets, datum } = readOutput(output)
    const headTokens = assets.get(policy)
    const version = (['v2', 'v1'] as const).find((each) => headTokens?.get(TOKENS[each]) === 1n)
    if (version === undefined)
      return fail('parties', 'The output', 'one that holds one HydraHead token of this head', 'another')
    if (datum.kind !== 'inline') return fail('parties', 'The output', 'an inline datum', datum.kind)
    return partiesOfState(datum.data, version, policy)
  })
}

function partiesOfState(state: PlutusData, version: keyof typeof TOKENS, headId: string): Hex[] {
  const { index, fields } = state.asConstr()
  const place = PLACES[version][String(index)]
  const inner = fields[0]
  if (place === undefined || inner === undefined || fields.length !== 1)
    return fail('parties', 'The datum', 'the state of an open or closed head', `constructor ${index}`)
  const parts = inner.asConstr()
  const [idAt, partiesAt] = place
  const [id, parties] = [parts.fields[idAt], parts.fields[partiesAt]]
  if (parts.index !== 0n || id === undefined || parties === undefined)
    return fail('parties', 'The datum', 'the state of a head', 'another')
  if (bytesToHex(id.asBytes()) !== headId) fail('parties', 'The datum', 'the head id of its token', 'another')
  return toHexKeys(parties.asList().map((party) => bytesToHex(party.asBytes())))
}

function toHexKeys(parties: unknown): Hex[] {
  return readParties(parties).map(bytesToHex)
}
