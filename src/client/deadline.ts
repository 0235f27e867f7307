import { ClientTimeoutError } from '../errors/client.js'
import { InvalidArgumentError } from '../errors/input.js'

/** Time limit and abort signal of an action of the client. */
export interface ActionOptions {
  /** Time limit, ms; each action names its default. `Infinity`: no limit. */
  timeout?: number | undefined
  /**
   * Ends the wait; the action rejects with the signal's reason, or with {@link OutcomeUnknownError} once a transaction
   * was sent.
   */
  signal?: AbortSignal | undefined
}

/** One time limit and one signal over all steps of an action. */
export class Deadline {
  readonly #action: string
  readonly #timeoutMs: number
  readonly #signal: AbortSignal | undefined
  readonly #over: Promise<never>
  #timer: unknown
  #waitingFor = 'the connection'
  #reject: (reason: unknown) => void = () => undefined
  #reason: { readonly error: unknown } | null = null
  #release: (() => void) | null = null
  #isDisposed = false

  /**
   * @throws {@link InvalidArgumentError} on an invalid timeout or signal; the signal's reason when it is aborted
   * already
   */
  constructor(action: string, { timeout, signal }: ActionOptions, defaultMs: number) {
    const timeoutMs = timeout ?? defaultMs
    if (typeof timeoutMs !== 'number' || !(timeoutMs > 0))
      throw new InvalidArgumentError('timeout', 'a number of milliseconds above 0', timeout)
    if (signal != null && typeof signal.addEventListener !== 'function')
      throw new InvalidArgumentError('signal', 'an AbortSignal', signal)
    signal?.throwIfAborted()
    this.#action = action
    this.#timeoutMs = timeoutMs
    this.#signal = signal ?? undefined
    this.#over = new Promise<never>((_, reject) => {
      this.#reject = reject
    })
    // It may end without a race.
    this.#over.catch(() => undefined)
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    // 2^31-1: longer timers would fire at once.
    if (timeoutMs < 2_147_483_647)
      this.#timer = setTimeout(
        () => this.#end(new ClientTimeoutError(this.#action, this.#timeoutMs, this.#waitingFor)),
        timeoutMs
      )
  }

  /** True when the action has run out of time, was aborted or was stopped. */
  get isOver(): boolean {
    return this.#reason !== null
  }

  /** Calls `release` once the action is over. Only the first call has an effect. */
  whenDone(release: () => void): void {
    this.#release ??= release
  }

  /** True when the action is over, in any way. */
  get isDone(): boolean {
    return this.#isDisposed
  }

  /** Ends the waits of an action that has failed already. */
  stop(error: unknown): void {
    this.#end(error)
  }

  /** Throws if the action has run out of time, was aborted or was stopped. @throws the error that ended it */
  throwIfOver(): void {
    if (this.#reason !== null) throw this.#reason.error
  }

  /**
   * Waits for the promise or the end of the action, whichever is first. `waitingFor` is named in the timeout's error.
   */
  async race<T>(promise: Promise<T>, waitingFor: string): Promise<T> {
    this.#waitingFor = waitingFor
    // It may fail without a listener.
    promise.catch(() => undefined)
    this.throwIfOver()
    return Promise.race([promise, this.#over])
  }

  /** Returns a signal that aborts when the action is ended early, for calls that accept one. */
  signal(): AbortSignal {
    const controller = new AbortController()
    this.#over.catch((reason: unknown) => controller.abort(reason))
    return controller.signal
  }

  /** Releases the timer, the signal's listener and the callbacks of {@link whenDone}. */
  dispose(): void {
    clearTimeout(this.#timer as number)
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#isDisposed = true
    this.#release?.()
  }

  readonly #onAbort = (): void => this.#end(this.#signal?.reason)

  #end(error: unknown): void {
    this.#reason ??= { error }
    this.#reject(error)
    this.dispose()
  }
}

/** Runs an action within its {@link Deadline}. */
export async function withDeadline<T>(
  action: string,
  options: ActionOptions,
  defaultMs: number,
  run: (deadline: Deadline) => Promise<T>
): Promise<T> {
  const deadline = new Deadline(action, options ?? {}, defaultMs)
  try {
    return await run(deadline)
  } finally {
    deadline.dispose()
  }
}
