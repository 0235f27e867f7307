import { addressToString, enterpriseAddress } from '../../src/codec/address'
import type { NodeEvent } from '../../src/cli/devnode/nodeEvents'
import { NodeEvents } from '../../src/cli/devnode/nodeEvents'
import { Names } from '../../src/cli/devnode/payments'
import type { Setup } from '../devnode/harness'
import { deposit, newTx, openHead, request, setUp, submitDeposit } from '../devnode/harness'
import { buildTx, envelopeOf, pay, signTx } from '../devnode/transactions'

/** What is printed of a node, less the times. */
function follow({ node, clock }: Setup): NodeEvent[] {
  const events: NodeEvent[] = []
  const { onMessage, onBaseTx } = new NodeEvents(
    new Names(node),
    (event) => events.push(event),
    () => clock.now()
  )
  node.follow(onMessage, onBaseTx)
  return events
}

const texts = (events: readonly NodeEvent[]): string[] =>
  events.map(({ text }) => text.replaceAll(/\b[0-9a-f]{56}\b/g, 'ID').replaceAll(/\b[0-9a-f]{8}\b/g, 'ID'))

const enterprise = (index: number): string =>
  addressToString(enterpriseAddress(0, { kind: 'key', hash: index.toString(16).padStart(56, '0') }))

describe('the lines of devnode', () => {
  it('show a payment with names, the amount and how long its snapshot took', async () => {
    const setup = openHead()
    const { client, clock, alice, bob } = setup
    const utxo = await deposit(setup, alice)
    const events = follow(setup)
    client.send(newTx(pay(utxo, alice, bob.address, 3_000_000n)))
    clock.advance(41)
    expect(texts(events)).toEqual(['payment alice -> bob 3 ada, 20 ms'])
    expect(events[0]!.details).toMatchObject({
      layer: 'head',
      from: 'alice',
      to: [{ to: 'bob', lovelace: '3000000', assets: 0 }],
      snapshot: 2,
      ms: 20
    })
  })

  it('show the life of a head, deposits until they are final, and payments on the base ledger', async () => {
    const setup = setUp()
    const { node, client, clock, alice, bob } = setup
    const events = follow(setup)
    client.send({ tag: 'Init' })
    clock.advance(50)
    await deposit(setup, alice)
    const [own] = node.baseUtxos(bob.address)
    await node.submitBaseTx(
      signedHex(
        {
          inputs: [own!.input],
          outputs: [{ address: alice.address, amount: [{ unit: 'lovelace', quantity: '999000000' }] }],
          fee: 1_000_000n
        },
        bob
      )
    )
    client.send({ tag: 'Close' })
    clock.advance(5000)
    client.send({ tag: 'Fanout' })
    clock.advance(100)
    expect(texts(events)).toEqual([
      'head open, ID',
      'deposit ID 1000 ada in 1 output, recorded',
      'deposit ID 1000 ada in 1 output, active',
      'deposit ID final',
      'payment bob -> alice 999 ada, on the base ledger',
      expect.stringMatching(/^head closed with snapshot 1, to be contested until \d\d:\d\d:\d\d UTC$/),
      'head ready to fan out',
      'head final: 1000 ada in 1 output on the base ledger'
    ])
  })

  it('show refusals with their reasons, in the head, on the base ledger and of commands', async () => {
    const setup = openHead()
    const { node, client, clock, alice, bob } = setup
    const utxo = await deposit(setup, alice)
    const events = follow(setup)
    client.send(newTx(pay(utxo, alice, bob.address, 3_000_000n)))
    clock.advance(100)
    client.send(newTx(pay(utxo, alice, bob.address, 4_000_000n)))
    clock.advance(1000)
    client.send({ tag: 'Init' })
    node.setDrift(12)
    client.send({ tag: 'Close' })
    node.setDrift(0)
    const [own] = node.baseUtxos(bob.address)
    const unsigned = buildTx({
      inputs: [own!.input],
      outputs: [{ address: alice.address, amount: [{ unit: 'lovelace', quantity: '5000000' }] }]
    })
    await node.submitBaseTx(Buffer.from(unsigned).toString('hex'))
    expect(texts(events)).toEqual([
      'payment alice -> bob 3 ada, 20 ms',
      expect.stringMatching(/^refused payment alice -> bob 4 ada: .*(All inputs are spent|BadInputsUTxO)/),
      'refused Init: not possible in this state of the head',
      'the node is 12 s behind the base ledger',
      'refused Close: the node is 12 s behind the base ledger',
      'the node has caught up with the base ledger',
      expect.stringMatching(/^refused payment unsigned -> alice 5 ada, on the base ledger: .*FeeTooSmall/)
    ])
    expect(events[1]!.details).toMatchObject({ layer: 'head', reason: expect.stringContaining('All inputs are spent') })
  })

  it('stay one line of bounded length whatever a transaction or a reason holds', async () => {
    const setup = openHead()
    const { client, clock, alice } = setup
    const utxo = await deposit(setup, alice)
    const events = follow(setup)
    const outputs = Array.from({ length: 50 }, (_, index) => ({
      address: enterprise(index),
      amount: [{ unit: 'lovelace', quantity: '20000000' }]
    }))
    client.send(newTx(envelopeOf(signTx(buildTx({ inputs: [utxo.input], outputs }), alice))))
    clock.advance(100)
    expect(texts(events)).toEqual([
      expect.stringMatching(
        /^payment alice -> (addr_test1v\w{4}\.{3}\w{6} 20 ada, ){2}addr_test1v\w{4}\.{3}\w{6} 20 ada and 47 more, 20 ms$/
      )
    ])
    setup.node.foreignCommandFailed({ tag: `${'x'.repeat(5000)}\n` })
    expect(events.every(({ text }) => text.length < 600 && !text.includes('\n'))).toBe(true)
  })

  it('end with the function that follow returned', async () => {
    const setup = openHead()
    const events: string[] = []
    const stop = setup.node.follow(
      ({ tag }) => void events.push(tag),
      () => void events.push('base')
    )
    stop()
    const [utxo] = setup.node.baseUtxos(setup.alice.address)
    await submitDeposit(setup.node, setup.alice, utxo!)
    setup.clock.advance(500)
    expect([events, (await request(setup.node, 'GET', '/head')).body.tag]).toEqual([[], 'Open'])
  })
})

function signedHex(parts: Parameters<typeof buildTx>[0], key: Parameters<typeof signTx>[1]): string {
  return envelopeOf(signTx(buildTx(parts), key)).cborHex
}
