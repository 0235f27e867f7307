import { parseAddress } from '../../../codec/address.js'
import { bytesToHex } from '../../../codec/hex.js'
import { LOVELACE } from '../../../codec/value.js'
import { DevNodeStateError } from '../../../errors/devnode.js'
import { InvalidArgumentError } from '../../../errors/input.js'
import type { Amount } from '../../../types/utxo.js'
import { currentSlot } from '../../chain/chainTime.js'
import { headStatus, snapshotUtxo } from '../../wire/json/greetings.js'
import type { LedgerEntry } from '../../rules/utxoSet.js'
import type { LocalHead } from '../../party/Party.js'
import type { DevNodeState, StateDocument } from '../../saved/document.js'
import { readDocument } from '../../saved/readDocument.js'
import type { ReadState } from '../../saved/restoreState.js'
import { applyState, readState } from '../../saved/restoreState.js'
import { dumpState } from '../../saved/writeState.js'
import type { StateFile } from '../../saved/stateFile.js'
import type { FundedInHead } from './fundHead.js'
import { fundHead } from './fundHead.js'
import type { DevNodeEndpoints, DevNodeStatus, DevNodeTime } from './status.js'

/** Accounts and URLs of a controlled node. */
export interface ControlledParts {
  /** The addresses that were funded at the start. */
  readonly accounts: readonly {
    readonly name: string
    readonly address: string
    readonly stakeAddress: string | null
  }[]
  endpoints(): DevNodeEndpoints
  partyUrl(party: number): string | null
}

/**
 * 31 December 9998: later times have more than four digits for the year before long, which the node's clients cannot
 * read.
 */
const LAST_TIME_MS = 253_370_764_799_000

/** Most snapshots that are kept; the oldest are dropped first. */
const MAX_SNAPSHOTS = 100

