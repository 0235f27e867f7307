import { scalusEvaluator } from '../../src/adapters/scalus.js'
import { addressToString, enterpriseAddress } from '../../src/codec/address.js'
import type { HeadClient } from '../../src/client/index.js'
import { scriptRef } from '../../src/tx/index.js'
import type { UTxO } from '../../src/types/utxo.js'
import { addressInfo, plutusScriptHash } from '../../src/utils/index.js'
import { AppWallet } from '../../src/wallet/index.js'
import { ADA, startClientHead } from './support'
import type { ClientHead } from './support'

/** PlutusV2, spending: succeeds when the redeemer equals the datum. */
const SAME_AS_DATUM = '510100002225333573466ebc00c008526161'
/** PlutusV2, minting: succeeds. */
const ANYBODY_MINTS = '46010000224981'
const HASH = plutusScriptHash(SAME_AS_DATUM, 'PlutusV2')
const POLICY = plutusScriptHash(ANYBODY_MINTS, 'PlutusV2')
const LOCK = addressToString(enterpriseAddress(0, { kind: 'script', hash: HASH }))
const script = scriptRef('PlutusV2', SAME_AS_DATUM)

let head: ClientHead
let client: HeadClient
beforeAll(async () => {
  head = await startClientHead({
    node: { scriptEvaluator: scalusEvaluator({ inThread: true }), evaluatorTimeoutMs: 60_000 }
  })
  client = await head.client(0, { evaluator: scalusEvaluator({ inThread: true }) })
}, 60_000)
afterAll(() => head.stop())

const failure = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => null,
    (error: unknown) => error
  )

async function lock(datum: string): Promise<UTxO> {
  const tx = (await client.newTx()).pay(LOCK, 10n * ADA, { inlineDatum: datum }).build()
  const { txId } = await client.submit(tx)
  return client.getUtxos({ address: LOCK })!.find(({ input }) => input.txHash === txId)!
}

describe('newTx() in a head', () => {
  it('rejects where no head is there, and on options that are none', async () => {
    const idle = await startClientHead({ open: false })
    const watcher = await idle.client()
    expect(await failure(watcher.newTx({ timeout: 100 }))).toMatchObject({ code: expect.stringMatching(/^CLIENT_/) })
    expect(await failure(watcher.newTx({ timeout: -1 }))).toMatchObject({ code: 'INPUT_ARGUMENT' })
    await idle.stop()
  }, 30_000)

  it('refuses a wrong redeemer before anything is sent, and unlocks with the right one', async () => {
    const locked = await lock('182a')
    const spend = async (redeemer: string): Promise<unknown> =>
      client.submit(await (await client.newTx()).spendScript(locked, { redeemer, script }).build({}))
    const refused = await failure(spend('182b'))
    expect(refused).toMatchObject({ code: 'CLIENT_SCRIPT_FAILED', scriptHash: HASH })
    expect(client.getUtxos({ address: LOCK })).toHaveLength(1)
    await spend('182a')
    expect(client.getUtxos({ address: LOCK })).toHaveLength(0)
  }, 30_000)

  it('names the key, the input and the script where a signature is missing, before anything is sent', async () => {
    const locked = await lock('182c')
    const bob = addressInfo(head.wallets[1]!.getAddressBech32()).payment!.hash
    const tx = await (
      await client.newTx()
    )
      .spendScript(locked, { redeemer: '182c', script })
      .requireSigner(bob)
      .build({})
    const before = client.getUtxos()
    const sent = jest.spyOn(client.bridge, 'submitTx')
    // One has keys, but not all; another has none of them; the third cannot sign at all.
    const readOnly = new AppWallet({
      networkId: 0,
      key: { type: 'addresses', addresses: [head.wallets[2]!.getAddressBech32()] }
    })
    const others = [await head.client(2), await head.client(2, { wallet: readOnly })]
    const signed = await head.wallets[0]!.signTx(tx.cborHex, true)
    for (const [by, transaction] of [
      [client, tx.cborHex],
      [client, signed],
      [others[0]!, tx.cborHex],
      [others[1]!, tx.cborHex]
    ] as const) {
      const refused = await failure(by.submit(transaction))
      expect(refused).toMatchObject({
        code: 'CLIENT_SCRIPT_INPUT',
        reason: 'signature-missing',
        outcome: 'none',
        input: `${locked.input.txHash}#${locked.input.index}`,
        scriptHash: HASH
      })
      expect(refused.message).toContain(`${bob} (required)`)
    }
    expect(sent).not.toHaveBeenCalled()
    expect(client.getUtxos()).toEqual(before)
    // Free again, and accepted once all have signed.
    await client.submit(await head.wallets[1]!.signTx(signed, true))
    expect(client.getUtxos({ address: LOCK })).toHaveLength(0)
  }, 30_000)

  it('mints and burns under a Plutus policy', async () => {
    const policy = scriptRef('PlutusV2', ANYBODY_MINTS)
    const mint = async (quantity: bigint): Promise<void> => {
      const builder = (await client.newTx()).mintScript(POLICY, { cafe: quantity }, { redeemer: '00', script: policy })
      await client.submit(await builder.build({}))
    }
    await mint(5n)
    expect(client.getBalance()!.confirmed.assets[POLICY + 'cafe']).toBe(5n)
    await mint(-2n)
    expect(client.getBalance()!.confirmed.assets[POLICY + 'cafe']).toBe(3n)
  }, 30_000)

  it('chains ten steps over outputs that no snapshot has confirmed, with the script in an output', async () => {
    const carrier = (await client.newTx()).pay(client.getUtxos()![0]!.output.address, 5n * ADA, { scriptRef: script })
    const { txId } = await client.submit(carrier.build())
    const reference = client.getUtxos()!.find(({ input, output }) => input.txHash === txId && output.scriptRef)!
    let state = await lock('00')
    const sent: Promise<unknown>[] = []
    for (let step = 1; step <= 10; step++) {
      const [before, after] = [step - 1, step].map((value) => value.toString(16).padStart(2, '0'))
      const tx = await (
        await client.newTx()
      )
        .spendScript(state, { redeemer: before!, reference })
        .pay(LOCK, 10n * ADA, { inlineDatum: after! })
        .build({})
      state = { input: { txHash: tx.txId, index: 0 }, output: tx.outputs[0]! }
      expect(
        tx.inputs.some(({ input }) => input.txHash === reference.input.txHash && input.index === reference.input.index)
      ).toBe(false)
      sent.push(client.submit(tx))
    }
    await Promise.all(sent)
    expect(client.getUtxos({ address: LOCK, view: 'confirmed' })!.map(({ input }) => input.txHash)).toEqual([
      state.input.txHash
    ])
  }, 60_000)
})
