import mittModule from 'mitt'
import type { Emitter as Mitt } from 'mitt'

type CreateMitt = () => Mitt<Record<string, unknown>>

/**
 * Returns a mitt emitter. The declarations of mitt describe a CommonJS default export, so that under NodeNext the
 * import is not callable for TypeScript, although it is a function at run time: in ES modules and in CommonJS, and for
 * bundlers that keep it as `default`.
 */
export function createMitt(): Mitt<Record<string, unknown>> {
  const imported: unknown = mittModule
  const create = typeof imported === 'function' ? imported : (imported as { default: unknown }).default
  return (create as CreateMitt)()
}
