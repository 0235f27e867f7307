/**
 * Returns true for a URL's `hostname` that names the local machine (RFC 6761, 6.3): traffic to it crosses no network.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
