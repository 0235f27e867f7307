const MAX_CHARACTERS = 200

/** Returns the path of a part in a nested value, for an error: `path` and `part`; a long path is cut in the middle. */
export function partPath(path: string, part: string): string {
  return path.length < MAX_CHARACTERS ? path + part : `${path.slice(0, MAX_CHARACTERS)}…${part}`
}
