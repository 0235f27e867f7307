import type { Connector } from '../../src/bridge'

/** Quick timings of a local head. */
export const DEFAULT_TIMINGS = {
  blockMs: 1,
  depositDelayMs: 1,
  snapshotIntervalMs: 1,
  contestationPeriodMs: 20,
  invalidRetryMs: 5
}

/** A connector whose texts are changed on their way, as another version or state of a node would send them. */
export function changed(inner: Connector, change: (text: string) => string): Connector {
  return {
    capabilities: inner.capabilities,
    open: (listener, options) =>
      inner.open(
        {
          onOpen: (details) => listener.onOpen(details),
          onInvalid: (error) => listener.onInvalid(error),
          onActivity: () => listener.onActivity(),
          onClose: (error) => listener.onClose(error),
          onMessage: (message) => listener.onMessage(typeof message === 'string' ? change(message) : message)
        },
        options
      ),
    async request(request) {
      const reply = await inner.request(request)
      return { ...reply, text: change(reply.text) }
    }
  }
}
