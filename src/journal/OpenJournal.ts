/** A store that a journal opens on first use, and closes. */
interface Openable {
  close(): Promise<void>
}

/** Opens a journal's store once, with the first call that needs it, and again after it was closed or failed to open. */
export class OpenJournal<Store extends Openable> {
  readonly #open: () => Promise<Store>
  #store: Promise<Store> | null = null

  constructor(open: () => Promise<Store>) {
    this.#open = open
  }

  /** Returns the open store. @throws the errors of opening it */
  store(): Promise<Store> {
    if (this.#store !== null) return this.#store
    const store = (this.#store = this.#open())
    store.catch(() => {
      if (this.#store === store) this.#store = null
    })
    return store
  }

  /** Closes the store, if it is open. */
  async close(): Promise<void> {
    const store = this.#store
    this.#store = null
    const opened = await store?.catch(() => null)
    await opened?.close()
  }
}
