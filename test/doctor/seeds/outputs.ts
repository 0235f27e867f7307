import { bytesToHex, hexToBytes } from '../../../src/codec/hex'
import { parseAddress } from '../../../src/codec/address'
import { nativeScriptHash } from '../../../src/codec/nativeScript'
import { TxBuilder } from '../../../src/tx'
import { ADA, BYRON_ADDRESS, datumOf, SCRIPT_ADDRESS } from '../factsSupport'
import type { SeededHead, Seeds } from './seed'
import { ACCOUNTS, inHead, OWN } from './seed'

const KEY_HASH = parseAddress(OWN).payment!.hash
/** Native script that the own key satisfies: it mints and burns in the head. */
const MINT_SCRIPT = `8200581c${KEY_HASH}`
/** Token of the own policy. */
export const TOKEN = nativeScriptHash(hexToBytes(MINT_SCRIPT, 'script')) + bytesToHex(new TextEncoder().encode('Gold'))

/** Mints in the head, or burns a negative quantity. */
export async function mint({ client }: SeededHead, quantity: bigint): Promise<void> {
  const plain = client.getUtxos()!.filter(({ output }) => output.inlineDatum === undefined)
  const spent = quantity < 0n ? plain.filter(({ output }) => output.amount.length > 1) : plain.slice(0, 1)
  const builder = new TxBuilder().attachScript(MINT_SCRIPT).mint(TOKEN, quantity).spend(spent).changeTo(OWN)
  await client.submit(builder.build())
}

/** Spends outputs of the own account in the head into plain ones. */
export async function spendPlainly({ client }: SeededHead, refs: readonly string[]): Promise<void> {
  const spent = client.getUtxos()!.filter(({ input }) => refs.includes(`${input.txHash}#${input.index}`))
  await client.submit(new TxBuilder().spend(spent).changeTo(OWN).build())
}

const withDatum = ({ client }: SeededHead): string[] =>
  client
    .getUtxos()!
    .filter(({ output }) => output.inlineDatum !== undefined)
    .map(({ input }) => `${input.txHash}#${input.index}`)

const gold = (quantity: bigint): object => ({
  address: OWN,
  amount: [
    { unit: 'lovelace', quantity: String(10n * ADA) },
    { unit: TOKEN, quantity: String(quantity) }
  ]
})

const plain = (count: number): object[] => Array.from({ length: count }, () => ({ address: OWN, lovelace: 2n * ADA }))

/** Combines ten outputs in a payment to oneself: one output is enough to be below a limit again. */
const combineTen = (head: SeededHead): Promise<void> =>
  spendPlainly(
    head,
    head.client
      .getUtxos()!
      .slice(0, 10)
      .map(({ input }) => `${input.txHash}#${input.index}`)
  )

/** Heads whose outputs, or whose tokens, are the cause. */
export const OUTPUT_SEEDS: Seeds = {
  '4,096 outputs': {
    large: true,
    node: { inHead: plain(4_096) as never },
    codes: ['block outputs-limit'],
    cure: combineTen
  },
  '3,501 outputs': {
    large: true,
    node: { inHead: plain(3_501) as never },
    codes: ['warn outputs-limit'],
    cure: combineTen
  },
  'a token that was minted in it': {
    node: { inHead: inHead() },
    cause: (head) => mint(head, 5n),
    codes: ['block minted-token'],
    refs: () => [TOKEN],
    cure: (head) => mint(head, -5n)
  },
  'more of a token than entered it': {
    node: { inHead: inHead(gold(7n)) },
    cause: (head) => mint(head, 2n),
    codes: ['block minted-token'],
    refs: () => [TOKEN],
    cure: (head) => mint(head, -2n)
  },
  'a token that was burned in it': {
    node: { inHead: inHead(gold(7n)) },
    cause: (head) => mint(head, -3n),
    codes: ['block burned-token'],
    refs: () => [TOKEN],
    cure: (head) => mint(head, 3n)
  },
  'an output of a script with a datum': {
    node: { inHead: inHead({ address: SCRIPT_ADDRESS, lovelace: 9n * ADA, datum: '00' }) },
    codes: ['warn script-output'],
    noCure: 'the script of the sample is not known, and it alone pays out'
  },
  'a script without collateral': {
    node: {
      inHead: [
        { address: SCRIPT_ADDRESS, lovelace: 9n * ADA },
        { address: OWN, lovelace: 3n * ADA }
      ]
    },
    codes: ['warn last-collateral'],
    cure: async ({ client }) => void (await client.deposit({ amount: 8n * ADA }))
  },
  'eleven outputs with a datum': {
    node: {
      inHead: inHead(...Array.from({ length: 11 }, () => ({ address: OWN, lovelace: 2n * ADA, datum: '00' })))
    },
    codes: ['warn script-output'],
    cure: (head) => spendPlainly(head, withDatum(head).slice(0, 1))
  },
  'a datum of 10 KB': {
    node: { inHead: inHead({ address: OWN, lovelace: 60n * ADA, datum: datumOf(10_300) }) },
    codes: ['warn output-too-large'],
    cure: (head) => spendPlainly(head, withDatum(head))
  },
  'a datum of 15.6 KB': {
    node: { inHead: inHead({ address: OWN, lovelace: 90n * ADA, datum: datumOf(15_600) }) },
    codes: ['block output-too-large'],
    cure: (head) => spendPlainly(head, withDatum(head))
  },
  'twenty outputs that fill one step of a fanout': {
    node: {
      inHead: Array.from({ length: 22 }, () => ({ address: OWN, lovelace: 5n * ADA, datum: datumOf(472) })) as never
    },
    codes: ['warn exit-budget', 'warn script-output'],
    cure: (head) => spendPlainly(head, withDatum(head).slice(0, 12))
  },
  'a Byron address': {
    says: (text) => text.replaceAll(ACCOUNTS[1].address, BYRON_ADDRESS),
    node: { inHead: inHead({ address: ACCOUNTS[1].address, lovelace: 9n * ADA }) },
    codes: ['warn address-kind'],
    noCure: 'the local head holds no such output: only the text of the node shows one'
  },
  'an output price of 0, and dust': {
    node: { protocolParameters: { utxoCostPerByte: 0 }, inHead: inHead() },
    cause: async ({ client }) => void (await client.pay({ to: OWN, amount: 100_000n })),
    codes: ['block below-min-ada', 'warn below-min-ada'],
    noCure: 'the price is one of the parameters of the next head'
  },
  'dust that was combined, with an output price of 0': {
    node: { protocolParameters: { utxoCostPerByte: 0 }, inHead: inHead() },
    cause: async (head) => {
      await head.client.pay({ to: OWN, amount: 100_000n })
      await head.client.consolidate()
    },
    codes: ['warn below-min-ada'],
    noCure: 'the price is one of the parameters of the next head'
  }
}
