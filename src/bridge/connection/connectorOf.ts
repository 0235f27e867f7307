import type { Connector } from './Connector.js'

const CONNECTORS: WeakMap<object, Connector> = /* @__PURE__ */ new WeakMap()

/** Notes the connector of a bridge, for rooms that read a node beside the bridge. */
export function noteConnector(bridge: object, connector: Connector): void {
  CONNECTORS.set(bridge, connector)
}

/** Connector of a bridge; undefined for an object that is none. */
export function connectorOf(bridge: object): Connector | undefined {
  return CONNECTORS.get(bridge)
}
