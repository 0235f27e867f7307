/** What GET /devnode/status of a local head says, as far as it is shown. */
export interface ControlStatus {
  readonly slot: number
  readonly timeMs: number
  readonly faults: Readonly<Record<string, unknown>>
}

/** The control API of a local head refused a request. */
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

  /** Puts lovelace at an address; into the head by a true deposit. */
  fund(address: string, lovelace: bigint, place: 'base' | 'head'): Promise<unknown> {
    return this.#request('POST', '/faucet', { address, lovelace: String(lovelace), in: place })
  }

  advance(advanceMs: number): Promise<unknown> {
    return this.#request('POST', '/time', { advanceMs })
  }

  setDrift(seconds: number): Promise<unknown> {
    return this.#request('POST', '/drift', { seconds })
  }

  setFaults(faults: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.#request('PATCH', '/faults', faults)
  }

  async #request(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })
    const text = await response.text()
    const answer = parsed(text) as { message?: unknown } | null
    if (response.ok) return answer
    throw new ControlError(typeof answer?.message === 'string' ? answer.message : `The local head answered with HTTP ${response.status}.`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
