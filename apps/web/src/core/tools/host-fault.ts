/** One failed rule of the hosts of a credential: `hosts` or `hosts.2`. */
interface HostFault {
  path: string
  message: string
}

/**
 * The first failure of the sent hosts that still applies: of a host that is still there, or of all hosts while they are the sent ones.
 * `host`: which one it is about; null: all of them.
 */
export function standingHostFault(
  faults: readonly HostFault[],
  sent: readonly string[],
  now: readonly string[],
): { host: string | null; message: string } | null {
  for (const { path, message } of faults) {
    if (path === 'hosts' && sent.join() === now.join()) return { host: null, message }
    const host = sent[Number(/^hosts\.(\d+)$/.exec(path)?.[1] ?? -1)]
    if (host !== undefined && now.includes(host)) return { host, message }
  }
  return null
}
