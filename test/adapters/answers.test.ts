import { createBlazeProvider } from 'layer-sdk/blaze'
import type { HeadClient, UTxO } from 'layer-sdk/client'
import { createLucidProvider } from 'layer-sdk/lucid'
import { createMeshProvider } from 'layer-sdk/mesh'
import { CborWriter } from '../../src/codec/cbor/writer.js'
import { bytesToHex, hexToBytes } from '../../src/codec/hex.js'
import { readTransaction, transactionHash } from '../../src/codec/transaction.js'
import { encodeTxOutput } from '../../src/codec/txOutput.js'
import { plutusHashOf } from '../../src/devnode/rules/plutusScript'
import { fundedKey, deriveKey } from '../../src/devnode/settings/keys'
import { blake2b256 } from '../../src/hash/blake2b.js'
import type { ScriptEvaluator } from '../../src/types/scriptEvaluator.js'
import { ALWAYS_V3, ALWAYS_V3_ADDRESS, spendFromScript } from '../devnode/scriptTxs'
import { ada, buildTx } from '../devnode/transactions'
import { ADA, startPageHead } from '../react/support'
import type { PageHead } from '../react/support'

const DATUM = 'd8799f182aff'
const evaluator: ScriptEvaluator = async () => [{ tag: 'spend', index: 0, mem: 5n, cpu: 7n }]
const scriptHash = plutusHashOf({ language: 'PlutusV3', bytes: ALWAYS_V3 })
const stranger = fundedKey(deriveKey('test', 'stranger'), 0, 0n)
/** Stands for the module of Blaze, which test/builders runs. */
const sdk = {
  Provider: class {},
  Core: {
    TransactionUnspentOutput: { fromCbor: (cbor: string) => cbor },
    ExUnits: { fromCore: (units: unknown) => units },
    PlutusData: { fromCbor: (cbor: string) => `datum ${cbor}` }
  }
}

let head: PageHead
let client: HeadClient
let locked: UTxO
let collateral: UTxO
let cbor: string
let lockTxId: string
let mesh: ReturnType<typeof createMeshProvider>
let lucid: ReturnType<typeof createLucidProvider>
let blaze: any
beforeAll(async () => {
  head = await startPageHead()
  client = head.client(0, { evaluator })
  await client.connect()
  mesh = createMeshProvider(client)
  lucid = createLucidProvider(client)
  blaze = createBlazeProvider(client, sdk)
  const { txId } = await client.pay({ to: ALWAYS_V3_ADDRESS, amount: 20n * ADA, datum: DATUM })
  lockTxId = txId
  locked = client.getUtxos({ address: ALWAYS_V3_ADDRESS })![0]!
  collateral = client.getUtxos()![0]!
  const models = (await client.bridge.getRawProtocolParameters()).costModels as unknown as Record<string, number[]>
  cbor = bytesToHex(spendFromScript(locked, collateral, stranger, models['PlutusV3']!))
})
afterAll(() => head.stop())

const failure = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => null,
    (error: unknown) => error
  )

describe('units of scripts in the forms of Mesh, Lucid and Blaze', () => {
  it('Mesh', async () => {
    expect(await mesh.evaluateTx(cbor)).toEqual([{ tag: 'SPEND', index: 0, budget: { mem: 5, steps: 7 } }])
    expect(await mesh.evaluateTx(cbor, await mesh.fetchUTxOs(lockTxId), [cbor])).toHaveLength(1)
  })

  it('Lucid', async () => {
    expect(await lucid.evaluateTx(cbor)).toEqual([
      { redeemer_tag: 'spend', redeemer_index: 0, ex_units: { mem: 5, steps: 7 } }
    ])
  })

  it('Blaze, in its own redeemers, whose list forgets the bytes that it was read from', async () => {
    const units: unknown[] = []
    const redeemer = { tag: () => 0, index: () => 0n, setExUnits: (given: unknown) => units.push(given) }
    // As @cardano-sdk/core: the list writes its old bytes until its values are set.
    let isStale = true
    const redeemers = { values: () => [redeemer], setValues: () => void (isStale = units.length === 0) }
    const tx = { toCbor: () => cbor, witnessSet: () => ({ redeemers: () => redeemers }) }
    expect(await blaze.evaluateTransaction(tx, [])).toBe(redeemers)
    expect(units).toEqual([{ memory: 5, steps: 7 }])
    expect(isStale).toBe(false)
  })

  it('over outputs that the head does not hold, in each form', async () => {
    const seen: string[][] = []
    const watching: ScriptEvaluator = async ({ resolved, ...request }) => {
      seen.push(resolved.map(([, output]) => bytesToHex(output)))
      return evaluator({ resolved, ...request })
    }
    const parent = bytesToHex(
      buildTx({
        inputs: [collateral.input],
        outputs: [
          {
            ...ada(ALWAYS_V3_ADDRESS, 9n * ADA),
            inlineDatum: DATUM,
            scriptRef: { language: 'PlutusV3', cborHex: '46450101002499' }
          }
        ]
      })
    )
    const txHash = bytesToHex(transactionHash(readTransaction(hexToBytes(parent))))
    const later: UTxO = {
      input: { txHash, index: 0 },
      output: {
        ...ada(ALWAYS_V3_ADDRESS, 9n * ADA),
        inlineDatum: DATUM,
        scriptRef: { language: 'PlutusV3', cborHex: '46450101002499' }
      }
    }
    const models = (await client.bridge.getRawProtocolParameters()).costModels as unknown as Record<string, number[]>
    const spend = bytesToHex(spendFromScript(later, collateral, stranger, models['PlutusV3']!))
    const of = { evaluator: watching }
    await expect(createMeshProvider(client, of).evaluateTx(spend)).rejects.toMatchObject({ reason: 'input-unknown' })
    await createMeshProvider(client, of).evaluateTx(spend, [], [parent])
    await createMeshProvider(client, of).evaluateTx(spend, [
      {
        input: { txHash, outputIndex: 0 },
        output: {
          address: ALWAYS_V3_ADDRESS,
          amount: [{ unit: 'lovelace', quantity: '9000000' }],
          plutusData: DATUM,
          // As providers of the base ledger give it, and as this one does.
          scriptRef: 'd81849820346450101002499'
        }
      }
    ])
    await createLucidProvider(client, of).evaluateTx(spend, [
      {
        txHash,
        outputIndex: 0,
        address: ALWAYS_V3_ADDRESS,
        assets: { lovelace: 9n * ADA },
        datum: DATUM,
        scriptRef: { type: 'PlutusV3', script: '46450101002499' }
      }
    ])
    const utxo = new CborWriter().array(2).array(2).bytes(hexToBytes(txHash)).uint(0).raw(encodeTxOutput(later.output))
    const blazeTx = { toCbor: () => spend, witnessSet: () => ({ redeemers: () => undefined }) }
    await (createBlazeProvider(client, sdk, of) as any).evaluateTransaction(blazeTx, [{ toCbor: () => utxo.toHex() }])
    const expected = [later, collateral].map((each) => bytesToHex(encodeTxOutput(each.output)))
    expect(seen).toEqual([expected, expected, expected, expected])
  })

  it('rejects without an evaluator, with a typed error', async () => {
    const without = head.client(1)
    await without.connect()
    await expect(createMeshProvider(without).evaluateTx(cbor)).rejects.toMatchObject({
      code: 'CLIENT_EVALUATOR_MISSING'
    })
    expect(await createMeshProvider(without, { evaluator }).evaluateTx(cbor)).toHaveLength(1)
    expect(() => createLucidProvider(client, { evaluator: 'scalus' as never })).toThrow(
      expect.objectContaining({ code: 'INPUT_ARGUMENT' })
    )
  })
})

