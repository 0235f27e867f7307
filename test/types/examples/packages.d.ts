// Packages that the pages name and the checkout does not install: the part of their types that the pages use.
declare module 'vue' {
  /** https://vuejs.org/api/reactivity-advanced.html#shallowref */
  export function shallowRef<T>(value: T): { value: T }
  /** https://vuejs.org/api/reactivity-advanced.html#onscopedispose */
  export function onScopeDispose(listener: () => void): void
}
