import { bytesToHex, hexToBytes } from '../../../src/codec/hex'
import { blake2b256 } from '../../../src/hash/blake2b'
import type { UTxO } from '../../../src/types/utxo'
import type { Setup } from '../harness'
import { openHead, request, utxoJson } from '../harness'
import { ada, buildTx, envelopeOf, signTx } from '../transactions'

// The node parses a request whole, drafts what it states, and asks its chain nothing (HTTPServer.hs:405, Handlers.hs
// draftDepositTx): what is wrong shows at the submission.

const REF = `${'ab'.repeat(32)}#0`
const POLICY = 'cd'.repeat(28)
const DATUM = 'd87980'
const DATUM_HASH = bytesToHex(blake2b256(hexToBytes(DATUM)))
const { alice } = openHead()
const good = { address: alice.address, value: { lovelace: 5_000_000 } }
const script = (type: string, cborHex: string): object => ({
  ...good,
  referenceScript: { scriptLanguage: '', script: { type, description: '', cborHex } }
})

/** Outputs that no parser takes, and where the text says the mistake is. */
const MALFORMED: readonly [string, unknown, string][] = [
  ['no object', [], 'TxOut'],
  ['no address', { value: good.value }, '"address" not found'],
  ['no value', { address: alice.address }, '"value" not found'],
  ['an address that is none', { ...good, address: 'addr_test1nonsense' }, '.address'],
  ['an address that is a number', { ...good, address: 7 }, '.address'],
  [
    'a reward address',
    { ...good, address: 'stake_test1uruw6wswag80sd0l57alehj47llf6tx96402vt8vks46k0q0e2ne6' },
    '.address'
  ],
  ['a value that is a number', { ...good, value: 5_000_000 }, '.value'],
  ['a fraction of a lovelace', { ...good, value: { lovelace: 1.5 } }, '.value.lovelace'],
  ['negative lovelace', { ...good, value: { lovelace: -1 } }, '.value.lovelace'],
  ['lovelace as a text', { ...good, value: { lovelace: '5000000' } }, '.value.lovelace'],
  ['a policy of the wrong length', { ...good, value: { lovelace: 5_000_000, abcd: { '': 1 } } }, 'PolicyId'],
  ['a policy that is no hex', { ...good, value: { lovelace: 5_000_000, ['zz'.repeat(28)]: { '': 1 } } }, 'PolicyId'],
  ['a policy with a number', { ...good, value: { lovelace: 5_000_000, [POLICY]: 1 } }, 'PolicyAssets'],
  ['an asset name that is no hex', { ...good, value: { lovelace: 5_000_000, [POLICY]: { token: 1 } } }, 'AssetName'],
  [
    'an asset name that is too long',
    { ...good, value: { lovelace: 5_000_000, [POLICY]: { ['ab'.repeat(33)]: 1 } } },
    'AssetName'
  ],
  ['a negative number of tokens', { ...good, value: { lovelace: 5_000_000, [POLICY]: { ab: -1 } } }, 'Quantity'],
  ['a datum hash that is none', { ...good, datumhash: 'ab' }, '.datumhash'],
  ['an inline datum that is none', { ...good, inlineDatum: { oops: 1 } }, '.inlineDatum'],
  ['bytes of a datum that are none', { ...good, inlineDatumRaw: 'ff' }, '.inlineDatumRaw'],
  ['bytes of a datum that are a number', { ...good, inlineDatumRaw: 5 }, '.inlineDatumRaw'],
  [
    'an inline datum of another hash',
    { ...good, inlineDatumRaw: DATUM, inlineDatumhash: 'ab'.repeat(32) },
    'inline datum hash'
  ],
  [
    'a datum hash beside an inline datum',
    { ...good, datumhash: DATUM_HASH, inlineDatumRaw: DATUM },
    'a datum hash and an inline datum'
  ],
  ['a reference script without its bytes', { ...good, referenceScript: {} }, '.referenceScript'],
  ['a reference script of an unknown language', script('PlutusScriptV9', '4401'), '.referenceScript'],
  ['a native script that is none', script('SimpleScript', '8109'), 'TxOut']
]

const refused = { status: 400, body: expect.stringContaining('Error in $') }

