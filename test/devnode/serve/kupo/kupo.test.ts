import { addressToString, baseAddress, enterpriseAddress, parseAddress } from '../../../../src/codec/address'
import { encodeBech32 } from '../../../../src/codec/bech32'
import { bytesToHex, hexToBytes } from '../../../../src/codec/hex'
import { blake2b224, blake2b256 } from '../../../../src/hash/blake2b'
import type { DevNode } from '../../../../src/devnode'
import { setUp } from '../../harness'
import { baseRequest } from '../../support/baseRequests'
import { ada, buildTx, envelopeOf, lovelaceOf, signTx } from '../../transactions'

const FEE = 300_000n
const get = (node: DevNode, path: string, headers = {}): Promise<any> =>
  baseRequest(node, { method: 'GET', path: `/kupo${path}`, headers })
const refs = ({ body }: any): string[] => body.map((match: any) => `${match.transaction_id}#${match.output_index}`)

describe("the local head's matches", () => {
  it('finds outputs by every kind of pattern', async () => {
    const { node, alice } = setUp({ accounts: 1 })
    const [account] = node.accounts
    const { payment, stake } = parseAddress(account!.address)
    const policy = 'ab'.repeat(28)
    const other = addressToString(baseAddress(0, payment!, { kind: 'script', hash: '77'.repeat(28) }))
    const amount = [
      { unit: 'lovelace', quantity: '9007199254740993' },
      { unit: `${policy}cafe`, quantity: '9223372036854775807' },
      { unit: policy, quantity: '2' }
    ]
    const [rich] = node.fund(other, amount)
    const [own] = node.baseUtxos(account!.address)
    const id = ({ input }: typeof rich & {}): string => `${input.txHash}#${input.index}`
    const one = [id(own!)]
    const both = [id(rich!), ...one]
    const found = async (pattern: string): Promise<string[]> => refs(await get(node, `/matches/${pattern}`))
    expect(await found(account!.address)).toEqual(one)
    expect(await found(bytesToHex(parseAddress(account!.address).bytes))).toEqual(one)
    expect(await found(account!.stakeAddress)).toEqual(one)
    expect(await found(`${payment!.hash}/*`)).toEqual(both)
    expect(await found(`*/${stake!.hash}`)).toEqual(one)
    expect(await found(`${encodeBech32('addr_vkh', hexToBytes(payment!.hash))}/${stake!.hash}`)).toEqual(one)
    expect(await found(`${account!.vkey.slice(4)}/*`)).toEqual(both)
    expect(await found(`${policy}.cafe`)).toEqual([id(rich!)])
    expect(await found(`${policy}.*`)).toEqual([id(rich!)])
    expect(await found(`${'ac'.repeat(28)}.*`)).toEqual([])
    expect(await found(`*@${rich!.input.txHash}`)).toEqual([id(rich!)])
    expect(await found(`0@${rich!.input.txHash}`)).toEqual([id(rich!)])
    expect(await found(`1@${rich!.input.txHash}`)).toEqual([])
    expect(await found('*/*')).toHaveLength(node.baseUtxos().length)
    expect(refs(await get(node, '/matches'))).toEqual(await found('*'))
    expect(await found(alice.address)).toHaveLength(10)
    expect(refs(await get(node, `/matches/*?policy_id=${policy}`))).toEqual([id(rich!)])
    expect(refs(await get(node, `/matches/*?policy_id=${policy}&asset_name=cafe&unspent`))).toEqual([id(rich!)])
    expect(refs(await get(node, `/matches/*?policy_id=${policy}&asset_name=beef`))).toEqual([])
    expect(refs(await get(node, `/matches/*?transaction_id=${own!.input.txHash}&output_index=0`))).toEqual(one)
    // Integers are integers, and text for those who ask for text.
    const { body } = await get(node, `/matches/0@${rich!.input.txHash}`)
    expect(body[0].value).toEqual({
      coins: 9007199254740993n,
      assets: { [`${policy}.cafe`]: 9223372036854775807n, [policy]: 2 }
    })
    const text = await get(node, `/matches/0@${rich!.input.txHash}`, {
      accept: 'application/json;asset-quantity=string'
    })
    expect(text.body[0].value.assets[`${policy}.cafe`]).toBe('9223372036854775807')
  })

  it('knows where an output was made and by whom it was spent', async () => {
    const { node, clock, alice, bob } = setUp({ accounts: 0 })
    const [utxo] = node.baseUtxos(alice.address)
    const before = node.slot
    clock.advance(5000)
    const outputs = [
      {
        ...ada(bob.address, 5_000_000n),
        inlineDatum: 'd87980',
        scriptRef: { language: 'PlutusV2' as const, cborHex: '46450100002261' }
      },
      ada(alice.address, lovelaceOf(utxo!.output) - 5_000_000n - FEE)
    ]
    const { cborHex, txId } = envelopeOf(signTx(buildTx({ inputs: [utxo!.input], outputs, fee: FEE }), alice))
    expect(await node.submitBaseTx(cborHex)).toEqual([])
    const { body: spent } = await get(node, `/matches/${alice.address}?spent`)
    expect(spent).toMatchObject([
      {
        transaction_id: utxo!.input.txHash,
        created_at: { slot_no: before },
        spent_at: { slot_no: before + 5, transaction_id: txId, input_index: 0, redeemer: null }
      }
    ])
    const all = await get(node, `/matches/${alice.address}`)
    expect(all.body).toHaveLength(11)
    expect(refs(all)[0]).toBe(`${txId}#1`)
    expect(refs(await get(node, `/matches/${alice.address}?order=oldest_first`))).toEqual(refs(all).reverse())
    expect(refs(await get(node, `/matches/${alice.address}?unspent`))).toEqual(
      refs(all).filter((ref) => ref !== `${utxo!.input.txHash}#${utxo!.input.index}`)
    )
    expect(refs(await get(node, `/matches/*?created_after=${before}`))).toEqual([`${txId}#1`, `${txId}#0`])
    expect(refs(await get(node, `/matches/*?spent_before=${before + 6}`))).toHaveLength(1)
    expect(refs(await get(node, `/matches/*?created_after=${before + 5}`))).toEqual([])
    const datumHash = bytesToHex(blake2b256(hexToBytes('d87980')))
    const scriptHash = bytesToHex(blake2b224(hexToBytes('02450100002261')))
    const [paid] = (await get(node, `/matches/0@${txId}`)).body
    expect(paid).toEqual({
      transaction_index: expect.any(Number),
      transaction_id: txId,
      output_index: 0,
      address: bob.address,
      value: { coins: 5000000, assets: {} },
      datum_hash: datumHash,
      datum_type: 'inline',
      script_hash: scriptHash,
      created_at: { slot_no: before + 5, header_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      spent_at: null
    })
    expect((await get(node, `/matches/0@${txId}?resolve_hashes`)).body[0]).toMatchObject({
      datum: 'd87980',
      script: { language: 'plutus:v2', script: '450100002261' }
    })
    expect((await get(node, `/datums/${datumHash}`)).body).toEqual({ datum: 'd87980' })
    expect((await get(node, `/scripts/${scriptHash}`)).body).toEqual({ language: 'plutus:v2', script: '450100002261' })
    expect((await get(node, `/datums/${'0'.repeat(64)}`)).body).toBeNull()
    expect((await get(node, `/scripts/${'0'.repeat(56)}`)).body).toBeNull()
  })

  it.each([
    '/matches/nothing',
    '/matches/*/*/extra?x',
    '/matches/zz/*',
    '/matches/*@abc',
    `/matches/x@${'0'.repeat(64)}`,
    `/matches/${'ab'.repeat(27)}.00`,
    '/matches/{42}',
    '/matches/*?unspent=yes',
    '/matches/*?spent&unspent',
    '/matches/*?order=sideways',
    '/matches/*?asset_name=00',
    '/matches/*?policy_id=00',
    '/matches/*?output_index=1',
    '/matches/*?created_after=soon',
    '/matches/*?created_after=1&spent_after=2',
    '/matches/*?resolve_hashes=1',
    '/datums/xyz',
    '/scripts/xyz'
  ])('refuses %s with a hint', async (path) => {
    const { node } = setUp({ accounts: 0 })
    const { status, body } = await get(node, path)
    expect([status, typeof body.hint]).toEqual([path.includes('extra') ? 404 : 400, 'string'])
  })

  it('has a health, 404 for other paths and 406 for other methods', async () => {
    const { node } = setUp({ accounts: 0 })
    expect(await get(node, '/health')).toMatchObject({
      status: 200,
      body: { connection_status: 'connected', most_recent_checkpoint: node.slot }
    })
    const metrics = await node.baseRequest({ method: 'GET', path: '/kupo/health', headers: { accept: '*/*' } })
    expect([metrics.contentType, metrics.body]).toEqual([
      expect.stringContaining('text/plain'),
      expect.stringContaining(`kupo_most_recent_node_tip  ${node.slot}`)
    ])
    expect(metrics.headers).toEqual({
      'X-Most-Recent-Checkpoint': String(node.slot),
      ETag: expect.stringMatching(/^[0-9a-f]{64}$/)
    })
    expect((await get(node, '/health', { accept: 'image/png' })).status).toBe(400)
    expect(await get(node, '/patterns')).toEqual({ status: 200, body: ['*'] })
    expect((await get(node, '/checkpoints')).body).toMatchObject([{ slot_no: node.slot }])
    for (const path of ['', '/nowhere', '/datums', '/health/x', `/scripts/${'0'.repeat(56)}/x`])
      expect((await get(node, path)).status).toBe(404)
    for (const path of ['/matches/*', '/health', '/datums/x'])
      expect((await baseRequest(node, { method: 'DELETE', path: `/kupo${path}` })).status).toBe(406)
    const byron = addressToString(enterpriseAddress(0, { kind: 'key', hash: '00'.repeat(28) }))
    expect((await get(node, `/v1/matches/${byron}`)).body).toEqual([])
  })
})
