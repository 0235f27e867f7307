import { parseJson, stringifyJson } from '../../codec/json.js'
import { DevNodeFileError, DevNodeStateError } from '../../errors/devnode.js'
import type { LocalHead } from '../party/Party.js'
import type { DevNodeOptions } from '../settings/options.js'
import type { NodeIdentity, StateRows } from './document.js'
import { STATE_FORMAT, STATE_VERSION } from './document.js'
import { forkUrl } from '../fork/forkUrl.js'
import { assertIdentity, readChecked } from './readDocument.js'
import { applyState } from './restoreState.js'
import { isObject } from '../json/isObject.js'
import { StateKeeper } from './StateKeeper.js'
import { assertFile, lockFile, readLog, StateLog } from './StateLog.js'

interface Head {
  readonly node: NodeIdentity
  readonly start: Pick<DevNodeOptions, 'profile' | 'networkId' | 'seed' | 'parties' | 'slotZeroMs'> & {
    readonly protocolParameters: string
    /** Host and port of the node whose head the state was forked from, or null. */
    readonly forkHost: string | null
  }
}

type Rows = { -readonly [Table in keyof StateRows]: unknown[] }

/** A state file that has been locked and read. */
export class StateFile {
  readonly #path: string
  readonly #unlock: () => void
  readonly #head: Head | null
  readonly #changes: readonly { readonly rows: Partial<StateRows>; readonly roots: Record<string, unknown> }[]
  /** Number of bytes at the end of the file that had not been written completely, and are left out. */
  readonly tornBytes: number
  #keeper: StateKeeper | null = null
  #local: LocalHead | null = null
  #forkHost: string | null

  /** @throws {@link DevNodeFileError} when the file cannot be read, is damaged or no state file, or is in use. */
  constructor(path: string) {
    this.#path = path
    assertFile(path)
    this.#unlock = lockFile(path)
    try {
      const content = readLog(path)
      const [head, ...changes] = content?.records ?? []
      if (head !== undefined) assertHead(path, head)
      if (head !== undefined && changes.length === 0)
        throw new DevNodeFileError(path, 'is damaged', { got: 'no state after its first record' })
      this.#head = (head as Head | undefined) ?? null
      this.#forkHost = this.#head?.start.forkHost ?? null
      this.#changes = changes as never
      this.tornBytes = content?.tornBytes ?? 0
    } catch (error) {
      this.#unlock()
      throw error
    }
  }

  /** True when the file holds no state yet. */
  get isNew(): boolean {
    return this.#head === null
  }

  /** Id of the head that the state was forked from, or null. */
  get forkOf(): string | null {
    return this.#head?.node.forkOf ?? null
  }

  /**
   * Returns the options of a node that restores the state. A `fork` is not read again, because the state has its
   * outputs.
   *
   * @throws {@link DevNodeStateError} when one contradicts the file. @throws {@link InvalidArgumentError} on a `fork`
   * that is no URL.
   */
  optionsFor(options: DevNodeOptions, fork: string | null): DevNodeOptions {
    const forkHost = fork === null ? null : forkUrl(fork).host
    if (this.#head === null) {
      this.#forkHost = forkHost
      return options
    }
    if (forkHost !== null && forkHost !== this.#forkHost) {
      throw new DevNodeStateError('The option fork contradicts the state file.', {
        expected: this.#forkHost ?? 'no fork',
        got: forkHost
      })
    }
    const { protocolParameters, forkHost: _forkHost, ...start } = this.#head.start
    for (const [name, value] of Object.entries(start)) {
      const option = options[name as keyof typeof start]
      if (option == null || option === value) continue
      throw new DevNodeStateError(`The option ${name} contradicts the state file.`, {
        expected: String(value),
        got: String(option)
      })
    }
    const parameters = parseJson(protocolParameters) as Record<string, unknown>
    for (const [name, value] of Object.entries(options.protocolParameters ?? {})) {
      if (stringifyJson(value) === stringifyJson(parameters[name])) continue
      throw new DevNodeStateError(`The option protocolParameters contradicts the state file.`, {
        expected: `${name} as in the file`,
        got: 'another value'
      })
    }
    // The results of a start are in the state already.
    const { genesis: _genesis, inHead: _inHead, open: _open, ...rest } = options
    return { ...rest, ...start, protocolParameters: parameters }
  }

  /**
   * Restores the state of the file in the node, and writes all later changes to the file.
   * @throws {@link DevNodeFileError} @throws {@link DevNodeStateError}
   */
  keep(local: LocalHead): void {
    if (this.#head !== null) {
      assertIdentity(this.#head.node, local)
      const { rows, roots } = this.#collected()
      applyState(
        readChecked(rows as unknown as StateRows, roots, local, (problem) => {
          throw new DevNodeFileError(this.#path, 'cannot be taken up', { got: problem })
        }),
        local
      )
    }
    this.#keeper = new StateKeeper(local, new StateLog(this.#path), this.#forkHost)
    this.#keeper.start()
    local.chain.durability.current = this.#keeper
    this.#local = local
  }

  /** Calls `onChange` with the reason when the state cannot be written, and with null when it can be again. */
  follow(onChange: (failure: string | null) => void): void {
    this.#keeper?.follow(onChange)
  }

  /** Writes the remaining changes, and releases the file. */
  close(): void {
    if (this.#local !== null) this.#local.chain.durability.current = null
    this.#keeper?.close()
    this.#unlock()
  }

  #collected(): { rows: Rows; roots: Record<string, unknown> } {
    const rows: Rows = { outputs: [], txs: [], utxos: [], signed: [], messages: [], baseTxs: [] }
    const roots: Record<string, unknown> = {}
    for (const change of this.#changes) {
      for (const [table, added] of Object.entries(change.rows) as [keyof Rows, readonly unknown[]][])
        for (const row of added) rows[table].push(row)
      Object.assign(roots, change.roots)
    }
    return { rows, roots }
  }
}

function assertHead(path: string, head: unknown): void {
  if (!isObject(head) || head['format'] !== STATE_FORMAT)
    throw new DevNodeFileError(path, 'is no state file of a local head node')
  if (head['version'] !== STATE_VERSION) {
    throw new DevNodeFileError(path, 'is of another version', {
      expected: `version ${STATE_VERSION}`,
      got: `version ${String(head['version'])}`
    })
  }
}
