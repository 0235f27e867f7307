import { TxBuilder } from 'layer-sdk/tx'

const ADA = 1_000_000n
/** Payments run side by side in lanes; each lane spends what its last payment gave back. */
const LANES_EACH = 4

/** Pays back and forth until all payments are confirmed, and says how fast that was. */
export async function makePayments({ bridge, people, payments, parameters, teller }) {
  const lanes = []
  for (const [index, from] of people.entries()) {
    const to = people[(index + 1) % people.length]
    for (const utxo of await splitFunds({ bridge, from, parameters })) lanes.push({ from, to, utxo })
  }
  const latencies = []
  let taken = 0
  const started = performance.now()
  const runLane = async (lane) => {
    while (taken < payments) {
      const lovelace = ADA + BigInt(taken++)
      const built = new TxBuilder(parameters)
        .spend([lane.utxo])
        .pay(lane.to.address, lovelace)
        .changeTo(lane.from.address)
        .build()
      const submitted = performance.now()
      await submit(bridge, lane.from, built)
      latencies.push(performance.now() - submitted)
      lane.utxo = outputOf(built, 1)
      teller.progress('Paying', latencies.length, payments)
    }
  }
  await Promise.all(lanes.map(runLane))
  const seconds = (performance.now() - started) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]
  return { count: latencies.length, seconds, perSecond: latencies.length / seconds, medianMs: at(0.5), p95Ms: at(0.95) }
}

/** One output becomes one for each lane. */
async function splitFunds({ bridge, from, parameters }) {
  const [utxo] = await bridge.queryAddressUTxO(from.address)
  const share = BigInt(utxo.output.amount[0].quantity) / BigInt(LANES_EACH + 1)
  const builder = new TxBuilder(parameters).spend([utxo]).changeTo(from.address)
  for (let lane = 0; lane < LANES_EACH; lane++) builder.pay(from.address, share)
  const built = builder.build()
  await submit(bridge, from, built)
  return Array.from({ length: LANES_EACH }, (_, lane) => outputOf(built, lane))
}

async function submit(bridge, { wallet }, { cborHex, txId }) {
  const signed = await wallet.signTx(cborHex)
  return bridge.submitTxSync({ type: 'Witnessed Tx ConwayEra', description: '', cborHex: signed, txId })
}

const outputOf = ({ txId, outputs }, index) => ({ input: { txHash: txId, index }, output: outputs[index] })
