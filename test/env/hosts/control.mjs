/** Asks the parent process to do something to the head node. */
export const controlOf =
  ({ controlUrl }) =>
  async (action) => {
    const { ok, status } = await fetch(`${controlUrl}/${action}`, { method: 'POST' })
    if (!ok) throw new Error(`the control server answered ${status}`)
  }