describe('POST /commit with an output that cannot be read', () => {
  it.each(MALFORMED)(
    'answers 400 with the text of the parser, in every form of the request: %s',
    async (_, output, where) => {
      const { node, clock } = openHead()
      const utxo = { [REF]: output }
      const blueprintTx = envelopeOf(buildTx({ inputs: [{ txHash: 'ab'.repeat(32), index: 0 }], outputs: [] }))
      for (const body of [utxo, { utxoToCommit: utxo }, { blueprintTx, utxo }]) {
        const reply = await request(node, 'POST', '/commit', body)
        expect(reply).toEqual(refused)
        expect(reply.body).toContain(where)
      }
      clock.advance(1000)
      expect((await request(node, 'GET', '/commits')).body).toEqual([])
    }
  )

  it.each([
    ['a reference that is none', { 'ab#0': good }],
    ['an index beyond 65,535', { [`${'ab'.repeat(32)}#65536`]: good }],
    ['a UTxO that is a list', { utxoToCommit: [] }]
  ])('answers 400 with the text of the parser: %s', async (_, body) => {
    expect(await request(openHead().node, 'POST', '/commit', body)).toEqual(refused)
  })

  it.each([7, 'nonsense', { address: 'x' }, 'stake_test1uruw6wswag80sd0l57alehj47llf6tx96402vt8vks46k0q0e2ne6'])(
    'answers 400 with the text of the parser to the change address %j',
    async (changeAddress) => {
      const { node, alice: owner } = openHead()
      const utxo = node.baseUtxos(owner.address)[0]!
      const blueprintTx = envelopeOf(buildTx({ inputs: [utxo.input], outputs: [] }))
      const reply = await request(node, 'POST', '/commit', { blueprintTx, utxo: utxoJson(utxo), changeAddress })
      expect(reply).toEqual(refused)
      expect(reply.body).toContain('$.changeAddress')
    }
  )
})

describe('POST /commit with outputs that the chain does not have so', () => {
  const submit = async ({ node, alice: owner }: Setup, utxo: UTxO): Promise<{ status: number; body: any }> => {
    const draft = await request(node, 'POST', '/commit', utxoJson(utxo))
    expect(draft.status).toBe(200)
    return request(node, 'POST', '/cardano-transaction', envelopeOf(signTx(hexToBytes(draft.body.cborHex), owner)))
  }

  it('drafts one that does not exist, and the submission fails', async () => {
    const setup = openHead()
    const unknown = { input: { txHash: 'ff'.repeat(32), index: 0 }, output: ada(setup.alice.address, 5_000_000n) }
    expect(await submit(setup, unknown)).toMatchObject({
      status: 400,
      body: { failureReason: expect.stringContaining('BadInputsUTxO') }
    })
  })

  it('drafts another amount than it holds, and the submission fails', async () => {
    const setup = openHead()
    const [held] = setup.node.baseUtxos(setup.alice.address)
    const more = { ...held!, output: ada(setup.alice.address, 2_000_000_000n) }
    expect(await submit(setup, more)).toMatchObject({
      status: 400,
      body: { failureReason: expect.stringContaining('ValueNotConservedUTxO') }
    })
  })

  it('brings into the head what is stated, as its owner has signed it', async () => {
    const setup = openHead()
    const { node, clock, client, bob } = setup
    const [held] = node.baseUtxos(setup.alice.address)
    const stated = { ...held!, output: { ...held!.output, address: bob.address } }
    expect(await submit(setup, stated)).toMatchObject({ status: 200 })
    clock.advance(500)
    expect(client.all('CommitFinalized')).toHaveLength(1)
    expect(node.headUtxos().map(({ output }) => output.address)).toEqual([bob.address])
  })

  it('keeps what is stated of datums and scripts', async () => {
    const setup = openHead()
    const { node, clock, alice: owner } = setup
    const [held] = node.baseUtxos(owner.address)
    const [json] = Object.values(utxoJson(held!)) as object[]
    const ref = `${held!.input.txHash}#${held!.input.index}`
    const body = { [ref]: { ...json, inlineDatum: { constructor: 0, fields: [] }, inlineDatumhash: DATUM_HASH } }
    const draft = await request(node, 'POST', '/commit', body)
    await request(node, 'POST', '/cardano-transaction', envelopeOf(signTx(hexToBytes(draft.body.cborHex), owner)))
    clock.advance(500)
    expect(node.headUtxos().map(({ output }) => output.inlineDatum)).toEqual([DATUM])
  })

  it('refuses them at once with the option checkDeposits', async () => {
    const { node, alice: owner, bob } = openHead({ checkDeposits: true })
    const [held] = node.baseUtxos(owner.address)
    const unknown = { input: { txHash: 'ff'.repeat(32), index: 0 }, output: ada(owner.address, 5_000_000n) }
    const others: [UTxO, string][] = [
      [unknown, 'no such unspent output'],
      [{ ...held!, output: ada(owner.address, 7_000_000n) }, 'another output at'],
      [{ ...held!, output: { ...held!.output, address: bob.address } }, 'another output at']
    ]
    for (const [utxo, reason] of others) {
      const reply = await request(node, 'POST', '/commit', utxoJson(utxo))
      expect(reply).toMatchObject({
        status: 400,
        body: { tag: 'FailedToConstructDepositTx', failureReason: expect.stringContaining(reason) }
      })
    }
    expect((await request(node, 'POST', '/commit', utxoJson(held!))).status).toBe(200)
    expect(() => openHead({ checkDeposits: 'yes' as never })).toThrow('checkDeposits')
  })
})
