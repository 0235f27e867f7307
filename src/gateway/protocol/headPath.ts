import { InvalidArgumentError } from '../../errors/input.js'

/** Name of the event, and the last part of a head's namespaces. */
export const EVENT = 'hydra'

/** @throws {@link InvalidArgumentError} unless it is `/` or segments of letters, digits, `-`, `_` and single dots */
export function checkHeadPath(path: unknown): void {
  const isPath =
    typeof path === 'string' && (path === '/' || /^(\/[\w-]+(\.[\w-]+)*)+$/.test(path)) && path.length <= 128
  if (!isPath || path === '/socket.io' || path === '/health' || path === '/metrics')
    throw new InvalidArgumentError('heads.path', "'/' or a path such as /games, of letters, digits, '-' and '_'", path)
}

/**
 * Returns the Socket.IO namespaces of a path P: `P/hydra`, and `Phydra`, which another client library makes of the same
 * URL; for `/` only `/hydra`.
 */
export function namespacesOf(path: string): readonly string[] {
  return path === '/' ? [`/${EVENT}`] : [`${path}/${EVENT}`, `${path}${EVENT}`]
}
