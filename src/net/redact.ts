/**
 * Returns a function that removes the given secrets from a text, the longest first, because one may be a part of
 * another.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length)
  return (text) => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
}

/**
 * Removes URL queries, credentials and tokens from a text. It is a second line of defence: our own texts hold none, but
 * an error passed through might.
 */
export function redact(text: string): string {
  return text
    .replace(/([?&][\w.~-]{1,64}=)[^&\s"']+/g, '$1[redacted]')
    .replace(/\/\/[^/\s@]{1,256}@/g, '//[redacted]@')
    .replace(/\b(bearer|x-api-key)\b([:=\s]+)[^\s"',]+/gi, '$1$2[redacted]')
}
