const MAX_CHARACTERS = 200

/** The place of a part in a nested value, for an error: the beginning of a long path and its last part. */
export function partPath(path: string, part: string): string {
  return path.length < MAX_CHARACTERS ? path + part : `${path.slice(0, MAX_CHARACTERS)}…${part}`
}
