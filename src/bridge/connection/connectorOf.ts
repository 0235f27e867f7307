import type { Connector } from './Connector.js'

const CONNECTORS: WeakMap<object, Connector> = /* @__PURE__ */ new WeakMap()

/**
 * Stores the connector of a bridge, so that other parts of the package can read from the same node beside the bridge.
 */
export function noteConnector(bridge: object, connector: Connector): void {
  CONNECTORS.set(bridge, connector)
}

/** Returns the connector of a bridge; undefined for an object that is not a bridge. */
export function connectorOf(bridge: object): Connector | undefined {
  return CONNECTORS.get(bridge)
}
