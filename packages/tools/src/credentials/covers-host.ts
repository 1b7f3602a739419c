/** Whether a list of host names covers the host of a URL, on any port; `*.example.com` covers one label. */
export function coversHost(hosts: readonly string[], { hostname }: URL): boolean {
  const host = hostname.toLowerCase()
  const dot = host.indexOf('.')
  const wildcard = dot > 0 ? `*${host.slice(dot)}` : null
  return hosts.some((one) => one === host || one === wildcard)
}
