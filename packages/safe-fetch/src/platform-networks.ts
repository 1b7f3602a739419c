import { networkList, parseRange } from './networks.ts'

/**
 * Addresses at which clouds provide credentials, user data and settings to their machines, and the link-local networks. Requests for
 * tenants never reach them, whatever is allowed. Sources: the providers' documentation of instance metadata (AWS EC2, ECS and EKS, Azure's
 * "IP address 168.63.129.16", Google Compute Engine, Oracle Cloud, Alibaba Cloud ECS, Scaleway, Akamai), read 2026-11.
 */
const PLATFORM_NETWORKS = [
  /** AWS, Azure, Google, Oracle, DigitalOcean, Hetzner, OpenStack; ECS .170.2, EKS .170.23, Tencent .0.23, Scaleway .42.42. */
  '169.254.0.0/16',
  'fe80::/10',
  /** Site-local, deprecated by RFC 3879. */
  'fec0::/10',
  /** Azure's platform: WireServer, DNS and health probes, at an address that is public elsewhere. */
  '168.63.129.16/32',
  /** Alibaba Cloud. */
  '100.100.100.200/32',
  'fd00:100::100:200/128',
  /** Oracle Cloud, classic and IPv6. */
  '192.0.0.192/32',
  'fd00:c1::a9fe:a9fe/128',
  /** AWS: instance metadata, EKS pod identity, DNS and time. */
  'fd00:ec2::/32',
  /** Google Compute Engine. */
  'fd20:ce::254/128',
  /** Scaleway and Akamai. */
  'fd00:42::42/128',
  'fd00:a9fe:a9fe::1/128',
] as const

/** The addresses of cloud platforms and the link-local networks. */
export const platformNetworks = networkList(PLATFORM_NETWORKS)

/** The valid ranges that lie completely within one platform network, so that allowing them has no effect. */
export function unreachableNetworks(ranges: readonly string[]): string[] {
  return ranges.filter((range) => {
    const inner = parseRange(range)
    if (!inner) return false
    return PLATFORM_NETWORKS.some((network) => {
      const outer = parseRange(network)
      if (outer?.family !== inner.family || inner.prefix < outer.prefix) return false
      return networkList([network]).check(inner.address, inner.family)
    })
  })
}
