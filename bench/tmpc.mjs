import { readdirSync, readFileSync } from 'node:fs'
// Chained state transitions of a contract with the client and TxBuilder, against the evaluator alone on the same
// transactions. The head runs in a process of its own: what it costs is not counted.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createHeadClient } from 'layer-sdk/client'
import { RpcProvider } from 'layer-sdk/providers'
import { scalusEvaluator } from 'layer-sdk/scalus'
import { loadBlueprint, toUtxos } from 'layer-sdk/tx'
import { addressInfo, PlutusData } from 'layer-sdk/utils'
import { ChainCliWallet } from 'layer-sdk/wallet'

const ADA = 1_000_000n
const STEPS = Number(process.env['CONTRACT_STEPS'] ?? 200)
/** Steps before the first that counts: the evaluator's library is compiled as it runs. */
const WARM = 150
/** Both sides take turns after so many steps: neither runs on code that is compiled better. */
const TURN = 20
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

/** Time of the processor: other processes of the machine do not count. */
async function cpuMs(work) {
  const started = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

async function run0() {
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

let inEval = 0
const mainMs = () => Number(readFileSync('/proc/self/task/'+process.pid+'/schedstat','utf8').split(' ')[0])/1e6
let mock = null
async function measure({ url, rpcUrl, skey }) {
  const alone = scalusEvaluator({ inThread: true })
  const requests = []
  const evaluator = async (request) => {
    requests.push(request)
    const a = mainMs(); const r = await alone(request); inEval += mainMs() - a; return r
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
  await advance(400)
  await replay(requests.splice(0))

  const N=200
  const mk = async () => { const builder = (await head.newTx()).pay(address, 5n * ADA, { inlineDatum: state(count+1) }); return builder.spendScript(locked, { redeemer: 'd87980', script: contract.script }).build({}) }



  const threads = () => Object.fromEntries(readdirSync('/proc/self/task').map(t => { const f = readFileSync('/proc/self/task/'+t+'/schedstat','utf8').split(' '); const n = readFileSync('/proc/self/task/'+t+'/comm','utf8').trim(); return [t+n, Number(f[0])/1e6] }))
  const diff = (a,b) => Object.entries(b).map(([k,v]) => [k, v-(a[k]??0)])
  const sums = {}; inEval = 0
  const meas = async (name, f) => { const a = threads(); await f(); for (const [k,v] of diff(a, threads())) { const key = name+' '+(k.startsWith(String(process.pid)) ? 'main' : 'others'); sums[key]=(sums[key]??0)+v } }
  for (let i=0;i<200;i++) { await meas('advance', () => advance(1)); const turn = requests.splice(0); await meas('replay', () => replay(turn)) 
    if (i%50===49) { for (const [k,v] of Object.entries(sums)) console.log(i, k, (v/50).toFixed(2)); for (const k in sums) delete sums[k]; console.log('eval in advance', (inEval/50).toFixed(2)); inEval = 0 } }
  process.exit(0)
}
await run0()
