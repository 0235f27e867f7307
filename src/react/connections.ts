import type { HeadClient } from '../client/inner.js'

/** Providers of one client that are mounted, each with its handler of a failure. */
interface Mounts {
  readonly onErrors: Set<(error: unknown) => void>
  /** True when a provider, rather than the program, has connected the client. */
  isOurs: boolean
}

const mounts = new WeakMap<HeadClient, Mounts>()

/**
 * Connects a client for as long as at least one provider of it is mounted. A client that the program has connected is
 * left to the program.
 *
 * @returns a function that ends this hold; with the last one, a client that a provider has connected is disconnected
 */
export function holdConnection(client: HeadClient, onError: (error: unknown) => void): () => void {
  const mount = mounts.get(client) ?? { onErrors: new Set(), isOurs: false }
  mounts.set(client, mount)
  mount.onErrors.add(onError)
  if (['idle', 'disconnected', 'failed'].includes(client.bridge.getSnapshot().state)) {
    mount.isOurs = true
    client.connect().catch((error: unknown) => {
      for (const report of [...mount.onErrors]) report(error)
    })
  }
  return () => {
    mount.onErrors.delete(onError)
    // Later: StrictMode mounts a second time, and a change of page mounts the next provider, before this runs.
    queueMicrotask(() => {
      if (mount.onErrors.size > 0 || !mount.isOurs) return
      mount.isOurs = false
      client.disconnect().catch(() => undefined)
    })
  }
}
