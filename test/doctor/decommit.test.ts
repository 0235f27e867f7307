import { encodeTxOutput } from '../../src/codec/txOutput'
import { bytesToHex, hexToBytes } from '../../src/codec/hex'
import { CborWriter } from '../../src/codec/cbor/writer'
import type { UTxO } from '../../src/doctor'
import { checkDecommit } from '../../src/doctor'
import { randomSource } from '../support/random'
import { scaled } from '../support/scale'
import { startClientHead } from '../client/support'
import type { ClientHead } from '../client/support'
import type { Changes } from './factsSupport'
import { ADA, BYRON_ADDRESS, datumOf, facts, NOW, POLICY, SCRIPT_ADDRESS, told, utxo } from './factsSupport'

/** A transaction that spends one output of the head and makes these. */
function decommitOf(outputs: readonly UTxO['output'][], spends = 1): string {
  const body = new CborWriter().map(3).uint(0).array(1).array(2)
  body
    .bytes(hexToBytes(spends.toString(16).padStart(64, '0'), 'id'))
    .uint(0)
    .uint(1)
    .array(outputs.length)
  for (const output of outputs) body.raw(encodeTxOutput(output))
  body.uint(2).uint(0)
  return `84${bytesToHex(body.toBytes())}a0f5f6`
}

const out = (lovelace: bigint, more: Parameters<typeof utxo>[2] = {}): UTxO['output'] => utxo(1, lovelace, more).output
const many = (count: number, more: Parameters<typeof utxo>[2] = {}): UTxO['output'][] =>
  Array.from({ length: count }, () => out(90n * ADA, more))
const policies = (count: number): Record<string, bigint> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [POLICY.slice(4) + i.toString(16).padStart(4, '0'), 1n]))

describe('checkDecommit blocks', () => {
  it.each([
    ['no outputs', [], {}, 'decommit-unpostable'],
    [
      'a minted token',
      [out(5n * ADA, { tokens: { [POLICY]: 6n } })],
      { history: { entered: { [POLICY]: '5' } } },
      'decommit-unpostable'
    ],
    [
      "a token that the head's output lacks",
      [out(5n * ADA, { tokens: { [POLICY]: 1n } })],
      { head: { onChain: {} } },
      'decommit-unpostable'
    ],
    ['an output below the least ada', [out(857_689n)], {}, 'decommit-unpostable'],
    ['an output at a Byron address', [out(5n * ADA, { address: BYRON_ADDRESS })], {}, 'decommit-unpostable'],
    [
      'an output that fills a transaction',
      [out(90n * ADA, { inlineDatum: datumOf(15_500) })],
      {},
      'decommit-unpostable'
    ],
    ['many outputs that fill it together', many(400), {}, 'decommit-unpostable'],
    [
      'a value of too many policies',
      [out(90n * ADA, { tokens: policies(200) })],
      { head: { onChain: Object.fromEntries(Object.keys(policies(200)).map((unit) => [unit, '1'])) } },
      'decommit-unpostable'
    ],
    [
      'a deposit beside it',
      [out(5n * ADA)],
      { snapshot: { utxo: [utxo(1, 5n * ADA)], toCommit: [utxo(7, 5n * ADA)] } },
      'decommit-unpostable'
    ],
    ['another one under way', [out(5n * ADA)], { head: { decommitTxId: 'ab'.repeat(32) } }, 'decommit-pending'],
    [
      'one that was final just now',
      [out(5n * ADA)],
      { history: { decommitFinalizedAt: NOW - 20_000 } },
      'decommit-pause'
    ]
  ] as [string, UTxO['output'][], Changes, string][])('%s', async (_, outputs, changes, code) => {
    expect(told(await checkDecommit({ facts: facts(changes), txCbor: decommitOf(outputs) }))).toEqual([`block ${code}`])
  })
})

