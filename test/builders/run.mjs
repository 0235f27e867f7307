// npm run test:builders: other transaction builders pay, mint and chain inside a head, through the adapters; unmodified
// clients of Blockfrost, Ogmios and Kupo on the base ledger, that of the packed command line too; stores in Vue and
// Svelte. Another client of the node's API lives a head's life on every profile; another client of gateways passes its
// flow through ours. --only=contracts runs the seven contracts alone,
// --only=escrow the guide's escrow; --json --outputFile=FILE writes the counts in the
// form of jest's report
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from '../../scripts/ensure-installed.mjs'
import { tryRun } from '../../scripts/run.mjs'

const HERE = dirname(fileURLToPath(import.meta.url))
ensureInstalled(HERE)
const { ADA, openHead } = await import('./head.mjs')
const { scriptTests } = await import('./scripts.mjs')
const { program } = await import('./program.mjs')
const { startDevNode } = await import('../../dist/devnode.js')
const { scalusEvaluator } = await import('../../dist/scalus.js')
const { createTally } = await import('../env/lib/results.mjs')

const LIMIT_MS = 600_000
const CHAINED = 20
/** What every ledger shows of the program: lovelace at the script, and tokens. */
const OUTCOME = { locked: 6n * ADA, left: 0n, minted: 7n }
const tally = createTally()
setTimeout(() => {
  tally.add('test:builders', 'ends in time', { ok: false, error: `It took more than ${LIMIT_MS / 1000} s.` })
  finish()
}, LIMIT_MS).unref()

async function test(builder, check, run) {
  const started = Date.now()
  try {
    await run()
    tally.add(builder, check, { ok: true, ms: Date.now() - started })
  } catch (error) {
    tally.add(builder, check, { ok: false, error: error?.stack ?? error })
  }
}

const { contractTests } = await import('./contracts/contractTests.mjs')
if (process.argv.includes('--only=contracts')) {
  await contractTests(test)
  finish()
}

const { escrowTests } = await import('./escrow.mjs')
if (process.argv.includes('--only=escrow')) {
  await escrowTests(test)
  finish()
}

const [{ MESHES }, { LUCIDS }, { BLAZES }] = await Promise.all(
  ['./mesh.mjs', './lucid.mjs', './blaze.mjs'].map((path) => import(path))
)
// Mostly waits for snapshots: side by side, each with nodes of its own.
await Promise.all([...MESHES, ...LUCIDS, ...BLAZES].map((builder) => builderTests(builder)))

/** Each builder in a head, and then over each of its own providers on the base ledger. */
async function builderTests({ name, fee, unsupported, connect, bases }) {
  const head = await openHead()
  const { client, bob } = head
  const lovelaceOf = (address) => client.getBalance({ address }).confirmed.lovelace
  await test(name, 'connects over a client without a wallet', async () => {
    const builder = await connect(client)
    const { txId } = await head.fund(builder.address)
    await client.waitForTx(txId)

    await test(name, 'pays: exactly the amount arrives, and the rest less the fee comes back', async () => {
      await client.waitForTx(await builder.pay(bob, 2n * ADA))
      assert.deepEqual([lovelaceOf(bob), lovelaceOf(builder.address)], [2n * ADA, 98n * ADA - fee])
    })

    await test(name, 'mints with a native script', async () => {
      await client.waitForTx(await builder.mint(5))
      assert.equal(client.getBalance({ address: builder.address }).confirmed.assets[builder.unit], 5n)
    })

    await test(name, `chains ${CHAINED} payments on outputs that no snapshot has confirmed`, async () => {
      const [before, own] = [lovelaceOf(bob), lovelaceOf(builder.address)]
      const ids = []
      for (let i = 0; i < CHAINED; i++) ids.push(await builder.pay(bob, 1n * ADA))
      assert.ok(client.status().pending > 1, 'several payments are in flight')
      const confirmed = await Promise.all(ids.map((id) => client.waitForTx(id)))
      assert.equal(new Set(ids).size, CHAINED)
      assert.ok(
        new Set(confirmed.map(({ snapshotNumber }) => snapshotNumber)).size < CHAINED,
        'snapshots hold several of them'
      )
      assert.deepEqual(
        [lovelaceOf(bob) - before, own - lovelaceOf(builder.address)],
        [BigInt(CHAINED) * ADA, BigInt(CHAINED) * (ADA + fee)]
      )
    })

    await test(name, "waits for a snapshot with until: 'confirmed'", async () => {
      const before = lovelaceOf(bob)
      const waiting = await connect(client, { until: 'confirmed' })
      await waiting.pay(bob, 3n * ADA)
      assert.equal(lovelaceOf(bob) - before, 3n * ADA)
    })

    await scriptTests(test, `${name}, scripts in the head`, builder.scripts)
    if (builder.evaluated !== undefined)
      await scriptTests(test, `${name}, scripts in the head, which evaluates`, builder.evaluated)

    await test(name, 'runs in the head the program that runs on the base ledger', async () =>
      assert.deepEqual(await program(builder, bob), OUTCOME)
    )

    for (const method of unsupported) {
      await test(name, `${method} rejects with a typed error`, () =>
        assert.rejects(builder.provider[method]('00'), { code: 'CLIENT_UNSUPPORTED_IN_HEAD', method })
      )
    }
  })
  await head.stop()
  for (const [api, connectBase] of bases) await baseTests(name, api, connectBase)
}

async function baseTests(name, api, connectBase) {
  const node = await startDevNode({
    port: 0,
    scriptEvaluator: scalusEvaluator(),
    evaluatorTimeoutMs: 60_000,
    timings: { blockMs: 50 }
  })
  await test(name, `connects to the base ledger over ${api}`, async () => {
    const builder = await connectBase(node)
    await scriptTests(test, `${name}, scripts on the base ledger over ${api}`, builder.scripts)
    await test(name, `runs on the base ledger over ${api} the program that runs in the head`, async () =>
      assert.deepEqual(await program(builder, node.keys[1].address), OUTCOME)
    )
  })
  await node.stop()
}

await contractTests(test)
await escrowTests(test)

const { baseLedgerTests } = await import('./baseLedger.mjs')
await baseLedgerTests(test)

const { packedTests } = await import('./packed.mjs')
await packedTests(test)

const { gatewayTests } = await import('./gateway.mjs')
await gatewayTests(test)

const { svelteFollows, vueFollows } = await import('./stores.mjs')
const head = await openHead()
await test('vue 3.5', 'the ten lines of the guide follow a balance, and end with their scope', () =>
  vueFollows(head, ADA)
)
await test('svelte 5', "the guide's component shows a balance, and a store of the client is a store of Svelte", () =>
  svelteFollows(head, ADA)
)
await head.stop()

const { headLifeTests } = await import('./headLives.mjs')
await headLifeTests(test)

await test('types', 'what the adapters return is what the packages want', () => {
  const require = createRequire(import.meta.url)
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'ES2022',
    '--module',
    'ESNext',
    '--moduleResolution',
    'bundler',
    '--types',
    'node'
  ]
  const { ok, stdout, stderr } = tryRun(process.execPath, [tsc, ...options, join(HERE, 'types.ts')], { cwd: HERE })
  assert.ok(ok, stdout + stderr)
})
finish()

function finish() {
  const { passed, failed } = tally
  const file = process.argv.find((arg) => arg.startsWith('--outputFile='))?.slice('--outputFile='.length)
  if (file !== undefined)
    writeFileSync(file, JSON.stringify({ numPassedTests: passed, numFailedTests: failed, success: failed === 0 }))
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}