/** Control of a running node. Changes of its whole state happen one after another. */
export class NodeControl {
  readonly #local: LocalHead
  readonly #parts: ControlledParts
  readonly #snapshots = new Map<string, StateDocument>()
  #snapshotCount = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(local: LocalHead, parts: ControlledParts) {
    this.#local = local
    this.#parts = parts
  }

  status(): DevNodeStatus {
    const { chain, head: shared, node } = this.#local
    const { options, features, base, clock, impersonated } = chain
    const { keys, network } = shared
    const { faults, counters, runtime } = node
    const { head } = runtime.state
    const inHead = snapshotUtxo(head)
    const endpoints = this.#parts.endpoints()
    const baseLovelace = lovelaceByAddress(base.entries(() => true))
    const headLovelace = lovelaceByAddress(inHead?.entries ?? [])
    return {
      version: features.version,
      profile: options.profile,
      networkId: options.networkId,
      endpoints,
      head: {
        status: headStatus(head),
        id: head.status === 'Idle' ? null : head.head.headId,
        number: 'confirmed' in head ? (head.confirmed?.snapshot.number ?? 0) : 0,
        outputs: inHead?.size ?? 0
      },
      slot: currentSlot(chain),
      timeMs: clock.now(),
      accounts: this.#parts.accounts.map((account) => ({
        ...account,
        baseLovelace: String(baseLovelace.get(account.address) ?? 0n),
        headLovelace: String(headLovelace.get(account.address) ?? 0n)
      })),
      parties: keys.map(({ publicKey }, index) => ({
        index,
        vkey: bytesToHex(publicKey),
        url: this.#parts.partyUrl(index),
        ...network.settings(index)
      })),
      faults: structuredClone(faults),
      impersonated: [...impersonated.keys()],
      counters: structuredClone(counters)
    }
  }

  fundHead(address: string, outputs: readonly (bigint | readonly Amount[])[]): Promise<FundedInHead> {
    return fundHead(address, outputs, this.#local.node)
  }

  advanceTime(ms: number): Promise<DevNodeTime> {
    const { clock } = this.#local.chain
    if (!(typeof ms === 'number' && ms >= 0)) throw new InvalidArgumentError('advanceMs', 'a number from 0', ms)
    return this.#inTurn(async () => {
      const latestMs = LAST_TIME_MS - clock.now()
      if (ms > latestMs)
        throw new InvalidArgumentError('advanceMs', `a time before the year 9999: at most ${latestMs}`, ms)
      clock.beginAdvance(ms)
      try {
        // The work of a timer is over before the next one: scripts and accumulators need their own time.
        do await this.#idle()
        while (clock.step())
      } finally {
        clock.endAdvance()
      }
      return this.#now()
    })
  }

  impersonate(address: string): readonly string[] {
    const { impersonated, options } = this.#local.chain
    const { payment, stake, networkId, type } = parseAddress(address)
    if (type === 'byron' || networkId !== options.networkId) {
      throw new InvalidArgumentError(
        'address',
        `an address of network ${options.networkId} that is no Byron one`,
        address
      )
    }
    const keys = [payment, stake]
      .filter((credential) => credential?.kind === 'key')
      .map((credential) => credential!.hash)
    if (keys.length === 0)
      throw new InvalidArgumentError('address', 'an address with a key: a script has no signer', address)
    impersonated.set(address, keys)
    return [...impersonated.keys()]
  }

  /** Keeps the whole state under an id. */
  snapshotState(): Promise<string> {
    return this.#inTurn(async () => {
      const state = await this.#dump()
      const id = String(++this.#snapshotCount)
      this.#snapshots.set(id, state)
      const [oldest] = this.#snapshots.keys()
      if (this.#snapshots.size > MAX_SNAPSHOTS) this.#snapshots.delete(oldest!)
      return id
    })
  }

  revertState(id: string): Promise<void> {
    if (typeof id !== 'string') throw new InvalidArgumentError('id', 'the id of a snapshot: a text', id)
    return this.#inTurn(async () => {
      const state = this.#snapshots.get(id)
      if (state === undefined)
        throw new DevNodeStateError('There is no such snapshot.', {
          expected: `one of the last ${MAX_SNAPSHOTS} ids`,
          got: id.slice(0, 40)
        })
      await this.#put(readState(state.rows, state.roots, this.#local))
    })
  }

  dumpState(): Promise<DevNodeState> {
    return this.#inTurn(() => this.#dump())
  }

  async loadState(state: DevNodeState): Promise<DevNodeTime> {
    const read = readDocument(state, this.#local)
    return this.#inTurn(async () => {
      await this.#put(read)
      return this.#now()
    })
  }

  async #dump(): Promise<StateDocument> {
    await this.#idle()
    return dumpState(this.#local)
  }

  async #put(state: ReadState): Promise<void> {
    await this.#idle()
    applyState(state, this.#local)
    await this.#local.chain.durability.current?.commit()
  }

  /** Restores the state of a file, and keeps it there from now on. */
  keepIn(file: StateFile): void {
    file.keep(this.#local)
  }

  #now(): DevNodeTime {
    const { chain } = this.#local
    return { timeMs: chain.clock.now(), slot: currentSlot(chain) }
  }

  /** Runs a task after those before it, failed ones too. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#last.then(task, task)
    this.#last = run.catch(() => {})
    return run
  }

  /** Resolves when no work is under way but that of timers. */
  async #idle(): Promise<void> {
    const { chain, parties } = this.#local
    const underWay = (): Promise<void> | undefined =>
      parties.map(({ runtime }) => runtime.idle()).find((wait) => wait !== undefined) ?? chain.base.verdicts.idle()
    for (let wait = underWay(); wait !== undefined; wait = underWay()) await wait
  }
}

function lovelaceByAddress(entries: readonly LedgerEntry[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { output } of entries) {
    const quantity = output.amount.find(({ unit }) => unit === LOVELACE)?.quantity ?? '0'
    sums.set(output.address, (sums.get(output.address) ?? 0n) + BigInt(quantity))
  }
  return sums
}
