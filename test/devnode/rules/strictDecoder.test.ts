import { Transaction } from '@emurgo/cardano-serialization-lib-nodejs'
import { decode_specific_type } from '@cardananium/cquisitor-lib'
import { Emulator, SlotConfig } from 'scalus'
import { CborWriter } from '../../../src/codec/cbor/writer'
import { bytesToHex, hexToBytes } from '../../../src/codec/hex'
import { prepareTx } from '../../../src/devnode/rules/preparedTx'
import { isLayerError } from '../../../src/errors'
import { blake2b256 } from '../../../src/hash/blake2b'
import { describeWithShared, sharedVectors } from '../../support/vectors'
import { deposit, newTx, openHead, request, setUp } from '../harness'
import type { TxParts } from '../transactions'
import { ada, buildTx, envelopeOf, signTx } from '../transactions'

// What cardano-ledger at bbf7722 cannot decode at protocol versions 9 to 11:
// eras/conway/impl/src/Cardano/Ledger/Conway/TxBody.hs:181, eras/alonzo/impl/src/Cardano/Ledger/Alonzo/TxWits.hs:605
// and TxAuxData.hs:215.

type Foreign = 'csl' | 'cquisitor' | 'scalus'

const { alice, bob } = setUp()
const SPENT = { txHash: '01'.repeat(32), index: 0 }
const good: TxParts = { inputs: [SPENT], outputs: [ada(bob.address, 5_000_000n)] }
const uint = (value: number): Uint8Array => new CborWriter().uint(value).toBytes()
const EMPTY_LIST = hexToBytes('80')
const EMPTY_SET = hexToBytes('d9010280')
const EMPTY_MAP = hexToBytes('a0')
const list = (...items: Uint8Array[]): Uint8Array =>
  items.reduce((writer, item) => writer.raw(item), new CborWriter().array(items.length)).toBytes()
const input = (index: number): Uint8Array => new CborWriter().array(2).bytes(new Uint8Array(32)).uint(index).toBytes()
const hash28 = new CborWriter().bytes(new Uint8Array(28)).toBytes()
const body = (key: number, value: Uint8Array): TxParts => ({ ...good, extra: [[key, value]] })
const witness = (key: number, value: Uint8Array): TxParts => ({ ...good, witnesses: [[key, value]] })
/** Auxiliary data with its hash in the body. */
const auxiliary = (hex: string): TxParts => {
  const auxiliaryData = hexToBytes(hex)
  return { ...good, extra: [[7, new CborWriter().bytes(blake2b256(auxiliaryData)).toBytes()]], auxiliaryData }
}
const V3_SCRIPT = new CborWriter().bytes(hexToBytes('450101002499')).toBytes()
const certificate = hexToBytes('82008200581c' + '00'.repeat(28))
const withdrawal = new CborWriter()
  .bytes(Uint8Array.of(0xe0, ...new Uint8Array(28)))
  .uint(1)
  .toBytes()

/** Broken in one place, with the decoders of others that refuse it too. */
const MALFORMED: readonly [string, TxParts, readonly Foreign[]][] = [
  ['empty certificates', body(4, EMPTY_SET), ['scalus']],
  ['empty withdrawals', body(5, EMPTY_MAP), ['scalus']],
  ['an empty mint', body(9, EMPTY_MAP), ['scalus']],
  ['an empty set of collateral', body(13, EMPTY_SET), ['scalus']],
  ['an empty list of collateral', body(13, EMPTY_LIST), ['scalus']],
  ['empty required signers', body(14, EMPTY_SET), ['scalus']],
  ['empty reference inputs', body(18, EMPTY_SET), ['scalus']],
  ['empty votes', body(19, EMPTY_MAP), ['scalus']],
  ['empty proposals', body(20, EMPTY_SET), []],
  ['an empty set of native scripts', witness(1, EMPTY_SET), ['scalus']],
  ['an empty list of key witnesses', witness(0, EMPTY_LIST), ['scalus']],
  ['an empty set of Byron witnesses', witness(2, EMPTY_SET), ['scalus']],
  ['an unknown key of the witness set', witness(8, EMPTY_LIST), ['csl', 'cquisitor']],
  ['the same Plutus script twice', witness(7, list(V3_SCRIPT, V3_SCRIPT)), ['scalus']],
  ['an unknown key of auxiliary data', auxiliary('d90103a10580'), ['csl', 'cquisitor']],
  ['the same key of auxiliary data twice', auxiliary('d90103a200a000a0'), ['csl', 'cquisitor']],
  ['auxiliary data of three parts', auxiliary('83a08080'), ['scalus']],
  ['a label of the metadata twice', auxiliary('a201000100'), ['csl', 'cquisitor']],
  ['a native script in auxiliary data that is none', auxiliary('82a0818109'), ['csl', 'cquisitor', 'scalus']],
  ['Plutus scripts of auxiliary data in a tagged set', auxiliary('d90103a102d9010280'), ['scalus']],
  ['a reference input with index 65,536', body(18, list(input(65_536))), []],
  ['an input with index 65,536', { ...good, inputs: [{ ...SPENT, index: 65_536 }] }, []],
  ['the network id 2', body(15, uint(2)), ['csl', 'cquisitor', 'scalus']],
  ['a reference input twice', body(18, list(input(3), input(3))), []],
  ['a required signer twice', body(14, list(hash28, hash28)), []],
  ['a certificate twice', body(4, list(certificate, certificate)), ['scalus']],
  [
    'a withdrawal twice',
    body(5, new CborWriter().map(2).raw(withdrawal).raw(withdrawal).toBytes()),
    ['csl', 'cquisitor']
  ],
  ['a donation of nothing', body(22, uint(0)), ['scalus']]
]

