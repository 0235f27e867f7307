import { createContext, createElement, useContext, useEffect, useRef } from 'react'
import type { Context, FunctionComponentElement, ProviderProps, ReactNode } from 'react'
import type { HeadClient } from '../client/inner.js'
import { HeadProviderMissingError } from '../errors/client.js'
import { holdConnection } from './connections.js'

const HeadContext: Context<HeadClient | null> = /* @__PURE__ */ createContext<HeadClient | null>(null)

/** Arguments of {@link HeadProvider}. */
export interface HeadProviderProps {
  /** The client, made once, outside of the components. */
  client: HeadClient
  /** True when the provider connects on mount and disconnects after unmount. @default true */
  autoConnect?: boolean | undefined
  /** Called when the provider could not connect. `useHeadStatus().state` shows it too. */
  onConnectError?: ((error: unknown) => void) | undefined
  /** The components that use the head. */
  children?: ReactNode
}

/**
 * Gives a client to the hooks below it. It connects on mount; the last provider of a client to unmount disconnects the
 * client that they connected. With `autoConnect={false}` your program connects and disconnects it.
 *
 * @example
 * ```tsx no-run
 * import { createHeadClient } from 'layer-sdk/client'
 * import { HeadProvider } from 'layer-sdk/react'
 *
 * const head = createHeadClient({ url: 'ws://127.0.0.1:4001', wallet })
 * export const App = () => <HeadProvider client={head}><Balance /></HeadProvider>
 * ```
 */
export function HeadProvider({
  client,
  autoConnect = true,
  onConnectError,
  children
}: HeadProviderProps): FunctionComponentElement<ProviderProps<HeadClient | null>> {
  const onError = useRef(onConnectError)
  useEffect(() => {
    onError.current = onConnectError
  })
  useEffect(
    () => (autoConnect ? holdConnection(client, (error) => onError.current?.(error)) : undefined),
    [client, autoConnect]
  )
  return createElement(HeadContext.Provider, { value: client }, children)
}

/**
 * Returns the client of the nearest {@link HeadProvider}.
 *
 * @throws {@link HeadProviderMissingError} outside of one
 * @example
 * ```tsx no-run
 * import { useHead } from 'layer-sdk/react'
 *
 * const Withdraw = () => {
 *   const head = useHead()
 *   return <button onClick={() => head.withdraw({ amount: 5_000_000n })}>Withdraw 5 ada</button>
 * }
 * ```
 */
export function useHead(): HeadClient {
  const client = useContext(HeadContext)
  if (client == null) throw new HeadProviderMissingError()
  return client
}
