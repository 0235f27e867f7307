import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { hexToBytes } from '../../src/codec/hex'
import { CborWriter } from '../../src/codec/cbor/writer'
import { COST_MODELS_PV11 } from '../../src/codec/costModelsPv11'
import { encodeTxOutput } from '../../src/codec/txOutput'
import { deriveKey, fundedKey } from '../../src/devnode/settings/keys'
import { scalusEvaluator } from '../../src/adapters/scalus'
import type { ScriptEvaluationRequest } from '../../src/adapters/scalus'
import type { UTxO } from '../../src/types/utxo'
import { scriptAddress, spendFromScript } from '../devnode/scriptTxs'
import { ada } from '../devnode/transactions'
import { ROOT } from '../support/markdown'

const alice = fundedKey(deriveKey('test', 'alice'), 0, 0n)
/** `(program 1.1.0 (lam x (con unit ())))`, `(program 1.1.0 (error))` and one that applies itself for ever. */
const ALWAYS = hexToBytes('450101002499')
const ERROR = hexToBytes('450101006001')
const OMEGA = hexToBytes('4d01010023230010012300100101')

function requestOf(script: Uint8Array): ScriptEvaluationRequest {
  const locked: UTxO = { input: { txHash: '11'.repeat(32), index: 0 }, output: ada(scriptAddress(script), 50_000_000n) }
  const collateral: UTxO = { input: { txHash: '22'.repeat(32), index: 3 }, output: ada(alice.address, 5_000_000n) }
  return {
    tx: spendFromScript(locked, collateral, alice, COST_MODELS_PV11.PlutusV3, { script }),
    resolved: [locked, collateral].map(({ input, output }) => [
      new CborWriter().array(2).bytes(hexToBytes(input.txHash)).uint(input.index).toBytes(),
      encodeTxOutput(output)
    ]),
    costModels: COST_MODELS_PV11,
    slot: { zeroTimeMs: 1_655_683_200_000, zeroSlot: 0, slotLengthMs: 1000 },
    protocolVersion: 11,
    maxExUnits: { mem: 14_000_000n, cpu: 10_000_000_000n }
  }
}

describe.each([
  ['in a worker', {}],
  ['in the thread', { inThread: true }]
])('scalus %s', (_, options) => {
  const evaluate = scalusEvaluator(options)

  it('says what a redeemer takes', async () => {
    const [units, ...others] = await evaluate(requestOf(ALWAYS))
    expect(others).toEqual([])
    expect(units).toMatchObject({ tag: 'spend', index: 0 })
    expect(units!.mem).toBeGreaterThan(0n)
    expect(units!.cpu).toBeGreaterThan(0n)
  }, 60_000)

  it('rejects with the failure of a script, and works on', async () => {
    await expect(evaluate(requestOf(ERROR))).rejects.toMatchObject({ message: expect.any(String), logs: [] })
    expect(await evaluate(requestOf(ALWAYS))).toHaveLength(1)
  }, 60_000)

  it('rejects without logs where the library fails, and not a script', async () => {
    const { resolved, ...request } = requestOf(ALWAYS)
    const error: unknown = await evaluate({ ...request, resolved: resolved.slice(1) }).catch(
      (reason: unknown) => reason
    )
    expect(error).toMatchObject({ message: expect.stringContaining('scalus: ') })
    expect(error).not.toHaveProperty('logs')
  }, 60_000)
})

describe('scalus', () => {
  it('ends a script that has no end, and takes the next transaction in a new worker', async () => {
    const evaluate = scalusEvaluator({ timeLimitMs: 2_500 })
    const endless = evaluate(requestOf(OMEGA))
    const next = evaluate(requestOf(ALWAYS))
    await expect(endless).rejects.toThrow('scalus: the scripts did not end within 2500 ms (timeLimitMs)')
    expect(await next).toHaveLength(1)
  }, 60_000)

  it('runs in a program that is given as text, as a module', async () => {
    const outfile = join(ROOT, '.cache', `scalus-${process.pid}.mjs`)
    await build({
      entryPoints: [join(ROOT, 'src', 'adapters', 'scalus.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external'
    })
    const { tx, resolved, ...rest } = requestOf(ALWAYS)
    const json = JSON.stringify({
      tx: [...tx],
      resolved: resolved.map((pair) => pair.map((bytes) => [...bytes])),
      ...rest,
      maxExUnits: undefined
    })
    const program = `
      const { scalusEvaluator } = await import(${JSON.stringify(pathToFileURL(outfile).href)})
      const { tx, resolved, ...rest } = ${json}
      const bytes = (list) => Uint8Array.from(list)
      const [unit] = await scalusEvaluator()({ tx: bytes(tx), resolved: resolved.map((pair) => pair.map(bytes)), ...rest })
      console.log(unit.tag)`
    try {
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
        cwd: ROOT
      })
      expect(stdout).toBe('spend\n')
    } finally {
      rmSync(outfile)
    }
  }, 60_000)

  it.each([{ timeLimitMs: 0 }, { timeLimitMs: 1.5 }, { timeLimitMs: 2 ** 31 }, { inThread: 1 }, { limit: 5 }])(
    'takes no option %p',
    (options) => {
      expect(() => scalusEvaluator(options as object)).toThrow(expect.objectContaining({ code: 'INPUT_ARGUMENT' }))
    }
  )

  it('says in one sentence what is missing', async () => {
    const { cwd, argv, getBuiltinModule } = process
    try {
      process.cwd = () => '/'
      process.argv = []
      await expect(scalusEvaluator()(requestOf(ALWAYS))).rejects.toMatchObject({
        code: 'PACKAGE_MISSING',
        message: expect.stringMatching(/^The package scalus is not installed: npm install scalus/)
      })
      process.getBuiltinModule = (() => undefined) as unknown as typeof process.getBuiltinModule
      await expect(scalusEvaluator()(requestOf(ALWAYS))).rejects.toMatchObject({
        code: 'RUNTIME_UNSUPPORTED',
        message: expect.stringContaining('the option inThread')
      })
    } finally {
      Object.assign(process, { cwd, argv, getBuiltinModule })
    }
  })
})
