/** Whether a credential is sent to a host, at any port. `*.example.com` covers one label, as on the server. */
export function isHostCovered(hosts: readonly string[], host: string): boolean {
  const asked = host.toLowerCase()
  return hosts.some((one) => {
    const covered = one.toLowerCase()
    if (!covered.startsWith('*.')) return covered === asked
    const dot = asked.indexOf('.')
    return dot > 0 && asked.slice(dot) === covered.slice(1)
  })
}