it('checkDecommit blocks none of 1,000 good ones', async () => {
  const random = randomSource('good decommits')
  for (let i = 0; i < scaled(1_000); i++) {
    const held = BigInt(1 + random.below(1_000))
    const outputs = Array.from({ length: 1 + random.below(20) }, () =>
      out(BigInt(2_000_000 + random.below(1_000_000_000)), {
        ...(random.below(3) === 0 ? { inlineDatum: datumOf(2 + random.below(300)) } : {}),
        ...(random.below(4) === 0 ? { address: SCRIPT_ADDRESS } : {})
      })
    )
    outputs.push(out(5n * ADA, { tokens: { [POLICY]: BigInt(1 + random.below(Number(held))) } }))
    const changes: Changes = { history: { entered: { [POLICY]: String(held) }, decommitFinalizedAt: NOW - 45_000 } }
    expect(told(await checkDecommit({ facts: facts(changes), txCbor: decommitOf(outputs) }))).toEqual([])
  }
})

it('warns where the last collateral for scripts leaves', async () => {
  const given = facts({ snapshot: { utxo: [utxo(1, 9n * ADA), utxo(2, 9n * ADA, { address: SCRIPT_ADDRESS })] } })
  expect(told(await checkDecommit({ facts: given, txCbor: decommitOf([out(9n * ADA)]) }))).toEqual([
    'warn last-collateral'
  ])
})

it.each([
  ['without the history', { ...facts(), history: { unread: 'off' } }, out(5n * ADA, { tokens: { [POLICY]: 1n } })],
  ['without the base ledger', { ...facts(), base: { unread: 'off' } }, out(5n * ADA)]
])('is unknown %s, and not in order', async (_, given, output) => {
  expect(told(await checkDecommit({ facts: given, txCbor: decommitOf([output]) }))).toContain(
    'unknown decommit-unpostable'
  )
})

it.each([
  ['no hex', 'xyz'],
  ['no transaction', '8101'],
  ['nothing', '']
])('refuses bytes that are no transaction: %s', async (_, txCbor) => {
  await expect(checkDecommit({ facts: facts(), txCbor })).rejects.toMatchObject({
    code: expect.stringMatching(/^INPUT_/)
  })
})

describe('withdraw of a head client', () => {
  let head: ClientHead
  afterEach(() => head.stop())

  const minted = async (): Promise<{ client: Awaited<ReturnType<ClientHead['client']>>; token: UTxO }> => {
    // Found in no deposit of the history: as if it were minted in the head.
    head = await startClientHead({ deposit: 60n * ADA })
    const client = await head.client(0)
    const [first] = client.getUtxos()!
    const token = {
      ...first!,
      output: { ...first!.output, amount: [...first!.output.amount, { unit: POLICY, quantity: '3' }] }
    }
    return { client, token }
  }

  it('sends no message where the check blocks, holds nothing back, and pays afterwards', async () => {
    const { client, token } = await minted()
    const address = head.wallets[0]!.getAddressBech32()
    const before = { ...head.node.counters.inputs }
    await expect(client.withdraw({ utxos: [token], all: true })).rejects.toMatchObject({
      code: 'CLIENT_WITHDRAW_BLOCKED',
      findings: [{ code: 'decommit-unpostable' }],
      message: expect.stringContaining('No transaction was sent')
    })
    expect(head.node.counters.inputs).toEqual(before)
    await expect(client.pay({ to: address, amount: 2n * ADA })).resolves.toMatchObject({ txId: expect.any(String) })
  })

  it('sends it with force, and the node decides', async () => {
    const { client, token } = await minted()
    await expect(client.withdraw({ utxos: [token], all: true, force: true })).rejects.not.toMatchObject({
      code: 'CLIENT_WITHDRAW_BLOCKED'
    })
    expect(head.node.counters.inputs['Decommit']).toBe(1)
  })

  it('refuses a force that is neither true nor false', async () => {
    head = await startClientHead({ deposit: 20n * ADA })
    const client = await head.client(0)
    await expect(client.withdraw({ amount: ADA, force: 1 as never })).rejects.toMatchObject({ code: 'INPUT_ARGUMENT' })
  })
})
