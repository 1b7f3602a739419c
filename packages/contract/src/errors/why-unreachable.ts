/** The meaning of a Node network code, for the owner of the configuration: no host, address or credential. First match wins. */
const REASONS: readonly [RegExp, string][] = [
  [/TIMEDOUT|TIMEOUT/, 'the connection timed out'],
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(ENOTFOUND|ENODATA)$/, 'its host name was not found'],
  [/^EAI_/, 'its host name could not be resolved'],
  [/CERT|SELF_SIGNED|HOSTNAME_MISMATCH|UNABLE_TO_/, 'its TLS certificate was not accepted'],
  [/^(ERR_SSL|ERR_TLS|EPROTO)/, 'the TLS handshake failed'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_CLOSED)$/, 'the connection was closed early'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'there is no route to it'],
  [/^HPE_/, 'the answer was not HTTP'],
]

/** Why a host could not be reached, as the end of a sentence; null if the code is unknown. */
export function whyUnreachable(networkCode: string): string | null {
  return REASONS.find(([codes]) => codes.test(networkCode))?.[1] ?? null
}
