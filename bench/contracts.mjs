// Chained state transitions of a contract with the client and TxBuilder, against the evaluator alone on the same
// transactions. The head runs in a process of its own: what it costs is not counted. Then the head alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createHeadClient } from 'layer-sdk/client'
import { RpcProvider } from 'layer-sdk/providers'
import { scalusEvaluator } from 'layer-sdk/scalus'
import { loadBlueprint, toUtxos } from 'layer-sdk/tx'
import { addressInfo, PlutusData } from 'layer-sdk/utils'
import { ChainCliWallet } from 'layer-sdk/wallet'
import { WebSocket } from 'ws'
import { threadTimeOf } from './support/threadTime.mjs'

const ADA = 1_000_000n
const STEPS = Number(process.env['CONTRACT_STEPS'] ?? 200)
/** Steps before the first that counts: the evaluator's library is compiled as it runs. */
const WARM = Number(process.env['CONTRACT_WARM'] ?? 600)
const ENVELOPE = { type: 'Tx ConwayEra', description: '' }
/** A counter of PlutusV3, `counter.spend` of test/support/sevenContracts.ts: written by hand as untyped Plutus Core. */
const COUNTER =
  '59011f01010025333573466ebcd5d09aab9e37546ae84dd61aba1357446ae88d55cf1baa357426aae78dd50009aba135573c6ea8d5d09aab9e' +
  '37546ae84d5d11aab9e37546ae84d5d11aba235573c6ea800454ccd5cd19baf357426aae78dd51aba135573c6ea8d5d09aba2357446aae78dd' +
  '51aba137586ae84d5d11aba235573c6ea8d5d09aab9e37540026ae84d55cf1baa357426aae78dd51aba1357446aae78dd51aba1357446ae88d' +
  '55cf1baa00115333573466e1cdd69aba1357446aae78dd51aba135573c6ea8d5d09aba2357446aae78dd51aba137586ae84d5d11aba235573c' +
  '6ea8d5d09aab9e375400266e00dd69aba1357446aae78dd51aba135573c6ea8d5d09aba235573c6ea8d5d09aba2357446aae78dd5000a40042' +
  '930b0b0b01'
const contract = loadBlueprint({
  preamble: { title: 'counter', plutusVersion: 'v3' },
  validators: [{ title: 'counter.spend', compiledCode: COUNTER }]
}).get('counter.spend')
const address = contract.address(0)
const { constr, bytes, int } = PlutusData
const own = constr(0, [constr(1, [bytes(Buffer.from(addressInfo(address).payment.hash, 'hex'))]), constr(1, [])])
const state = (count) => constr(0, [own, int(count)]).toCbor()

export async function run() {
  const child = spawn(process.execPath, [fileURLToPath(new URL('support/contractNode.mjs', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  try {
    const [line] = await once(child.stdout, 'data')
    return await measure(JSON.parse(line.toString()))
  } finally {
    child.stdin.end()
    await once(child, 'exit')
  }
}

async function measure({ url, rpcUrl, skey }) {
  const alone = scalusEvaluator({ inThread: true })
  const requests = []
  const evaluator = (request) => {
    requests.push(request)
    return alone(request)
  }
  const { fetcher, submitter } = new RpcProvider({ apiEndpoint: rpcUrl, network: 'preprod' })
  const wallet = new ChainCliWallet({ networkId: 0, skey, fetcher, submitter })
  const head = createHeadClient({ url, wallet, evaluator })
  await head.connect()
  await head.open()
  await head.deposit({ amount: 100n * ADA })
  const first = (await head.newTx()).pay(address, 5n * ADA, { inlineDatum: state(0) }).build()
  await head.submit(first)
  let [locked] = toUtxos(first)
  let count = 0
  const advance = async (steps) => {
    for (let i = 0; i < steps; i++) {
      const builder = (await head.newTx()).pay(address, 5n * ADA, { inlineDatum: state(++count) })
      const tx = await builder.spendScript(locked, { redeemer: 'd87980', script: contract.script }).build({})
      await head.submit(tx, { wait: 'valid' })
      locked = toUtxos(tx)[0]
    }
  }
  const replay = async (all) => {
    for (const request of all) await alone(request)
  }
  await advance(WARM)
  await replay(requests.splice(0))
  let [ours, rival, evaluations, wallMs] = [0, 0, 0, 0]
  for (let step = 0; step < STEPS; step++) {
    const started = performance.now()
    ours += await threadTimeOf(() => advance(1))
    wallMs += performance.now() - started
    // In turns: the node's verdict stands before both, and neither runs on code or caches that are warmer.
    const turn = requests.splice(0)
    evaluations += turn.length
    rival += await threadTimeOf(() => replay(turn))
  }
  const perSecond = (1_000 * STEPS) / wallMs
  await head.waitForTx(locked.input.txHash)
  const chain = []
  for (let step = 0; step < STEPS; step++) {
    const builder = (await head.newTx()).pay(address, 5n * ADA, { inlineDatum: state(++count) })
    const tx = await builder.spendScript(locked, { redeemer: 'd87980', script: contract.script }).build({})
    chain.push(JSON.stringify({ tag: 'NewTx', transaction: { ...ENVELOPE, cborHex: await wallet.signTx(tx.cborHex) } }))
    locked = toUtxos(tx)[0]
  }
  await head.disconnect()
  const byNode = await nodePerSecond(url, chain)
  const ratio = ours / rival
  return [
    {
      name: `Contracts: ${STEPS} chained state transitions, client and builder (${evaluations} evaluations, ${Math.round(perSecond)} a second)`,
      unit: 'ms of its thread each',
      ours: ours / STEPS,
      rival: rival / STEPS,
      rivalName: 'the evaluator alone (scalus)',
      ratio,
      target: 'reported: with the evaluation of each',
      pass: true
    },
    {
      name: 'Contracts: what client and builder cost beside the evaluation',
      unit: 'ms of its thread each',
      ours: (ours - rival) / STEPS,
      rival: rival / STEPS,
      rivalName: 'the evaluator alone (scalus)',
      ratio: ratio - 1,
      target: '<= 2 x',
      pass: ratio - 1 <= 2
    },
    {
      name: `Contracts: the local head, ${STEPS} chained state transitions over a raw socket`,
      unit: 'a second',
      ours: byNode,
      ratio: byNode,
      target: '>= 100',
      pass: byNode >= 100
    }
  ]
}

/** Verdicts of the node a second, for transactions that all are built before. */
async function nodePerSecond(url, texts) {
  const socket = new WebSocket(`${url}/?history=no&snapshot-utxo=no`)
  await once(socket, 'open')
  const done = new Promise((resolve, reject) => {
    let left = texts.length
    socket.on('message', (data) => {
      const { tag, validationError } = JSON.parse(data.toString())
      if (tag === 'TxInvalid') reject(new Error(validationError.reason))
      if (tag === 'TxValid' && --left === 0) resolve()
    })
  })
  const started = performance.now()
  for (const text of texts) socket.send(text)
  await done
  const ms = performance.now() - started
  socket.close()
  return (1_000 * texts.length) / ms
}
