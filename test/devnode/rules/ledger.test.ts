import fc from 'fast-check'
import { CborWriter } from '../../../src/codec/cbor/writer'
import { bytesToHex, hexToBytes } from '../../../src/codec/hex'
import { encodeNativeScript, nativeScriptHash } from '../../../src/codec/nativeScript'
import { encodeMultiAsset } from '../../../src/codec/value'
import { deriveKey, fundedKey, keyAddress } from '../../../src/devnode/settings/keys'
import type { LedgerEnvironment } from '../../../src/devnode/rules/LedgerEnvironment'
import { validateTx } from '../../../src/devnode/rules/validateTx'
import { prepareTx } from '../../../src/devnode/rules/preparedTx'
import { defaultProtocolParameters, ledgerParameters } from '../../../src/devnode/rules/protocolParameters'
import { PROFILES } from '../../../src/devnode/settings/profiles'
import { HeadLedger } from '../../../src/devnode/head/headLedger'
import { LedgerEntry, UtxoSet, UtxoView } from '../../../src/devnode/rules/utxoSet'
import { isLayerError } from '../../../src/errors'
import { addressToString, enterpriseAddress, rewardAddress } from '../../../src/codec/address'
import { blake2b256 } from '../../../src/hash/blake2b'
import type { TxOutput, UTxO } from '../../../src/types/utxo'
import { scaled } from '../../support/scale'
import { loadVectors } from '../../support/vectors'
import type { TxParts } from '../transactions'
import { ada, buildTx, signTx } from '../transactions'

const alice = fundedKey(deriveKey('test', 'alice'), 0, 0n)
const bob = fundedKey(deriveKey('test', 'bob'), 0, 0n)
const aliceHash = deriveKey('test', 'alice').keyHash
const POLICY_SCRIPT = encodeNativeScript({ type: 'sig', keyHash: aliceHash })
const POLICY = nativeScriptHash(POLICY_SCRIPT)
const TOKEN = `${POLICY}746f6b656e`
const scriptAddress = addressToString(enterpriseAddress(0, { kind: 'script', hash: POLICY }))
const SLOT = 1000n

const utxoOf = (n: number, output: TxOutput): UTxO => ({
  input: { txHash: n.toString(16).padStart(64, '0'), index: 0 },
  output
})
const coins = utxoOf(1, ada(alice.address, 10_000_000n))
const tokens = utxoOf(2, {
  address: alice.address,
  amount: [
    { unit: 'lovelace', quantity: '5000000' },
    { unit: TOKEN, quantity: '7' }
  ]
})
const locked = utxoOf(3, ada(scriptAddress, 4_000_000n))
const byron = utxoOf(4, ada('Ae2tdPwUPEZBJkEbCd6gLr5Z26E98jx8YUpDZ1bsNL6MBmV4azk8r6Mn8Gv', 4_000_000n))
const withScript = utxoOf(5, {
  ...ada(bob.address, 4_000_000n),
  scriptRef: { language: 'native', cborHex: bytesToHex(POLICY_SCRIPT) }
})

const parameters = ledgerParameters(defaultProtocolParameters(PROFILES['2.0']))

function environment(changes: Partial<LedgerEnvironment['parameters']> = {}): LedgerEnvironment {
  const utxo = new UtxoSet()
  utxo.add([coins, tokens, locked, byron, withScript].map(({ input, output }) => new LedgerEntry(input, output)))
  return { parameters: { ...parameters, ...changes }, networkId: 0, slot: SLOT, utxo }
}

const judge = (tx: Uint8Array, changes: Partial<LedgerEnvironment['parameters']> = {}): string[] =>
  validateTx(prepareTx(tx), environment(changes))