describe('submitTx checks scripts before anything is sent', () => {
  it('names the input and the hash of a script that is missing, and units that are too many', async () => {
    const redeemers = hexToBytes('81840000d87980820101')
    const tx = bytesToHex(buildTx({ inputs: [locked.input], outputs: [locked.output], witnesses: [[5, redeemers]] }))
    let sent = 0
    const stop = client.watchTxs({ onChange: () => sent++ })
    const error = await failure(mesh.submitTx(tx))
    expect(error).toMatchObject({ code: 'CLIENT_SCRIPT_INPUT', reason: 'script-missing', scriptHash })
    expect(error.message).toContain(`${locked.input.txHash}#${locked.input.index}`)
    const models = (await client.bridge.getRawProtocolParameters()).costModels as unknown as Record<string, number[]>
    const greedy = bytesToHex(spendFromScript(locked, collateral, stranger, models['PlutusV3']!, { mem: 14_000_001 }))
    await expect(lucid.submitTx(greedy)).rejects.toMatchObject({ reason: 'too-many-units', scriptHash })
    stop()
    expect(sent).toBe(0)
  })

  it('refuses an unsigned transaction where no wallet can sign', async () => {
    const watching = head.client(0, { wallet: undefined })
    await watching.connect()
    const unsigned = bytesToHex(buildTx({ inputs: [collateral.input], outputs: [collateral.output] }))
    await expect(createMeshProvider(watching).submitTx(unsigned)).rejects.toMatchObject({
      code: 'CLIENT_WALLET_MISSING'
    })
  })
})

describe('questions that the head answers', () => {
  it('holders of a unit, and the units of a policy', async () => {
    const address = head.wallets[0]!.getAddressBech32()
    const held = await mesh.fetchAssetAddresses('lovelace')
    const lovelace = client.getBalance({ address })!.pending.lovelace
    expect(held).toContainEqual({ address, quantity: String(lovelace) })
    expect(await mesh.fetchAssetAddresses('ab'.repeat(28))).toEqual([])
    expect(await mesh.fetchCollectionAssets('ab'.repeat(28))).toEqual({ assets: [], next: null })
  })

  it('a transaction that passed by', async () => {
    const info = await mesh.fetchTxInfo(lockTxId.toUpperCase())
    expect(info).toMatchObject({ hash: lockTxId, fees: '0', block: '', deposit: '0' })
    expect(info.outputs).toContainEqual(
      expect.objectContaining({ output: expect.objectContaining({ plutusData: DATUM }) })
    )
    expect(Number(info.invalidAfter)).toBeGreaterThan(Number(info.slot))
    expect(info.inputs).toHaveLength(1)
    await expect(mesh.fetchTxInfo('ab'.repeat(32))).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })

  it('a datum that passed by, by its hash', async () => {
    const hash = bytesToHex(blake2b256(hexToBytes(DATUM)))
    expect(await lucid.getDatum(hash)).toBe(DATUM)
    expect(await blaze.resolveDatum(hash)).toBe(`datum ${DATUM}`)
    await expect(lucid.getDatum('ab'.repeat(32))).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })

  it('calls back when a snapshot holds a transaction, and never for one that the head rejects', async () => {
    await new Promise<void>((resolve) => mesh.onTxConfirmed(lockTxId, resolve))
    let called = 0
    mesh.onTxConfirmed('zz', () => called++)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(called).toBe(0)
  })
})
