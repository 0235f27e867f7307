// What the builders' own providers leave out of the base ledger of a local head.

/** Waits until the base ledger holds a transaction: the builders' own waits look every few seconds. */
export async function onChain({ indexerUrl }, txId) {
  while (!(await fetch(`${indexerUrl}/txs/${txId}`)).ok) await new Promise((resolve) => setTimeout(resolve, 25))
}

/** Slots of the base ledger: ms. */
export async function slotsOf({ indexerUrl }) {
  const { system_start: start, slot_length: length } = await (await fetch(`${indexerUrl}/genesis`)).json()
  return { zeroTime: start * 1000, zeroSlot: 0, slotLength: length * 1000 }
}
