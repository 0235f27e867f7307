import { scalusEvaluator } from '../../src/adapters/scalus.js'
import { IndexerProvider, RpcProvider } from '../../src/providers/index.js'
import { loadBlueprint, TxBuilder } from '../../src/tx/index.js'
import type { BuiltTransaction } from '../../src/tx/index.js'
import type { UTxO } from '../../src/types/utxo.js'
import { ADA, startClientHead } from './support'
import type { ClientHead } from './support'

// One program, written once: what differs between a head and the base ledger stands in `Ledger`.

/** The lock succeeds when the redeemer equals the datum; the policy succeeds. */
const BLUEPRINT = {
  preamble: { title: 'tests', plutusVersion: 'v2' },
  validators: [
    {
      title: 'lock',
      datum: { schema: { dataType: 'integer' } },
      redeemer: { schema: { dataType: 'integer' } },
      compiledCode: '510100002225333573466ebc00c008526161'
    },
    { title: 'policy', redeemer: { schema: {} }, compiledCode: '46010000224981' }
  ]
}
interface Contracts {
  lock: { datum: bigint; redeemer: bigint; parameters: [] }
  policy: { datum: never; redeemer: string; parameters: [] }
}
const { get } = loadBlueprint<Contracts>(BLUEPRINT)
const [lock, policy] = [get('lock'), get('policy')]
const evaluator = scalusEvaluator({ inThread: true })
const UNIT = `${policy.hash}cafe`

interface Ledger {
  newTx(): Promise<TxBuilder>
  send(tx: BuiltTransaction): Promise<void>
  utxosAt(address: string): Promise<UTxO[]>
}

/** Locks, is refused, unlocks, mints; returns what the ledger shows of it. */
async function program({ newTx, send, utxosAt }: Ledger): Promise<unknown> {
  const address = lock.address(0)
  const carried = { inlineDatum: lock.datum(42n), scriptRef: lock.script }
  await send((await newTx()).pay(address, 6n * ADA, carried).build())
  const [locked] = await utxosAt(address)
  const spend = async (answer: bigint): Promise<BuiltTransaction> =>
    (await newTx()).spendScript(locked!, { redeemer: lock.redeemer(answer) }).build({ evaluator })
  const refused = await spend(41n).catch((error: unknown) => error)
  const before = await utxosAt(address)
  await send(await spend(42n))
  const mint = (await newTx()).mintScript(policy.hash, { cafe: 7n }, { redeemer: '00', script: policy.script })
  const minted = await mint.build({ evaluator })
  await send(minted)
  const holder = minted.outputs.find(({ amount }) => amount.some(({ unit }) => unit === UNIT))!.address
  const held = (await utxosAt(holder)).flatMap(({ output }) => output.amount).find(({ unit }) => unit === UNIT)
  return {
    refused: (refused as { code: string }).code,
    before: before.length,
    after: (await utxosAt(address)).length,
    minted: held?.quantity
  }
}

const OUTCOME = { refused: 'CLIENT_SCRIPT_FAILED', before: 1, after: 0, minted: '7' }

let head: ClientHead
beforeAll(async () => {
  head = await startClientHead({
    node: { scriptEvaluator: scalusEvaluator({ inThread: true }), evaluatorTimeoutMs: 60_000 }
  })
}, 60_000)
afterAll(() => head.stop())

describe('one program with TxBuilder, by switching the ledger', () => {
  it('in the head', async () => {
    const client = await head.client()
    const outcome = await program({
      newTx: () => client.newTx(),
      send: async (tx) => void (await client.submit(tx)),
      utxosAt: async (address) => client.getUtxos({ address })!
    })
    expect(outcome).toEqual(OUTCOME)
  }, 60_000)

  it.each(['Ogmios', 'Blockfrost'] as const)(
    'on the base ledger, with parameters over %s',
    async (api) => {
      const { node, wallets } = head
      const wallet = wallets[api === 'Ogmios' ? 1 : 2]!
      const provider = new RpcProvider({ apiEndpoint: node.rpcUrl!, network: 'preprod' })
      const parameters =
        api === 'Ogmios'
          ? await provider.fetcher.fetchProtocolParameters()
          : await new IndexerProvider({
              baseUrl: node.indexerUrl!,
              network: 'preprod',
              apiKey: 'none',
              allowInsecure: true
            }).fetcher.fetchProtocolParameters()
      const genesis = (await (await fetch(`${node.indexerUrl}/genesis`)).json()) as Record<string, number>
      const slots = {
        zeroTime: genesis['system_start']! * 1000,
        zeroSlot: 0,
        slotLength: genesis['slot_length']! * 1000
      }
      const own = await wallet.getChangeAddress()
      const utxosAt = (address: string): Promise<UTxO[]> => provider.fetcher.fetchAddressUTxOs(address)
      const outcome = await program({
        newTx: async () => new TxBuilder(parameters, { slots }).addInputs(await utxosAt(own)).changeTo(own),
        async send(tx) {
          const txId = await provider.submitter.submitTx(await wallet.signTx(tx.cborHex, true))
          while (!(await fetch(`${node.indexerUrl}/txs/${txId}`)).ok) await new Promise((done) => setTimeout(done, 10))
        },
        utxosAt
      })
      expect(outcome).toEqual(OUTCOME)
    },
    60_000
  )
})
