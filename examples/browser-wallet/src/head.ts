import { LayerBridge } from 'layer-sdk/bridge'

/** Follows a head until it is stopped; `onChange` hears of every change of its status and of its snapshot. */
export async function watchHead(url: string, onChange: (status: string, connected: boolean) => void) {
  const bridge = new LayerBridge({ url, autoReconnect: true })
  const unsubscribe = bridge.subscribe(() => onChange(describe(bridge), bridge.connected()))
  const stop = async (): Promise<void> => {
    unsubscribe()
    await bridge.disconnect()
  }
  try {
    await bridge.connect()
  } catch (error) {
    await stop()
    onChange('not connected', false)
    throw error
  }
  onChange(describe(bridge), true)
  return { stop, balance: (address: string) => bridge.getAddressBalance(address) }
}

function describe(bridge: LayerBridge): string {
  const { state, headStatus } = bridge.getSnapshot()
  return headStatus === null ? state : `${state}, ${headStatus.toLowerCase()}`
}