/** As close to the edge as the decoder takes it. */
const WELL_FORMED: readonly [string, TxParts][] = [
  ['auxiliary data with all that Conway knows', auxiliary('d90103a500a001800280038004' + '80')],
  ['auxiliary data of two parts', auxiliary('82a080')],
  ['an input with index 65,535', { ...good, inputs: [{ ...SPENT, index: 65_535 }] }],
  ['a reference input with index 65,535', body(18, list(input(65_535)))],
  ['both network ids', body(15, uint(1))]
]

const signedBytes = (parts: TxParts): Uint8Array => {
  const tx = buildTx(parts)
  // Signing would replace the key witnesses that are the matter.
  return parts.witnesses?.some(([key]) => key === 0) === true ? tx : signTx(tx, alice)
}

/** Whether the decoder of somebody else refuses it. */
const REFUSES: Readonly<Record<Foreign, (tx: Uint8Array) => boolean>> = {
  csl: (tx) => throws(() => void Transaction.from_bytes(tx)),
  cquisitor: (tx) => throws(() => void decode_specific_type(bytesToHex(tx), 'Transaction', {})),
  // It answers what it cannot decode with an exception, and a broken rule with a refusal.
  scalus: (tx) => throws(() => void new Emulator(EMPTY_MAP, new SlotConfig(0, 0, 1000)).submitTx(tx))
}
function throws(run: () => void): boolean {
  try {
    run()
    return false
  } catch {
    return true
  }
}

describe('a transaction that the ledger cannot decode', () => {
  it.each(MALFORMED)('is refused on both ledgers before any rule is asked: %s', async (_, parts) => {
    const setup = openHead()
    const tx = signedBytes(parts)
    const envelope = envelopeOf(tx)
    const error = await setup.node.submitBaseTx(bytesToHex(tx)).catch((reason: unknown) => reason)
    expect(isLayerError(error) && error.code).toBe('INPUT_CBOR')
    expect((await request(setup.node, 'POST', '/cardano-transaction', envelope)).status).toBe(400)
    setup.client.take()
    setup.client.send(newTx(envelope))
    expect(setup.client.messages).toEqual([
      expect.objectContaining({ reason: expect.any(String), input: expect.any(String) })
    ])
  })

  it.each(MALFORMED)('is refused by these decoders of others and by no other: %s', (_, parts, foreign) => {
    const tx = signedBytes(parts)
    const refusing = (Object.keys(REFUSES) as Foreign[]).filter((name) => REFUSES[name](tx))
    expect(refusing).toEqual(foreign)
  })
})

describe('a transaction at the edge of what the ledger decodes', () => {
  it.each(WELL_FORMED)('is judged by the rules: %s', async (_, parts) => {
    const setup = openHead({ timings: { invalidRetries: 0 } })
    await deposit(setup, alice)
    const tx = signedBytes(parts)
    const reasons = await setup.node.submitBaseTx(bytesToHex(tx))
    expect(reasons.length).toBeGreaterThan(0)
    setup.client.send(newTx(envelopeOf(tx)))
    expect(setup.client.all('TxInvalid')).toHaveLength(1)
    for (const refuses of Object.values(REFUSES)) expect(refuses(tx)).toBe(false)
  })
})

describeWithShared('transactions of the chain', () => {
  it('are all decoded, as strict as the decoder is', () => {
    const all = ['tx_conway', 'tx_conway_conformance', 'tx_hydra_generated'].flatMap((set) =>
      sharedVectors<{ cborHex: string; txId: string }>(set)
    )
    expect(all.length).toBeGreaterThan(400)
    for (const { cborHex, txId } of all) expect(prepareTx(hexToBytes(cborHex)).txId).toBe(txId)
  })
})