const good: TxParts = { inputs: [coins.input], outputs: [ada(bob.address, 4_000_000n), ada(alice.address, 6_000_000n)] }
const uint = (value: bigint | number): Uint8Array => new CborWriter().uint(value).toBytes()
const mintOf = (quantity: bigint, unit = TOKEN): Uint8Array => {
  const writer = new CborWriter()
  encodeMultiAsset(writer, new Map([[unit, quantity]]))
  return writer.toBytes()
}
const set = (...items: Uint8Array[]): Uint8Array =>
  items.reduce((writer, item) => writer.raw(item), new CborWriter().array(items.length)).toBytes()
const tokenOutput = (quantity: bigint, lovelace = 5_000_000n, unit = TOKEN): TxOutput => ({
  address: alice.address,
  amount: [
    { unit: 'lovelace', quantity: String(lovelace) },
    { unit, quantity: String(quantity) }
  ]
})
const scriptWitness = [1, set(POLICY_SCRIPT)] as const
const metadata = new CborWriter().map(1).uint(1).text('hello').toBytes()
const longMetadata = new CborWriter().map(1).uint(1).text('x'.repeat(65)).toBytes()
const input = ({ txHash, index }: UTxO['input']): Uint8Array =>
  new CborWriter().array(2).bytes(hexToBytes(txHash)).uint(index).toBytes()
const rewards = rewardAddress(0, { kind: 'key', hash: aliceHash })
const withdrawal = (amount: bigint, address = rewards): Uint8Array =>
  new CborWriter().map(1).bytes(address).uint(amount).toBytes()

describe('valid transactions', () => {
  const cases: Record<string, () => Uint8Array> = {
    'a payment': () => signTx(buildTx(good), alice),
    'a payment with a fee and an interval around the slot': () =>
      signTx(
        buildTx({
          ...good,
          outputs: [ada(bob.address, 9_000_000n)],
          fee: 1_000_000n,
          extra: [
            [3, uint(SLOT + 1n)],
            [8, uint(SLOT)]
          ]
        }),
        alice
      ),
    'a transfer of tokens': () => signTx(buildTx({ inputs: [tokens.input], outputs: [tokenOutput(7n)] }), alice),
    'a mint under a policy that is present': () =>
      signTx(
        buildTx({
          inputs: [coins.input],
          outputs: [tokenOutput(3n, 10_000_000n)],
          extra: [[9, mintOf(3n)]],
          witnesses: [scriptWitness]
        }),
        alice
      ),
    'a burn': () =>
      signTx(
        buildTx({
          inputs: [tokens.input],
          outputs: [tokenOutput(2n)],
          extra: [[9, mintOf(-5n)]],
          witnesses: [scriptWitness]
        }),
        alice
      ),
    'spending from a native script': () =>
      signTx(
        buildTx({ inputs: [locked.input], outputs: [ada(bob.address, 4_000_000n)], witnesses: [scriptWitness] }),
        alice
      ),
    'spending from a native script that an output refers to': () =>
      // 32 bytes at 15 lovelace: eras/conway/impl/src/Cardano/Ledger/Conway/Tx.hs:122, tierRefScriptFee.
      signTx(
        buildTx({
          inputs: [locked.input],
          outputs: [ada(bob.address, 3_999_520n)],
          fee: 480n,
          extra: [[18, set(input(withScript.input))]]
        }),
        alice
      ),
    'metadata with its hash': () =>
      signTx(
        buildTx({
          ...good,
          extra: [[7, new CborWriter().bytes(blake2b256(metadata)).toBytes()]],
          auxiliaryData: metadata
        }),
        alice
      ),
    'a witness that nobody asked for': () => signTx(buildTx(good), alice, bob),
    'the network id in the body': () => signTx(buildTx({ ...good, extra: [[15, uint(0)]] }), alice)
  }
  it.each(Object.entries(cases))('takes %s', (_, tx) => {
    expect(judge(tx())).toEqual([])
  })
})

