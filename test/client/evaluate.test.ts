import type { HeadClient } from '../../src/client/index.js'
import { scalusEvaluator } from '../../src/adapters/scalus.js'
import { addressToString, enterpriseAddress } from '../../src/codec/address.js'
import { bytesToHex, hexToBytes } from '../../src/codec/hex.js'
import { CborWriter } from '../../src/codec/cbor/writer.js'
import type { LayerErrorCode } from '../../src/errors/codes.js'
import { plutusHashOf } from '../../src/devnode/rules/plutusScript'
import type { ScriptEvaluator } from '../../src/types/scriptEvaluator.js'
import type { UTxO } from '../../src/types/utxo.js'
import { ALWAYS_V3, ALWAYS_V3_ADDRESS, scriptAddress, spendFromScript } from '../devnode/scriptTxs'
import type { SpendOptions } from '../devnode/scriptTxs'
import { ada, buildTx, signTx } from '../devnode/transactions'
import type { TxParts } from '../devnode/transactions'
import { ADA, startClientHead } from './support'
import type { ClientHead } from './support'

/** `(program 1.1.0 (error))` */
const ERROR = hexToBytes('450101006001')
const ALWAYS_HASH = plutusHashOf({ language: 'PlutusV3', bytes: ALWAYS_V3 })
const fixed: ScriptEvaluator = async () => [{ tag: 'spend', index: 0, mem: 5n, cpu: 7, logs: ['seen'] } as never]
const set = (...items: Uint8Array[]): Uint8Array =>
  items.reduce((writer, item) => writer.raw(item), new CborWriter().array(items.length)).toBytes()
const redeemer = (tag: number, index: number, units: readonly [number, number] = [1, 1]): Uint8Array =>
  new CborWriter()
    .array(4)
    .uint(tag)
    .uint(index)
    .raw(hexToBytes('d87980'))
    .array(2)
    .uint(units[0])
    .uint(units[1])
    .toBytes()
const v3 = [7, set(new CborWriter().bytes(ALWAYS_V3).toBytes())] as const
const refOf = ({ input: { txHash, index } }: UTxO): string => `${txHash}#${index}`
const failure = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => null,
    (error: unknown) => error
  )

interface Setup {
  readonly head: ClientHead
  readonly client: HeadClient
  /** Locks 20 ada at an address, and finds what can be collateral. */
  lock(address?: string, datum?: string): Promise<{ locked: UTxO; collateral: UTxO }>
  spend(locked: UTxO, collateral: UTxO, more?: SpendOptions): string
  /** A transaction of its own making. */
  tx(parts: Partial<TxParts>): string
}

async function setUp(node: Parameters<typeof startClientHead>[0] = {}): Promise<Setup> {
  const head = await startClientHead({ ...node, node: { scriptEvaluator: scalusEvaluator(), ...node.node } })
  const client = await head.client(0, { evaluator: scalusEvaluator() })
  const owner = head.node.keys[0]!
  const models = (await client.bridge.getRawProtocolParameters()).costModels as unknown as Record<string, number[]>
  return {
    head,
    client,
    async lock(address = ALWAYS_V3_ADDRESS, datum) {
      const { txId } = await client.pay({ to: address, amount: 20n * ADA, datum })
      const [locked] = client.getUtxos({ address })!.filter(({ input }) => input.txHash === txId)
      const [collateral] = client.getUtxos()!
      return { locked: locked!, collateral: collateral! }
    },
    spend: (locked, collateral, more) =>
      bytesToHex(spendFromScript(locked, collateral, owner, models['PlutusV3']!, more)),
    tx: (parts) => bytesToHex(signTx(buildTx({ inputs: [], outputs: [], ...parts }), owner))
  }
}

let setup: Setup
beforeAll(async () => {
  setup = await setUp()
}, 60_000)
afterAll(() => setup.head.stop())

