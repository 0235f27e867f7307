/** An object with the named methods of another one, which `load` makes when one of them is called. */
export function lazyMethods<T extends object>(names: readonly (keyof T)[], load: () => Promise<T>): T {
  const call = (name: keyof T) => async (...args: never[]) => ((await load())[name] as (...args: never[]) => Promise<unknown>)(...args)
  return Object.fromEntries(names.map((name) => [name, call(name)])) as T
}