describe('rules broken once', () => {
  const fat = Array.from({ length: 200 }, (_, i) => ({
    unit: POLICY + i.toString(16).padStart(64, '0'),
    quantity: '1'
  }))
  const cases: [string, () => Uint8Array, string, Partial<LedgerEnvironment['parameters']>?][] = [
    [
      'an input that is not there',
      () => signTx(buildTx({ ...good, inputs: [coins.input, { txHash: 'ff'.repeat(32), index: 1 }] }), alice),
      'BadInputsUTxO'
    ],
    ['no inputs', () => buildTx({ inputs: [], outputs: [] }), 'InputSetEmptyUTxO'],
    ['a witness that is missing', () => buildTx(good), 'MissingVKeyWitnessesUTXOW'],
    ['the witness of another key', () => signTx(buildTx(good), bob), 'MissingVKeyWitnessesUTXOW'],
    [
      'a required signer that did not sign',
      () =>
        signTx(
          buildTx({
            ...good,
            extra: [[14, set(new CborWriter().bytes(hexToBytes(deriveKey('test', 'bob').keyHash)).toBytes())]]
          }),
          alice
        ),
      'MissingVKeyWitnessesUTXOW'
    ],
    ['a wrong signature', () => flip(signTx(buildTx(good), alice), -5), 'InvalidWitnessesUTXOW'],
    [
      'a lovelace too many',
      () => signTx(buildTx({ ...good, outputs: [ada(bob.address, 10_000_001n)] }), alice),
      'ValueNotConservedUTxO'
    ],
    [
      'a lovelace too few',
      () => signTx(buildTx({ ...good, outputs: [ada(bob.address, 9_999_999n)] }), alice),
      'ValueNotConservedUTxO'
    ],
    [
      'a token that is lost',
      () => signTx(buildTx({ inputs: [tokens.input], outputs: [tokenOutput(6n)] }), alice),
      'ValueNotConservedUTxO'
    ],
    [
      'a token from nowhere',
      () => signTx(buildTx({ inputs: [tokens.input], outputs: [tokenOutput(8n)] }), alice),
      'ValueNotConservedUTxO'
    ],
    [
      'a mint that is not in the outputs',
      () => signTx(buildTx({ ...good, extra: [[9, mintOf(1n)]], witnesses: [scriptWitness] }), alice),
      'ValueNotConservedUTxO'
    ],
    [
      'a mint without its policy',
      () =>
        signTx(
          buildTx({ inputs: [coins.input], outputs: [tokenOutput(3n, 10_000_000n)], extra: [[9, mintOf(3n)]] }),
          alice
        ),
      'MissingScriptWitnessesUTXOW'
    ],
    [
      'a script that an input carries already',
      () =>
        signTx(
          buildTx({
            inputs: [withScript.input],
            outputs: [{ ...tokenOutput(3n, 4_000_000n), address: bob.address }],
            extra: [[9, mintOf(3n)]],
            witnesses: [scriptWitness]
          }),
          bob
        ),
      'ExtraneousScriptWitnessesUTXOW'
    ],
    [
      'a mint under a policy that is not satisfied',
      () =>
        signTx(
          buildTx({
            inputs: [withScript.input],
            outputs: [{ ...tokenOutput(3n, 4_000_000n), address: bob.address }],
            extra: [[9, mintOf(3n)]]
          }),
          bob
        ),
      'ScriptWitnessNotValidatingUTXOW'
    ],
    [
      'a script that does not hold',
      () =>
        signTx(
          buildTx({ inputs: [locked.input], outputs: [ada(bob.address, 4_000_000n)], witnesses: [scriptWitness] }),
          bob
        ),
      'ScriptWitnessNotValidatingUTXOW'
    ],
    [
      'a script that is missing',
      () => signTx(buildTx({ inputs: [locked.input], outputs: [ada(bob.address, 4_000_000n)] }), alice),
      'MissingScriptWitnessesUTXOW'
    ],
    [
      'a script that is not needed',
      () => signTx(buildTx({ ...good, witnesses: [scriptWitness] }), alice),
      'ExtraneousScriptWitnessesUTXOW'
    ],
    [
      'an interval that is over',
      () => signTx(buildTx({ ...good, extra: [[3, uint(SLOT)]] }), alice),
      'OutsideValidityIntervalUTxO'
    ],
    [
      'an interval that has not begun',
      () => signTx(buildTx({ ...good, extra: [[8, uint(SLOT + 1n)]] }), alice),
      'OutsideValidityIntervalUTxO'
    ],
    ['too many bytes', () => signTx(buildTx(good), alice), 'MaxTxSizeUTxO', { maxTxSize: 200 }],
    ['too small a fee', () => signTx(buildTx(good), alice), 'FeeTooSmallUTxO', { minFeeA: 44, minFeeB: 155381 }],
    [
      'an output below the minimum',
      () => signTx(buildTx({ ...good, outputs: [ada(bob.address, 9_500_000n), ada(alice.address, 500_000n)] }), alice),
      'BabbageOutputTooSmallUTxO'
    ],
    [
      'a value of too many bytes',
      () =>
        signTx(
          buildTx({
            inputs: [tokens.input],
            outputs: [{ address: alice.address, amount: [{ unit: 'lovelace', quantity: '5000000' }, ...fat] }]
          }),
          alice
        ),
      'OutputTooBigUTxO'
    ],
    [
      'an output on another network',
      () => signTx(buildTx({ ...good, outputs: [ada(keyAddress(deriveKey('test', 'bob'), 1), 10_000_000n)] }), alice),
      'WrongNetwork '
    ],
    [
      'another network id in the body',
      () => signTx(buildTx({ ...good, extra: [[15, uint(1)]] }), alice),
      'WrongNetworkInTxBody'
    ],
    [
      'metadata of another hash',
      () =>
        signTx(
          buildTx({
            ...good,
            extra: [[7, new CborWriter().bytes(new Uint8Array(32)).toBytes()]],
            auxiliaryData: metadata
          }),
          alice
        ),
      'ConflictingMetadataHash'
    ],
    [
      'metadata without a hash',
      () => signTx(buildTx({ ...good, auxiliaryData: metadata }), alice),
      'MissingTxBodyMetadataHash'
    ],
    [
      'a metadata hash without metadata',
      () => signTx(buildTx({ ...good, extra: [[7, new CborWriter().bytes(new Uint8Array(32)).toBytes()]] }), alice),
      'MissingTxMetadata'
    ],
    [
      'metadata of more than 64 bytes',
      () =>
        signTx(
          buildTx({
            ...good,
            extra: [[7, new CborWriter().bytes(blake2b256(longMetadata)).toBytes()]],
            auxiliaryData: longMetadata
          }),
          alice
        ),
      'InvalidMetadata'
    ],
    [
      'a withdrawal of something',
      () => signTx(buildTx({ ...good, outputs: [ada(bob.address, 10_000_005n)], extra: [[5, withdrawal(5n)]] }), alice),
      'WithdrawalsNotInRewardsCERTS'
    ],
    [
      'a withdrawal on another network',
      () =>
        signTx(
          buildTx({ ...good, extra: [[5, withdrawal(0n, rewardAddress(1, { kind: 'key', hash: aliceHash }))]] }),
          alice
        ),
      'WrongNetworkWithdrawal'
    ],
    [
      'a withdrawal that its owner did not sign',
      () =>
        signTx(
          buildTx({
            ...good,
            extra: [[5, withdrawal(0n, rewardAddress(0, { kind: 'key', hash: deriveKey('test', 'bob').keyHash }))]]
          }),
          alice
        ),
      'MissingVKeyWitnessesUTXOW'
    ],
    [
      'a reference input that is spent too',
      () => signTx(buildTx({ ...good, extra: [[18, set(input(coins.input))]] }), alice),
      'BabbageNonDisjointRefInputs'
    ],
    [
      'a reference input that is not there',
      () => signTx(buildTx({ ...good, extra: [[18, set(input({ txHash: 'ee'.repeat(32), index: 0 }))]] }), alice),
      'BadInputsUTxO'
    ],
    [
      'a Byron input',
      () => signTx(buildTx({ inputs: [byron.input], outputs: [ada(bob.address, 4_000_000n)] }), alice),
      'DevNodeUnsupported "the Byron input'
    ],
    [
      'a certificate',
      () => signTx(buildTx({ ...good, extra: [[4, set(uint(0))]] }), alice),
      'DevNodeUnsupported "certificates'
    ],
    [
      'votes',
      () => signTx(buildTx({ ...good, extra: [[19, new CborWriter().map(1).uint(0).uint(0).toBytes()]] }), alice),
      'DevNodeUnsupported "votes'
    ],
    [
      'proposals',
      () => signTx(buildTx({ ...good, extra: [[20, set(uint(0))]] }), alice),
      'DevNodeUnsupported "proposals'
    ],
    ['a donation', () => signTx(buildTx({ ...good, extra: [[22, uint(5)]] }), alice), 'DevNodeUnsupported "donations'],
    [
      'isValid false',
      () => signTx(buildTx({ ...good, isValid: false }), alice),
      'ValidationTagMismatch (IsValid False) PassedUnexpectedly'
    ]
  ]
  it.each(cases)('refuses %s', (_, tx, name, changes = {}) => {
    const reasons = judge(tx(), changes)
    expect(reasons.join('\n')).toContain(name)
  })

  it('writes reasons as the ledger shows them', () => {
    expect(judge(buildTx(good))).toEqual([
      `ConwayUtxowFailure (MissingVKeyWitnessesUTXOW (fromList [KeyHash {unKeyHash = "${aliceHash}"}]))`
    ])
    const unknown = { txHash: 'ff'.repeat(32), index: 1 }
    expect(judge(signTx(buildTx({ inputs: [unknown], outputs: [] }), alice))).toEqual([
      `ConwayUtxowFailure (UtxoFailure (BadInputsUTxO (fromList [TxIn (TxId {unTxId = SafeHash "${unknown.txHash}"}) (TxIx {unTxIx = 1})])))`
    ])
  })
})

