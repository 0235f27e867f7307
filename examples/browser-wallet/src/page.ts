/** An element of index.html by its id. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T
}

export function show(id: string): void {
  element(id).hidden = false
}

/** Runs an action of the user; what goes wrong is said on the page. */
export async function attempt(action: () => void | Promise<void>): Promise<void> {
  const problem = element('problem')
  problem.hidden = true
  try {
    await action()
  } catch (error) {
    problem.textContent = error instanceof Error ? error.message : String(error)
    problem.hidden = false
    problem.scrollIntoView({ block: 'nearest' })
  }
}
