import { parseJson } from '../codec/json.js'
import { hexToBytes, bytesToHex } from '../codec/hex.js'
import { readTransaction, transactionHash, transactionId } from '../codec/transaction.js'
import { readVkeyWitnesses, setVkeyWitnesses } from '../codec/witnessSet.js'
import { signWithSeed } from '../crypto/inner.js'
import { DevNodeStateError } from '../errors/devnode.js'
import { InvalidArgumentError } from '../errors/input.js'
import { blake2b224 } from '../hash/blake2b.js'
import type { TxOutput, UTxO } from '../types/utxo.js'
import type { DevNode } from './DevNode.js'
import { depositOutput } from './deposits/depositDraft.js'
import { writeHeadTx } from './headTxs/writeHeadTx.js'
import type { DrivenState } from './settings/drivenStates.js'
import { DRIVEN_STATES } from './settings/drivenStates.js'
import type { DevKey, FundedKey } from './settings/keys.js'

/** Arguments of {@link driveTo}. */
export interface DriveToOptions {
  /** A fresh node without a head; best with `manualClock()`, so that its time stands still afterwards. */
  readonly node: DevNode
  /** The state to bring its head into. */
  readonly state: DrivenState
}

/** A head in the requested state. */
export interface DrivenHead {
  /** Id of the head: hex, 56 characters; null before it is opened. Still named once all is paid out. */
  readonly headId: string | null
  /** Owner of the deposit: the first test key's address. */
  readonly address: string
  /** Lovelace of the deposit; 0 before it. */
  readonly deposited: bigint
  /** Transaction of the deposit: hex, 64 characters; null before it. */
  readonly depositTxId: string | null
}

const ADA = 1_000_000n
/** Paid to the second test key, and withdrawn by the first. */
const PAID = 3n * ADA
const WITHDRAWN = 100n * ADA
/** Margin after a time limit of the base ledger, whose slots last a second, ms. */
const PAST_MS = 1_500
const MAX_STEPS = 100_000

/**
 * Brings the head of a fresh local node into a state, by real inputs and requests of a client and by advancing the
 * node's time. The states from `deposit-waiting` to `deposit-recoverable` leave the fault `holdSnapshots` on.
 *
 * @throws {@link DevNodeStateError} on a node that has a head already, and where the timings or the profile leave no
 * room for the state; {@link InvalidArgumentError} on an unknown state (as rejections).
 * @example
 * ```ts
 * import { DevNode, driveTo, manualClock } from 'layer-sdk/devnode'
 * const node = new DevNode({ clock: manualClock(), accumulator: 'real' })
 * const { headId, address } = await driveTo({ node, state: 'settled' })
 * console.log(headId === node.headId, node.headUtxos(address).length) // true 1
 * await node.stop()
 * ```
 */
export async function driveTo({ node, state }: DriveToOptions): Promise<DrivenHead> {
  if (!DRIVEN_STATES.includes(state)) throw new InvalidArgumentError('state', DRIVEN_STATES.join(', '), state)
  if (node.headStatus !== 'Idle')
    throw new DevNodeStateError('driveTo needs a node without a head.', { expected: 'Idle', got: node.headStatus })
  const drive = new Drive(node)
  try {
    return await drive.to(state)
  } finally {
    drive.end()
  }
}

type Message = Readonly<Record<string, unknown>>

/** One client that drives a head. */
class Drive {
  readonly #node: DevNode
  readonly #owner: FundedKey
  readonly #messages: Message[] = []
  readonly #client: ReturnType<DevNode['open']>
  #deposit: UTxO | null = null
  #depositTxId: string | null = null
  #headId: string | null = null