const expectRefusal = async (
  promise: Promise<unknown>,
  expected: { code: LayerErrorCode; reason?: string; input?: string | null; scriptHash?: string | null }
): Promise<any> => {
  const error = await failure(promise)
  expect(error).toMatchObject(expected)
  for (const part of [expected.input, expected.scriptHash]) if (part != null) expect(error.message).toContain(part)
  expect(error.message).toContain('No transaction was sent')
  return error
}

describe('bad input of evaluate() is named before anything is sent', () => {
  it('a script that neither the transaction nor an output that it refers to has', async () => {
    const { client, lock, tx } = setup
    const { locked, collateral } = await lock()
    const parts = {
      inputs: [locked.input],
      outputs: [ada(ALWAYS_V3_ADDRESS, 20n * ADA)],
      witnesses: [[5, set(redeemer(0, 0))]] as const
    }
    const named = {
      code: 'CLIENT_SCRIPT_INPUT',
      reason: 'script-missing',
      input: refOf(locked),
      scriptHash: ALWAYS_HASH
    } as const
    await expectRefusal(client.evaluate(tx(parts)), named)
    const reference = new CborWriter().array(2).bytes(hexToBytes(collateral.input.txHash)).uint(collateral.input.index)
    const error = await expectRefusal(client.evaluate(tx({ ...parts, extra: [[18, set(reference.toBytes())]] })), named)
    expect(error.message).toContain(`${refOf(collateral)} with no script`)
  })

  it('a script without a redeemer, and a redeemer without a script', async () => {
    const { client, lock, tx } = setup
    const { locked, collateral } = await lock()
    const outputs = [ada(ALWAYS_V3_ADDRESS, 20n * ADA)]
    await expectRefusal(client.evaluate(tx({ inputs: [locked.input], outputs, witnesses: [v3] })), {
      code: 'CLIENT_SCRIPT_INPUT',
      reason: 'redeemer-missing',
      input: refOf(locked),
      scriptHash: ALWAYS_HASH
    })
    await expectRefusal(
      client.evaluate(tx({ inputs: [collateral.input], outputs, witnesses: [[5, set(redeemer(0, 0))]] })),
      { code: 'CLIENT_SCRIPT_INPUT', reason: 'redeemer-unused', input: refOf(collateral) }
    )
    const beyond = tx({ inputs: [locked.input], outputs, witnesses: [[5, set(redeemer(0, 0), redeemer(1, 0))], v3] })
    await expectRefusal(client.evaluate(beyond), { code: 'CLIENT_SCRIPT_INPUT', reason: 'redeemer-unused' })
  })

  it('a datum that is missing: PlutusV2 demands one, and a hash demands its datum', async () => {
    const { client, lock, tx } = setup
    const program = hexToBytes('450100002499')
    const hash = plutusHashOf({ language: 'PlutusV2', bytes: program })
    const address = addressToString(enterpriseAddress(0, { kind: 'script', hash }))
    const { locked } = await lock(address)
    const parts = { inputs: [locked.input], outputs: [ada(address, 20n * ADA)] }
    const v2 = [6, set(new CborWriter().bytes(program).toBytes())] as const
    const named = { code: 'CLIENT_SCRIPT_INPUT', reason: 'datum-missing', scriptHash: hash } as const
    await expectRefusal(client.evaluate(tx({ ...parts, witnesses: [[5, set(redeemer(0, 0))], v2] })), {
      ...named,
      input: refOf(locked)
    })
    const hashed: UTxO = {
      input: { txHash: 'ab'.repeat(32), index: 1 },
      output: { ...ada(address, 20n * ADA), datumHash: 'cd'.repeat(32) }
    }
    const error = await expectRefusal(
      client.evaluate(tx({ ...parts, inputs: [hashed.input], witnesses: [[5, set(redeemer(0, 0))], v2] }), {
        utxos: [hashed]
      }),
      { ...named, input: refOf(hashed) }
    )
    expect(error.message).toContain('cd'.repeat(32))
  })

  it('an input that the head does not hold', async () => {
    const { client, tx } = setup
    const input = { txHash: 'ab'.repeat(32), index: 0 }
    await expectRefusal(client.evaluate(tx({ inputs: [input] })), {
      code: 'CLIENT_SCRIPT_INPUT',
      reason: 'input-unknown',
      input: `${'ab'.repeat(32)}#0`
    })
  })

  it('more units than the head allows', async () => {
    const { client, lock, spend } = setup
    const { locked, collateral } = await lock()
    const evaluator: ScriptEvaluator = async () => [{ tag: 'spend', index: 0, mem: 14_000_001n, cpu: 1n }]
    await expectRefusal(client.evaluate(spend(locked, collateral), { evaluator }), {
      code: 'CLIENT_SCRIPT_INPUT',
      reason: 'too-many-units',
      input: refOf(locked),
      scriptHash: ALWAYS_HASH
    })
  })

  it('no evaluator, and one that is none or answers nonsense', async () => {
    const { head, client, lock, spend } = setup
    const { locked, collateral } = await lock()
    const cbor = spend(locked, collateral)
    const without = await head.client(1)
    const error = await expectRefusal(without.evaluate(cbor), { code: 'CLIENT_EVALUATOR_MISSING' })
    expect(error.message).toContain(refOf(locked))
    expect(error.message).toContain(ALWAYS_HASH)
    await expect(client.evaluate(cbor, { evaluator: {} as never })).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
    await expect(client.evaluate(cbor, { evaluators: fixed } as never)).rejects.toMatchObject({
      code: 'INPUT_ARGUMENT'
    })
    const unit = { tag: 'spend', index: 0, mem: 1n, cpu: 1n }
    for (const answer of [
      null,
      [],
      [{ ...unit, mem: -1n }],
      [unit, unit],
      [{ ...unit, index: 1 }],
      [{ ...unit, tag: 'x' }]
    ])
      await expectRefusal(client.evaluate(cbor, { evaluator: async () => answer as never }), {
        code: 'CLIENT_EVALUATOR_FAILED'
      })
    const broken = new Error('out of memory')
    const failed = await expectRefusal(client.evaluate(cbor, { evaluator: async () => Promise.reject(broken) }), {
      code: 'CLIENT_EVALUATOR_FAILED'
    })
    expect(failed.cause).toBe(broken)
    expect(failed.message).toContain('out of memory')
    await expect(client.evaluate('zz')).rejects.toMatchObject({ code: 'INPUT_HEX' })
    await expect(client.evaluate(7 as never)).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })

  it('a script that fails, with its words and traces', async () => {
    const { client, lock, spend } = setup
    const { locked, collateral } = await lock(scriptAddress(ERROR))
    const scriptHash = plutusHashOf({ language: 'PlutusV3', bytes: ERROR })
    const cbor = spend(locked, collateral, { script: ERROR })
    await expectRefusal(client.evaluate(cbor), { code: 'CLIENT_SCRIPT_FAILED', input: refOf(locked), scriptHash })
    const traces = ['not yet']
    const evaluator: ScriptEvaluator = async () => Promise.reject({ message: 'Error evaluated', logs: traces })
    const error = await expectRefusal(client.evaluate(cbor, { evaluator }), {
      code: 'CLIENT_SCRIPT_FAILED',
      scriptHash
    })
    expect(error).toMatchObject({ reason: 'Error evaluated', traces, redeemer: 'spend#0' })
    expect(error.message).toContain('not yet')
  })

  it('a client that is not connected, and a call without end', async () => {
    const { head, client, lock, spend } = setup
    const { locked, collateral } = await lock()
    const cbor = spend(locked, collateral)
    await expect(
      client.evaluate(cbor, { evaluator: () => new Promise(() => undefined), timeout: 50 })
    ).rejects.toMatchObject({ code: 'CLIENT_TIMEOUT' })
    const gone = await head.client(0)
    await gone.disconnect()
    await expect(gone.evaluate(cbor)).rejects.toMatchObject({ code: 'BRIDGE_NOT_CONNECTED' })
  })
})

