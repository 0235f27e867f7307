import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningDevNode } from '../../src/devnode'
import { startDevNode } from '../../src/devnode'
import { CliProgram } from '../support/cliProgram'

const program = new CliProgram()
const folder = mkdtempSync(join(tmpdir(), 'layer-sdk-jq-'))
let node: RunningDevNode
beforeAll(async () => {
  await program.build()
  node = await startDevNode({ port: 0, rpcPort: 0, timings: { contestationPeriodMs: 300 } })
}, 60_000)
afterAll(async () => {
  await node.stop()
  program.remove()
  rmSync(folder, { recursive: true })
})

/** A whole life in a shell: every value that a step needs comes out of the one before it through jq. */
const SCRIPT = `
set -euo pipefail
run() { "$NODE" "$CLI" "$@" --json 2>>progress.log; }
alice=$(run keygen --test-key alice --out alice.sk | jq -r .address)
bob=$(run keygen --test-key bob --out bob.sk | jq -r .address)
[ "$(run address --key alice.sk | jq -r .address)" = "$alice" ]
[ "$(run status | jq -r .headStatus)" = Idle ]
head=$(run open | jq -r .headId)
[ "$(run deposit 30 --key alice.sk --provider "$BASE" | jq -r .lovelace)" = 30000000 ]
tx=$(run pay --from alice.sk --to "$bob" --amount 2.5 | jq -r .txId)
[ "$(run tx "$tx" | jq -r .txId)" = "$tx" ]
[ "$(run balance "$bob" | jq -r .lovelace)" = 2500000 ]
[ "$(run utxos "$bob" | jq -r '.utxos | length')" = 1 ]
run receipts "$bob" | jq -e --arg tx "$tx" 'select(.txId == $tx)' >/dev/null
[ "$(run withdraw 12 --key alice.sk | jq -r .outputs)" = 1 ]
[ "$(run balance "$alice" | jq -r '.lovelace | tonumber + 2500000 + 12000000')" = 30000000 ]
[ "$(run close --yes | jq -r .headId)" = "$head" ]
[ "$(run fanout --yes | jq -r .headId)" = "$head" ]
[ "$(run recover | jq -r '.depositTxIds | length')" = 0 ]
[ "$(run status | jq -r .headStatus)" = Idle ]
echo "$head"
`

if (spawnSync('jq', ['--version']).status === 0)
  it('a whole life by commands in a shell, with jq alone between them', async () => {
    // Not in this process: the local head lives in it.
    const child = spawn('bash', ['-c', SCRIPT], {
      cwd: folder,
      env: {
        ...process.env,
        NODE: process.execPath,
        CLI: program.path,
        LAYER_URL: node.url,
        BASE: node.indexerUrl!
      },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let [out, errors] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    expect([code, errors, out.trim()]).toEqual([0, '', expect.stringMatching(/^[0-9a-f]{56}$/)])
    expect(node.headStatus).toBe('Idle')
  }, 180_000)
