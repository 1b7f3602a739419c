/** Headers in which providers and servers take credentials. */
const CREDENTIALS = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'api-key',
  'apikey',
  'x-auth-token',
  'x-goog-api-key',
  'xi-api-key',
]

/**
 * Whether a request carries a credential: by its header, or by `credentials: 'include'`, which the caller must set for a header of another
 * name and for a query parameter.
 */
export function carriesCredential({ headers, credentials }: RequestInit): boolean {
  if (credentials === 'include') return true
  const sent = new Headers(headers)
  return CREDENTIALS.some((name) => sent.has(name))
}
