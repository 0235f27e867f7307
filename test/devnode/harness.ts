import type { DevNodeOptions, FundedKey, ManualClock } from '../../src/devnode'
import { DevNode, manualClock } from '../../src/devnode'
import type { Client } from '../../src/devnode'
import { hexToBytes } from '../../src/codec/hex'
import { parseJson } from '../../src/codec/json'
import type { UTxO } from '../../src/types/utxo'
import type { Envelope } from './transactions'
import { envelopeOf, signTx } from './transactions'

export type Message = Record<string, any>

/** The node, or another party of its head. */
export type Served = Pick<DevNode, 'open' | 'leave' | 'receive'>

/** A client without a socket, and all it has been sent. */
export class TestClient {
  readonly messages: Message[] = []
  readonly texts: (string | Uint8Array)[] = []
  closedWith: number | null | undefined
  readonly client: Client
  readonly #node: Served

  constructor(node: Served, query = '') {
    this.#node = node
    const early: (string | Uint8Array)[] = []
    const take = (message: string | Uint8Array): void => {
      this.texts.push(message)
      if (typeof message === 'string') this.messages.push(parseJson(message) as Message)
    }
    this.client = node.open(query, {
      send: (message) => take(message),
      close: (code) => {
        this.closedWith = code ?? null
        this.leave()
      }
    })
    early.forEach(take)
  }

  send(input: Message | string): void {
    this.#node.receive(this.client, typeof input === 'string' ? input : JSON.stringify(input))
  }

  leave(): void {
    this.#node.leave(this.client)
  }

  all(tag: string): Message[] {
    return this.messages.filter((message) => message['tag'] === tag)
  }

  last(tag: string): Message {
    const found = this.all(tag).at(-1)
    if (found === undefined) throw new Error(`no ${tag} among ${this.tags().join(' ')}`)
    return found
  }

  tags(): string[] {
    return this.messages.map((message) => String(message['tag']))
  }

  /** What has come since the last call. */
  take(): Message[] {
    return this.messages.splice(0)
  }
}

export interface Setup {
  node: DevNode
  clock: ManualClock
  client: TestClient
  alice: FundedKey
  bob: FundedKey
}

/** A node whose time stands still, and one client. */
export function setUp(options: DevNodeOptions = {}): Setup {
  const clock = manualClock()
  const node = new DevNode({ clock, ...options })
  const [alice, bob] = node.keys
  return { node, clock, client: new TestClient(node), alice: alice!, bob: bob! }
}

/** As {@link setUp}, with an open head. */
export function openHead(options: DevNodeOptions = {}): Setup {
  const setup = setUp(options)
  setup.client.send({ tag: 'Init' })
  setup.clock.advance(50)
  return setup
}

export async function request(
  node: Pick<DevNode, 'request'>,
  method: string,
  path: string,
  body: unknown = ''
): Promise<{ status: number; body: any }> {
  const reply = await node.request({ method, path, body: typeof body === 'string' ? body : JSON.stringify(body) })
  return { status: reply.status, body: reply.body === '' ? undefined : (parseJson(reply.body) as any) }
}

/** UTxO as the node takes it. */
export function utxoJson(...utxos: readonly UTxO[]): Record<string, unknown> {
  return Object.fromEntries(
    utxos.map(({ input, output }) => {
      const value: Record<string, any> = {}
      for (const { unit, quantity } of output.amount) {
        if (unit === 'lovelace') value['lovelace'] = Number(quantity)
        else value[unit.slice(0, 56)] = { ...value[unit.slice(0, 56)], [unit.slice(56)]: Number(quantity) }
      }
      return [`${input.txHash}#${input.index}`, { address: output.address, value }]
    })
  )
}

/** Drafts a deposit of outputs, signs and submits it; resolves with its id before the base ledger has taken it. */
export async function submitDeposit(node: DevNode, owner: FundedKey, ...utxos: readonly UTxO[]): Promise<string> {
  const draft = await request(node, 'POST', '/commit', utxoJson(...utxos))
  if (draft.status !== 200) throw new Error(JSON.stringify(draft))
  const signed = envelopeOf(signTx(hexToBytes(draft.body.cborHex), owner))
  const reply = await request(node, 'POST', '/cardano-transaction', signed)
  if (reply.status !== 200) throw new Error(JSON.stringify(reply))
  return signed.txId
}

/** Brings one output of 1,000 ada of the owner into the head. */
export async function deposit({ node, clock }: Setup, owner: FundedKey): Promise<UTxO> {
  const [utxo] = node.baseUtxos(owner.address)
  await submitDeposit(node, owner, utxo!)
  clock.advance(500)
  return utxo!
}

export const newTx = (transaction: Envelope): Message => ({ tag: 'NewTx', transaction })
