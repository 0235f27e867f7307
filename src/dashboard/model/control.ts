/** Members of GET /devnode/status of a local head that are shown. */
export interface ControlStatus {
  readonly slot: number
  readonly timeMs: number
  readonly faults: Settings
  /** Addresses whose signatures are not required. */
  readonly impersonated: readonly string[]
  readonly parties: readonly PartyStatus[]
}

/** Switches and counts by their names. */
export type Settings = Readonly<Record<string, unknown>>

/** A party of the local head with its behaviour. */
export interface PartyStatus {
  readonly index: number
  /** Hex, 64 characters. */
  readonly vkey: string
  readonly silent: boolean
  readonly signDelayMs: number
  readonly closeWithOld: boolean
}

/** Error of the control API: the local head refused a request. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
}

const TIMEOUT_MS = 30_000

/** The control API of a local head, which the page's own server answers. */
export class Control {
  readonly #base: string

  constructor(base: string) {
    this.#base = base
  }

  status(): Promise<ControlStatus> {
    return this.#request('GET', '/status') as Promise<ControlStatus>
  }

  /** Gives lovelace to an address: on the base ledger, or in the head by a real deposit. */
  fund(address: string, lovelace: bigint, place: 'base' | 'head'): Promise<unknown> {
    return this.#request('POST', '/faucet', { address, lovelace: String(lovelace), in: place })
  }

  advance(advanceMs: number): Promise<unknown> {
    return this.#request('POST', '/time', { advanceMs })
  }

  setDrift(seconds: number): Promise<unknown> {
    return this.#request('POST', '/drift', { seconds })
  }

  setFaults(faults: Settings): Promise<unknown> {
    return this.#request('PATCH', '/faults', faults)
  }

  setParty(index: number, settings: Settings): Promise<unknown> {
    return this.#request('POST', `/parties/${index}`, settings)
  }

  impersonate(address: string): Promise<unknown> {
    return this.#request('POST', '/impersonate', { address })
  }

  /** Keeps the local head's whole state in its memory, and resolves with the id of that state. */
  async snapshot(): Promise<string> {
    const { id } = (await this.#request('POST', '/snapshot')) as { id: string }
    return id
  }

  /** Restores a kept state by its id. All connections end. */
  revert(id: string): Promise<unknown> {
    return this.#request('POST', '/revert', { id })
  }

  /** Resolves with the whole state as text, because numbers in it may be beyond 2^53. */
  dump(): Promise<string> {
    return this.#send('GET', '/state')
  }

  /** Replaces the local head's state by one of {@link dump}. All connections end. */
  load(state: string): Promise<unknown> {
    return this.#send('PUT', '/state', state)
  }

  async #request(method: string, path: string, body?: object): Promise<unknown> {
    return parsed(await this.#send(method, path, body === undefined ? undefined : JSON.stringify(body)))
  }

  async #send(method: string, path: string, body?: string): Promise<string> {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }),
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })
    const text = await response.text()
    if (response.ok) return text
    const problem = parsed(text) as { message?: unknown } | null
    throw new ControlError(
      typeof problem?.message === 'string' ? problem.message : `The local head answered with HTTP ${response.status}.`
    )
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
