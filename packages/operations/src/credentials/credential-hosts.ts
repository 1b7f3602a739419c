import { type AgentConfig, httpPlan } from '@troupe/contract'
import type { CredentialRecord } from '@troupe/database'
import { coversHost } from '@troupe/tools/covers-host'

type Hosts = Pick<CredentialRecord, 'hosts'>
type ConfiguredTool = AgentConfig['tools'][number]

/** Whether a credential is sent to the host of a URL. */
export function isForUrl({ hosts }: Hosts, url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && coversHost(hosts, parsed)
}

/** The address of a tool when no value of a run changes its host; null when one does, or the type has none. */
function fixedAddress(tool: ConfiguredTool): string | null {
  if (tool.type !== 'http') return null
  const planned = httpPlan(tool)
  if (!planned.ok) return null
  const { scheme, authority } = planned.plan.url
  const texts = authority.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  return texts.length === authority.length ? `${scheme}://${texts.join('')}` : null
}

/** Why a tool can never send a credential; null when it may. */
export function unsendable(tool: ConfiguredTool, credential: Hosts): string | null {
  const address = fixedAddress(tool)
  return address === null || isForUrl(credential, address) ? null : 'is not for the host of the URL'
}
