/** The member of a union whose `state` has this name. */
type Named<S, Name> = Extract<S, { readonly state: Name }>

interface Waiting<S> {
  readonly matches: (now: S) => boolean
  readonly resolve: (now: S) => void
}

/** A state that changes, and the calls that wait for one of its values. */
export class WaitableState<S extends { readonly state: string }> {
  #now: S
  readonly #waiting = new Set<Waiting<S>>()

  constructor(first: S) {
    this.#now = first
  }

  /** Present state. */
  get now(): S {
    return this.#now
  }

  /** Changes the state, and resolves the calls that wait for it. */
  set(next: S): void {
    this.#now = next
    for (const waiting of [...this.#waiting]) {
      if (!waiting.matches(next)) continue
      this.#waiting.delete(waiting)
      waiting.resolve(next)
    }
  }

  /** Resolves with the present state, or a later one, that has this name and that `matches` accepts. */
  until<Name extends S['state']>(
    name: Name,
    matches: (now: Named<S, Name>) => boolean = () => true
  ): Promise<Named<S, Name>> {
    return this.untilAny([name], (now) => matches(now as Named<S, Name>)) as Promise<Named<S, Name>>
  }

  /** Resolves with the present state, or a later one, that has one of these names. */
  untilAny(names: readonly S['state'][], matches: (now: S) => boolean = () => true): Promise<S> {
    return this.#untilMatch((now) => names.includes(now.state) && matches(now))
  }

  /** Resolves with the first state, the present one included, that does not have this name. */
  untilNot(name: S['state']): Promise<S> {
    return this.#untilMatch((now) => now.state !== name)
  }

  #untilMatch(matches: (now: S) => boolean): Promise<S> {
    if (matches(this.#now)) return Promise.resolve(this.#now)
    return new Promise((resolve) => this.#waiting.add({ matches, resolve }))
  }
}
