import type { LayerBridge } from '../../bridge/index.js'

/** Returns the id of the newest head that was paid out; null where the node's history has none. */
export async function lastHead(bridge: Pick<LayerBridge, 'messagesAbout'>): Promise<string | null> {
  const ends = await bridge.messagesAbout(['"HeadIsFinalized"'])
  return ends.reduce<string | null>((last, end) => (end.tag === 'HeadIsFinalized' ? end.headId : last), null)
}