describe('evaluate()', () => {
  it('gives units that the head accepts, and with one unit less refuses', async () => {
    const { client, lock, spend } = setup
    const { locked, collateral } = await lock()
    const { redeemers, units, fee } = await client.evaluate(spend(locked, collateral))
    expect(redeemers).toEqual([
      { tag: 'spend', index: 0, ...units, input: refOf(locked), scriptHash: ALWAYS_HASH, traces: [] }
    ])
    expect(fee).toBe(0n)
    const [mem, cpu] = [Number(units.mem), Number(units.cpu)]
    await expect(client.submit(spend(locked, collateral, { mem: mem - 1, cpu }))).rejects.toMatchObject({
      reason: 'script-failed'
    })
    await client.submit(spend(locked, collateral, { mem, cpu }))
    // The output is spent.
    await expect(client.evaluate(spend(locked, collateral))).rejects.toMatchObject({ reason: 'input-unknown' })
  })

  it('passes on what the evaluator says, traces too', async () => {
    const { client, lock, spend } = setup
    const { locked, collateral } = await lock()
    const { redeemers } = await client.evaluate(spend(locked, collateral), { evaluator: fixed })
    expect(redeemers).toMatchObject([{ mem: 5n, cpu: 7n, traces: ['seen'] }])
  })

  it('needs no evaluator where there is no script', async () => {
    const { head, lock, tx } = setup
    const { collateral } = await lock()
    const without = await head.client(1)
    const cbor = tx({ inputs: [collateral.input], outputs: [collateral.output] })
    expect(await without.evaluate(cbor)).toEqual({ redeemers: [], units: { mem: 0n, cpu: 0n }, fee: 0n })
  })

  it('sees outputs of transactions that no snapshot holds, and those that the call brings', async () => {
    const slow = await setUp({ node: { timings: { snapshotIntervalMs: 400 } } })
    try {
      const { client, spend } = slow
      const { txId } = await client.pay({ to: ALWAYS_V3_ADDRESS, amount: 20n * ADA, wait: 'valid' })
      const [locked] = client.getUtxos({ address: ALWAYS_V3_ADDRESS })!
      const [collateral] = client.getUtxos()!
      expect(locked!.input.txHash).toBe(txId)
      expect(client.bridge.isUnspent(refOf(locked!))).toBe(false)
      expect((await client.evaluate(spend(locked!, collateral!))).redeemers).toHaveLength(1)
      const later: UTxO = { ...locked!, input: { txHash: 'ee'.repeat(32), index: 3 } }
      const utxos = [later]
      expect((await client.evaluate(spend(later, collateral!), { utxos })).redeemers[0]!.input).toBe(refOf(later))
    } finally {
      await slow.head.stop()
    }
  }, 30_000)

  it('names the least fee of a head with fees: one lovelace less is refused', async () => {
    const protocolParameters = {
      txFeePerByte: 44,
      txFeeFixed: 155_381,
      executionUnitPrices: { priceMemory: 0.0577, priceSteps: 0.0000721 }
    }
    const costly = await setUp({ node: { protocolParameters } })
    try {
      const { client, lock, spend } = costly
      const { locked, collateral } = await lock()
      const { fee, units } = await client.evaluate(spend(locked, collateral))
      expect(fee).toBeGreaterThan(155_381n + 44n * 200n)
      const [mem, cpu] = [Number(units.mem), Number(units.cpu)]
      await expect(client.submit(spend(locked, collateral, { mem, cpu, fee: fee - 1n }))).rejects.toMatchObject({
        reason: 'fee-too-small',
        figures: { minimum: fee }
      })
      await client.submit(spend(locked, collateral, { mem, cpu, fee }))
      // Signatures that are still to come count.
      const [plain] = client.getUtxos()!
      const parts = { inputs: [plain!.input], outputs: [plain!.output] }
      const unsigned = await client.evaluate(bytesToHex(buildTx(parts)))
      expect(unsigned.fee).toBe((await client.evaluate(costly.tx(parts))).fee)
    } finally {
      await costly.head.stop()
    }
  }, 30_000)
})