describe('a transaction whose inputs are all unknown', () => {
  const nowhere = { txHash: 'ff'.repeat(32), index: 1 }
  const DUPLICATE = 'ConwayMempoolFailure "All inputs are spent. Transaction has probably already been included"'
  const verdict = (tx: Uint8Array): string[] => validateTx(prepareTx(tx), { ...environment(), duplicateCheck: true })

  // cardano-ledger-conway 1.20, Rules/Mempool.hs: `any (`Map.member` utxo) inputs`, and nothing else is checked after
  // that.
  it('is taken for a duplicate by ledgers that check it, whatever else is wrong with it', () => {
    expect(verdict(buildTx({ inputs: [nowhere], outputs: [ada(bob.address, 1n)] }))).toEqual([DUPLICATE])
    expect(verdict(buildTx({ inputs: [], outputs: [] }))).toEqual([DUPLICATE])
    expect(verdict(buildTx({ inputs: [nowhere], outputs: [], extra: [[18, set(input(coins.input))]] }))).toEqual([
      DUPLICATE
    ])
  })

  it('is none when one of its inputs is there', () => {
    expect(verdict(signTx(buildTx({ ...good, inputs: [nowhere, coins.input] }), alice))).toEqual([
      expect.stringContaining('BadInputsUTxO')
    ])
    expect(verdict(signTx(buildTx(good), alice))).toEqual([])
  })
})

