import * as CSL from '@emurgo/cardano-serialization-lib-nodejs'
import { addressToString, baseAddress, enterpriseAddress } from '../../src/codec/address'
import { CborReader } from '../../src/codec/cbor/reader'
import { encodeDepositDatum } from '../../src/codec/depositDatum'
import { bytesToHex } from '../../src/codec/hex'
import type { TxOutput } from '../../src/types/utxo'

// cardano-scaling/hydra, docs/how-to/incremental-commit.md: a deposit that a node drafted.
const POLICY = 'dcf5fdd1d01c04b0e6262bba173a89c4b81b6570211f08bc059c8a75'
const KEY_HASH = 'a665a1ff95fe045c432c1ae8c1694a67d2fbfa373a3eb50db1e53be5'
const PUBLISHED = {
  headId: 'e9e21b6e4f59b3c62721c99109e76abb46e018e4fc184b16e58d650a',
  deadlineMs: 1759768581709,
  input: { txHash: '8451c42d1a1b48fdb1b1d2b014dc700cbba15b3c20addb2076feeceeeb3d22a4', index: 0 },
  amount: [
    { unit: 'lovelace', quantity: '15000000' },
    { unit: `${POLICY}58cfd525f109`, quantity: '2' },
    { unit: `${POLICY}60c477033b55e1`, quantity: '6560058562233977644' },
    { unit: `${POLICY}ab5f4e6486d24ad6744e54f95dd1bc4dbbe721`, quantity: '3250906605877226653' },
    { unit: `${POLICY}f26fe54468b98902751e8d54553c1878b5f952d486`, quantity: '1' }
  ],
  serialised:
    'd8799fd8799fd8799f581ca665a1ff95fe045c432c1ae8c1694a67d2fbfa373a3eb50db1e53be5ffd87a80ffa240a1401a00e4e1c0581cdcf5fdd1d01c04b0e6262bba173a89c4b81b6570211f08bc059c8a75' +
    'a44658cfd525f109024760c477033b55e11b5b0a028173b74b2c53ab5f4e6486d24ad6744e54f95dd1bc4dbbe7211b2d1d8a5581486c9d55f26fe54468b98902751e8d54553c1878b5f952d48601d87980d87a80ff'
}
const ALICE = addressToString(enterpriseAddress(0, { kind: 'key', hash: KEY_HASH }))

/** Head id, deadline, and references and serialised outputs, as a second implementation reads them. */
function read(datum: Uint8Array): unknown {
  const fields = (data: CSL.PlutusData): CSL.PlutusData[] => {
    const list = data.as_constr_plutus_data()!.data()
    return Array.from({ length: list.len() }, (_, i) => list.get(i))
  }
  const [headId, deadline, list] = fields(CSL.PlutusData.from_bytes(datum)) as [
    CSL.PlutusData,
    CSL.PlutusData,
    CSL.PlutusData
  ]
  const items = list.as_list()!
  return {
    headId: Buffer.from(headId.as_bytes()!).toString('hex'),
    deadlineMs: Number(deadline.as_integer()!.to_str()),
    deposited: Array.from({ length: items.len() }, (_, i) => {
      const [ref, output] = fields(items.get(i)) as [CSL.PlutusData, CSL.PlutusData]
      const [txHash, index] = fields(ref) as [CSL.PlutusData, CSL.PlutusData]
      return [
        `${Buffer.from(txHash.as_bytes()!).toString('hex')}#${index.as_integer()!.to_str()}`,
        Buffer.from(output.as_bytes()!).toString('hex')
      ]
    })
  }
}

describe('encodeDepositDatum', () => {
  const { headId, deadlineMs, input, amount, serialised } = PUBLISHED

  it('writes the datum of the deposit that the node project publishes, output for output', () => {
    const datum = encodeDepositDatum({ headId, deadlineMs, deposited: [{ input, output: { address: ALICE, amount } }] })
    expect(read(datum)).toEqual({ headId, deadlineMs, deposited: [[`${input.txHash}#0`, serialised]] })
  })

  it('writes byte strings of more than 64 bytes in chunks, as plutus-core reads them', () => {
    const datum = encodeDepositDatum({ headId, deadlineMs, deposited: [{ input, output: { address: ALICE, amount } }] })
    expect(bytesToHex(datum)).toContain(`5f5840${serialised.slice(0, 128)}`)
    new CborReader(datum).skip()
  })

  it('writes an empty deposit with an empty list', () => {
    expect(bytesToHex(encodeDepositDatum({ headId, deadlineMs: 0, deposited: [] }))).toBe(`d8799f581c${headId}0080ff`)
  })

  it('keeps stake credentials and datums', () => {
    const stake = { kind: 'script', hash: 'bb'.repeat(28) } as const
    const address = addressToString(baseAddress(0, { kind: 'key', hash: KEY_HASH }, stake))
    const serialisedOf = (output: TxOutput) =>
      (read(encodeDepositDatum({ headId, deadlineMs, deposited: [{ input, output }] })) as { deposited: string[][] })
        .deposited[0]![1]
    const lovelace = [{ unit: 'lovelace', quantity: '5' }]
    expect(serialisedOf({ address, amount: lovelace })).toContain(`d8799fd8799fd87a9f581c${stake.hash}ffffff`)
    expect(serialisedOf({ address, amount: lovelace, inlineDatum: '182a' })).toContain('d87b9f182affd87a80ff')
    expect(serialisedOf({ address, amount: lovelace, datumHash: 'cc'.repeat(32) })).toContain(
      `d87a9f5820${'cc'.repeat(32)}ffd87a80ff`
    )
  })
})
