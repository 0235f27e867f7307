import { scalusEvaluator } from '../../src/adapters/scalus.js'
import type { DepositArgs, DepositStep, HeadClient } from '../../src/client/index.js'
import { addressToString, enterpriseAddress } from '../../src/codec/address.js'
import type { Journal, JournalEntry } from '../../src/journal/index.js'
import { memoryJournal } from '../../src/journal/index.js'
import { RpcProvider } from '../../src/providers/index.js'
import { scriptRef, TxBuilder } from '../../src/tx/index.js'
import { plutusScriptHash } from '../../src/utils/index.js'
import { ADA, startClientHead } from './support.js'
import type { ClientHead } from './support.js'

/** PlutusV2, spending: succeeds when the redeemer equals the datum. */
const CODE = '510100002225333573466ebc00c008526161'
const LOCK = addressToString(enterpriseAddress(0, { kind: 'script', hash: plutusScriptHash(CODE, 'PlutusV2') }))
const script = scriptRef('PlutusV2', CODE)

let head: ClientHead
afterEach(() => head.stop())

type Form = 'into a script, with a datum' | 'to another owner' | 'of outputs that a script locks'
const FORMS: readonly Form[] = ['into a script, with a datum', 'to another owner', 'of outputs that a script locks']

const ownerOf = (form: Form): string => (form === 'to another owner' ? head.wallets[1]!.getAddressBech32() : LOCK)
const lovelaceAt = (utxos: readonly { output: { amount: readonly { quantity: string }[] } }[]): bigint =>
  utxos.reduce((sum, { output }) => sum + BigInt(output.amount[0]!.quantity), 0n)
const inHead = (form: Form): bigint => lovelaceAt(head.node.headUtxos(ownerOf(form)))
const onBase = (form: Form): bigint => lovelaceAt(head.node.baseUtxos(ownerOf(form)))

/** Starts a head, and the arguments of a deposit of 9 ada in a form. */
async function start(form: Form, timings: object = {}): Promise<DepositArgs> {
  const isLocked = form === 'of outputs that a script locks'
  const evaluation = { scriptEvaluator: scalusEvaluator({ inThread: true }), evaluatorTimeoutMs: 60_000 }
  head = await startClientHead({ deposit: 0n, node: { ...(isLocked ? evaluation : {}), timings } })
  if (form === 'into a script, with a datum') return { amount: 9n * ADA, to: LOCK, datum: '182a' }
  if (!isLocked) return { amount: 9n * ADA, to: ownerOf(form) }
  const wallet = head.wallets[1]!
  const { fetcher, submitter } = new RpcProvider({ apiEndpoint: head.node.rpcUrl!, network: 'preprod' })
  const { cborHex } = new TxBuilder(await fetcher.fetchProtocolParameters())
    .addInputs(head.node.baseUtxos(wallet.getAddressBech32()))
    .pay(LOCK, 9n * ADA, { inlineDatum: '182a' })
    .changeTo(wallet.getAddressBech32())
    .build()
  await submitter.submitTx(await wallet.signTx(cborHex, true))
  while (head.node.baseUtxos(LOCK).length === 0) await new Promise((done) => setTimeout(done, 10))
  const [locked] = head.node.baseUtxos(LOCK)
  return { blueprint: await new TxBuilder().spendScript(locked!, { redeemer: '182a', script }).scriptBlueprint() }
}

describe.each(FORMS)('a deposit %s', (form) => {
  it('expires and is recovered like any other: its outputs are on the base ledger again, datum and all', async () => {
    const args = await start(form, { depositPeriodMs: 20 })
    head.node.faults.holdSnapshots = true
    const client = await head.client(0)
    const before = onBase(form)
    const error = await client.deposit({ ...args, timeout: 20_000 }).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ code: 'CLIENT_DEPOSIT_EXPIRED' })
    let recovered: string[] = []
    while (recovered.length === 0) recovered = await client.recover()
    expect(recovered).toEqual([(error as { depositTxId: string }).depositTxId])
    expect(inHead(form)).toBe(0n)
    expect(onBase(form)).toBe(form === 'of outputs that a script locks' ? before : before + 9n * ADA)
    if (ownerOf(form) === LOCK)
      expect(head.node.baseUtxos(LOCK).map(({ output }) => output.inlineDatum)).toEqual(['182a'])
  }, 60_000)

  it('with an id is made once, also by the process after one that was killed', async () => {
    const args = await start(form)
    const kept = memoryJournal()
    const entry = await new Promise<JournalEntry>((resolve) => {
      const journal: Journal = {
        ...kept,
        async put(written) {
          await kept.put(written)
          resolve(written)
          // The process is killed here.
          await new Promise(() => undefined)
        }
      }
      void head.client(0, { journal }).then((client: HeadClient) => client.deposit({ id: 'in', ...args }))
    })
    expect(entry).toMatchObject({ action: 'deposit', state: 'open' })
    const next = memoryJournal()
    await next.put(entry)
    const client = await head.client(0, { journal: next })
    const result = await client.deposit({ id: 'in', ...args })
    expect(result.depositTxId).toBe(entry.parts[0]!.txs[0]!.txId)
    expect(await client.deposit({ id: 'in', ...args })).toEqual(result)
    expect(inHead(form)).toBe(9n * ADA)
    await expect(client.deposit({ id: 'in', amount: ADA })).rejects.toMatchObject({ code: 'CLIENT_ID_REUSED' })
  }, 60_000)

  it('reports the steps of any other', async () => {
    const args = await start(form)
    const client = await head.client(0)
    const steps: DepositStep[] = []
    await client.deposit({ ...args, onProgress: ({ state }) => steps.push(state) })
    expect(steps).toEqual(['drafted', 'signed', 'submitted', 'recorded', 'activated', 'approved', 'confirmed'])
    expect(inHead(form)).toBe(9n * ADA)
  }, 60_000)
})