describe('the order of reasons', () => {
  const nameOf = (reason: string): string => /\(([A-Z]\w*(?:UTxO|UTXOW|CERTS|RefInputs)) /.exec(reason)?.[1] ?? reason

  // LEDGER, then UTXO as its rules stand, then UTXOW backwards: failures are stacked.
  it('is that of the ledger: certificates, then interval, fee, inputs, balance, outputs, size, then witnesses backwards', () => {
    const account = rewardAddress(0, { kind: 'key', hash: aliceHash })
    const withdrawal = new CborWriter().map(1).bytes(account).uint(5).toBytes()
    const tx = buildTx({
      inputs: [coins.input, locked.input, { txHash: 'ff'.repeat(32), index: 1 }],
      outputs: [ada(bob.address, 1n)],
      extra: [
        [3, uint(1)],
        [5, withdrawal],
        [18, set(input(coins.input))]
      ]
    })
    expect(judge(tx, { minFeeB: 1_000, maxTxSize: 10 }).map(nameOf)).toEqual([
      expect.stringContaining('ConwayWdrlNotDelegatedToDRep'),
      'WithdrawalsNotInRewardsCERTS',
      'BabbageNonDisjointRefInputs',
      'OutsideValidityIntervalUTxO',
      'FeeTooSmallUTxO',
      'BadInputsUTxO',
      'ValueNotConservedUTxO',
      'BabbageOutputTooSmallUTxO',
      'MaxTxSizeUTxO',
      'MissingVKeyWitnessesUTXOW',
      'MissingScriptWitnessesUTXOW'
    ])
  })

  it('matters in a head, which shows the first alone', () => {
    const ledger = new HeadLedger()
    const { utxo: _, ...rules } = environment({ minFeeB: 1_000 })
    ledger.credit(new UtxoView([new LedgerEntry(coins.input, coins.output)]))
    expect(ledger.apply(prepareTx(buildTx(good)), rules)).toEqual([expect.stringContaining('FeeTooSmallUTxO')])
  })
})

describe('what the decoder refuses before any rule', () => {
  const cases: [string, () => Uint8Array][] = [
    ['the same input twice', () => buildTx({ inputs: [coins.input, coins.input], outputs: [] })],
    ['three parts instead of four', () => hexToBytes('83a300d9010280018002' + '00a0f6')],
    ['a body without fee', () => hexToBytes('84a200d90102800180a0f5f6')],
    ['an unknown body key', () => buildTx({ ...good, extra: [[23, uint(0)]] })],
    ['a body key of an older era', () => buildTx({ ...good, extra: [[6, uint(0)]] })],
    [
      'a minted quantity of zero',
      () =>
        buildTx({
          ...good,
          extra: [
            [9, new CborWriter().map(1).bytes(hexToBytes(POLICY)).map(1).bytes(new Uint8Array()).uint(0).toBytes()]
          ]
        })
    ],
    ['a mint beyond 64 bits', () => buildTx({ ...good, extra: [[9, mintOf(2n ** 63n)]] })],
    [
      'a policy with no assets',
      () => buildTx({ ...good, extra: [[9, new CborWriter().map(1).bytes(hexToBytes(POLICY)).map(0).toBytes()]] })
    ],
    [
      'a negative quantity in an output',
      () =>
        outputOf(
          new CborWriter().array(2).uint(1).map(1).bytes(hexToBytes(POLICY)).map(1).bytes(new Uint8Array()).int(-1)
        )
    ],
    [
      'an asset twice',
      () =>
        outputOf(
          new CborWriter()
            .array(2)
            .uint(1)
            .map(1)
            .bytes(hexToBytes(POLICY))
            .map(2)
            .bytes(new Uint8Array())
            .int(1)
            .bytes(new Uint8Array())
            .int(1)
        )
    ],
    [
      'a policy twice',
      () =>
        outputOf(
          new CborWriter()
            .array(2)
            .uint(1)
            .map(2)
            .bytes(hexToBytes(POLICY))
            .map(1)
            .bytes(new Uint8Array())
            .int(1)
            .bytes(hexToBytes(POLICY))
            .map(1)
            .bytes(new Uint8Array())
            .int(1)
        )
    ],
    [
      'an output to a reward address',
      () => buildTx({ ...good, outputs: [ada(addressToString(rewards), 10_000_000n)] })
    ],
    [
      'metadata that is null',
      () => buildTx({ ...good, auxiliaryData: new CborWriter().map(1).uint(1).null().toBytes() })
    ],
    ['bytes after the end', () => Uint8Array.from([...buildTx(good), 0])]
  ]
  it.each(cases)('refuses %s', (_, tx) => {
    expect(tx).not.toThrow()
    expect(() => prepareTx(tx())).toThrow(expect.objectContaining({ code: expect.stringMatching(/^INPUT_/) }))
  })
})

describe('mutated transactions', () => {
  it('are refused, or are truly the same transaction', () => {
    const bases = [
      signTx(buildTx(good), alice),
      signTx(
        buildTx({
          inputs: [tokens.input],
          outputs: [tokenOutput(2n)],
          extra: [[9, mintOf(-5n)]],
          witnesses: [scriptWitness]
        }),
        alice
      ),
      signTx(
        buildTx({
          ...good,
          extra: [
            [3, uint(5000)],
            [7, new CborWriter().bytes(blake2b256(metadata)).toBytes()],
            [15, uint(0)]
          ],
          auxiliaryData: metadata
        }),
        alice
      )
    ]
    let taken = 0
    const mutation = fc.tuple(fc.nat(bases.length - 1), fc.nat(100_000), fc.integer({ min: 1, max: 255 }))
    fc.assert(
      fc.property(mutation, ([which, position, change]) => {
        const base = bases[which]!
        expect(judge(base)).toEqual([])
        const mutated = base.slice()
        mutated[position % base.length]! ^= change
        let prepared
        try {
          prepared = prepareTx(mutated)
        } catch (error) {
          if (!isLayerError(error)) throw error
          return
        }
        if (validateTx(prepared, environment()).length > 0) return
        taken++
        const original = prepareTx(base)
        expect([prepared.txId, [...prepared.signers], prepared.auxiliaryData]).toEqual([
          original.txId,
          [...original.signers],
          original.auxiliaryData
        ])
      }),
      { numRuns: scaled(6000) }
    )
    expect(taken).toBeLessThan(scaled(6000) / 20)
  })
})

describe('transactions of other libraries and of the chain', () => {
  it('are decoded without a doubt about their ids or signatures', () => {
    for (const { txId, cborHex, vkeyWitnesses, vkeyWitnessesValid } of loadVectors('tx_conway').slice(0, scaled(400))) {
      let tx
      try {
        tx = prepareTx(hexToBytes(cborHex))
      } catch (error) {
        if (isLayerError(error)) continue
        throw error
      }
      expect(tx.txId).toBe(txId)
      if (vkeyWitnessesValid !== undefined) expect(vkeyWitnesses - tx.wrongSignatures.length).toBe(vkeyWitnessesValid)
    }
  })
})

function flip(tx: Uint8Array, position: number): Uint8Array {
  const flipped = tx.slice()
  flipped[position < 0 ? tx.length + position : position]! ^= 1
  return flipped
}

function outputOf(value: CborWriter): Uint8Array {
  const output = new CborWriter()
    .map(2)
    .uint(0)
    .bytes(enterpriseAddress(0, { kind: 'key', hash: aliceHash }))
    .uint(1)
    .raw(value.toBytes())
    .toBytes()
  return new CborWriter()
    .array(4)
    .map(3)
    .uint(0)
    .tag(258)
    .array(1)
    .raw(input(coins.input))
    .uint(1)
    .array(1)
    .raw(output)
    .uint(2)
    .uint(0)
    .map(0)
    .bool(true)
    .null()
    .toBytes()
}