  constructor(node: DevNode) {
    this.#node = node
    this.#owner = node.keys[0]
    this.#client = node.open('history=no', {
      send: (message) => {
        if (typeof message === 'string') this.#messages.push(parseJson(message) as Message)
      },
      close: () => undefined
    })
  }

  end(): void {
    this.#node.leave(this.#client)
  }

  async to(state: DrivenState): Promise<DrivenHead> {
    if (state !== 'no-head') await this.#open()
    if (state.startsWith('deposit-')) await this.#holdDeposit(state)
    else if (state !== 'no-head' && state !== 'empty') await this.#live(state)
    const [lovelace] = this.#deposit?.output.amount ?? []
    return {
      headId: this.#headId,
      address: this.#owner.address,
      deposited: BigInt(lovelace?.quantity ?? 0),
      depositTxId: this.#depositTxId
    }
  }

  async #open(): Promise<void> {
    this.#send({ tag: 'Init' })
    await this.#until('an open head', () => this.#node.headStatus === 'Open')
    this.#headId = this.#node.headId
  }

  /** Reaches the states of a deposit that the head does not claim. */
  async #holdDeposit(state: DrivenState): Promise<void> {
    const { faults, timings } = this.#node
    const { depositPeriodMs } = timings
    faults.holdSnapshots = true
    await this.#makeDeposit()
    await this.#until('the deposit in the node', () => this.#last('CommitRecorded') !== undefined)
    const deadlineMs = Date.parse(String(this.#last('CommitRecorded')!['deadline']))
    const waitsUntil = deadlineMs - 2 * depositPeriodMs
    if (state === 'deposit-waiting') {
      if ((await this.#now()) + PAST_MS >= waitsUntil)
        throw this.#noRoom(state, 'the timing depositDelayMs of some blocks, a second at least')
      return
    }
    if (state === 'deposit-claimable') return this.#advanceTo(waitsUntil + PAST_MS)
    if (state === 'deposit-expired') return this.#advanceTo(deadlineMs - depositPeriodMs + PAST_MS)
    await this.#advanceTo(deadlineMs + PAST_MS)
    if (state === 'deposit-recoverable') return
    faults.holdSnapshots = false
    const reply = this.#node.request({ method: 'DELETE', path: `/commits/${this.#depositTxId!}`, body: '' })
    await this.#until('a recovered deposit', () => !this.#isOnBase())
    await reply
  }

  /** Reaches the states from a claimed deposit on. */
  async #live(state: DrivenState): Promise<void> {
    await this.#makeDeposit()
    await this.#until('a snapshot with the deposit', () => this.#last('CommitApproved') !== undefined)
    if (state === 'arriving') return
    await this.#until('the increment', () => this.#last('CommitFinalized') !== undefined)
    if (state === 'settled') return
    const paid = await this.#pay()
    if (state === 'verified') return
    this.#send({ tag: 'Decommit', decommitTx: this.#tx([{ txHash: paid, index: 1 }], [this.#ownOutput(WITHDRAWN)]) })
    await this.#until('a snapshot with the decommit', () => this.#last('DecommitApproved') !== undefined)
    if (state === 'leaving') return
    await this.#until('the decrement', () => this.#last('DecommitFinalized') !== undefined)
    if (state === 'withdrawn') return
    // Without a later snapshot the head closes with the one that the datum stands for.
    await this.#pay()
    await this.#close(state)
  }

  async #close(state: DrivenState): Promise<void> {
    const [party] = this.#node.parties
    if (state === 'contested') party!.set({ closeWithOld: true })
    this.#send({ tag: 'Close' })
    await this.#until('a closed head', () => this.#last('HeadIsClosed') !== undefined)
    if (state === 'contestable') return
    if (state === 'contested') {
      await this.#until('a contest', () => this.#last('HeadIsContested') !== undefined)
      party!.set({ closeWithOld: false })
      return
    }
    await this.#advanceTo(Date.parse(String(this.#last('HeadIsClosed')!['contestationDeadline'])) + PAST_MS)
    await this.#until('a head that can be paid out', () => this.#last('ReadyToFanout') !== undefined)
    if (state === 'payable') return
    if (state === 'paying-out') return this.#payHalf()
    this.#send({ tag: 'Fanout' })
    await this.#until('a head that is paid out', () => this.#node.headStatus === 'Idle')
  }

  async #payHalf(): Promise<void> {
    const { body } = await this.#node.request({ method: 'GET', path: '/snapshot/utxo', body: '' })
    const [first] = Object.entries(parseJson(body) as Record<string, unknown>)
    this.#send({ tag: 'PartialFanout', utxoToFanout: Object.fromEntries([first!]) })
    await this.#until('half of the payout', () => this.#last('HeadPartiallyFannedOut') !== undefined)
  }

  async #makeDeposit(): Promise<void> {
    const { address } = this.#owner
    const [utxo] = this.#node.baseUtxos(address)
    if (utxo === undefined) throw this.#noRoom('a deposit', 'a first test key that holds something')
    const lovelace = Number(utxo.output.amount[0]!.quantity)
    const request = { [`${utxo.input.txHash}#${utxo.input.index}`]: { address, value: { lovelace } } }
    const draft = parseJson(await this.#post('/commit', request)) as { cborHex: string }
    const signed = this.#sign(hexToBytes(draft.cborHex))
    this.#deposit = utxo
    this.#depositTxId = transactionId(readTransaction(signed))
    await this.#post('/cardano-transaction', envelope(signed))
    await this.#until('the deposit on the base ledger', () => this.#isOnBase())
  }

  async #post(path: string, body: object): Promise<string> {
    const reply = await this.#node.request({ method: 'POST', path, body: JSON.stringify(body) })
    if (reply.status !== 200)
      throw new DevNodeStateError(`POST ${path} was refused.`, {
        expected: 'status 200',
        got: reply.body.slice(0, 300)
      })
    return reply.body
  }

  #isOnBase(): boolean {
    const { txHash, index } = depositOutput(this.#depositTxId!)
    return this.#node.baseUtxos().some(({ input }) => input.txHash === txHash && input.index === index)
  }

  /** Pays in the head, in a transaction that also makes an output to withdraw; returns the transaction's id. */
  async #pay(): Promise<string> {
    const confirmed = this.#count('SnapshotConfirmed')
    const ownUtxo = this.#node.headUtxos(this.#owner.address).at(-1)!
    const rest = BigInt(ownUtxo.output.amount[0]!.quantity) - PAID - WITHDRAWN
    const paid: TxOutput = { ...this.#ownOutput(PAID), address: this.#node.keys[1].address }
    const transaction = this.#tx([ownUtxo.input], [paid, this.#ownOutput(WITHDRAWN), this.#ownOutput(rest)])
    this.#send({ tag: 'NewTx', transaction })
    await this.#until('a snapshot with a payment', () => this.#count('SnapshotConfirmed') > confirmed)
    return transaction.txId
  }

  #ownOutput(lovelace: bigint): TxOutput {
    return { address: this.#owner.address, amount: [{ unit: 'lovelace', quantity: String(lovelace) }] }
  }

  #tx(inputs: readonly UTxO['input'][], outputs: readonly TxOutput[]): ReturnType<typeof envelope> {
    return envelope(writeHeadTx({ inputs, outputs, fee: 0n, mint: new Map(), name: 'driveTo' }, this.#key()))
  }

  #sign(cbor: Uint8Array): Uint8Array {
    const spans = readTransaction(cbor)
    const { publicKey, seed } = this.#key()
    const signature = signWithSeed(transactionHash(spans), seed, publicKey)
    return setVkeyWitnesses(spans, [...readVkeyWitnesses(spans), { vkey: publicKey, signature }])
  }

  #key(): DevKey {
    const { name, skey, vkey } = this.#owner
    const [seed, publicKey] = [hexToBytes(skey.slice(4)), hexToBytes(vkey.slice(4))]
    return { name, seed, publicKey, keyHash: bytesToHex(blake2b224(publicKey)) }
  }

  #send(input: object): void {
    this.#node.receive(this.#client, JSON.stringify(input))
  }

  #last(tag: string): Message | undefined {
    return this.#messages.filter((message) => message['tag'] === tag).at(-1)
  }

  #count(tag: string): number {
    return this.#messages.filter((message) => message['tag'] === tag).length
  }

  async #now(): Promise<number> {
    return (await this.#node.status()).timeMs
  }

  async #advanceTo(timeMs: number): Promise<void> {
    const left = timeMs - (await this.#now())
    if (left > 0) await this.#node.advanceTime(left)
  }

  /** Advances time in parts of a block until `holds` returns true, so that no later step happens meanwhile. */
  async #until(expected: string, holds: () => boolean): Promise<void> {
    const step = Math.max(1, Math.floor(this.#node.timings.blockMs / 4))
    for (let steps = 0; !holds(); steps++) {
      const failed = ['CommandFailed', 'TxInvalid', 'DecommitInvalid', 'PostTxOnChainFailed'].find((tag) =>
        this.#last(tag)
      )
      if (failed !== undefined || steps > MAX_STEPS) throw this.#noRoom(expected, failed ?? 'it in time')
      await this.#node.advanceTime(step)
    }
  }

  #noRoom(state: string, needs: string): DevNodeStateError {
    return new DevNodeStateError(`driveTo does not reach ${state}.`, { expected: needs, got: this.#node.headStatus })
  }
}

function envelope(cbor: Uint8Array): { type: string; description: string; cborHex: string; txId: string } {
  const txId = transactionId(readTransaction(cbor))
  return { type: 'Tx ConwayEra', description: '', cborHex: bytesToHex(cbor), txId }
}
