import { type AgentConfig, httpPlan } from '@troupe/contract'
import { coversHost } from '@troupe/tools/covers-host'
import { SEARCH_SERVICES } from '@troupe/tools/search-services'

/** The fields of a credential that determine its hosts. */
export interface CredentialHosts {
  hosts: readonly string[]
}
type ConfiguredTool = AgentConfig['tools'][number]

const NOT_FOR_HOST = 'does not cover the host of the URL'

/** Whether a credential is sent to the host of a URL. */
export function isForUrl({ hosts }: CredentialHosts, url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && coversHost(hosts, parsed)
}

/** The URL of a tool if no value of a run can change its host; null if one can, or if the type has no URL. */
function fixedAddress(tool: ConfiguredTool): string | null {
  if (tool.type !== 'http') return null
  const planned = httpPlan(tool)
  if (!planned.ok) return null
  const { scheme, authority } = planned.plan.url
  const texts = authority.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  return texts.length === authority.length ? `${scheme}://${texts.join('')}` : null
}

function isForSearch(credential: CredentialHosts): boolean {
  return SEARCH_SERVICES.some(({ host }) => isForUrl(credential, `https://${host}`))
}

/** Why a tool could never send a credential; null if it can. */
export function unsendableByTool(tool: ConfiguredTool, credential: CredentialHosts): string | null {
  if (tool.type === 'builtin' && !isForSearch(credential)) {
    return `is not for a search service: its hosts must have ${SEARCH_SERVICES.map(({ host }) => host).join(' or ')}`
  }
  const address = fixedAddress(tool)
  return address === null ? null : unsendableTo(address, credential)
}

/** Why a credential is never sent to a URL; null if it can be. */
export function unsendableTo(url: string, credential: CredentialHosts): string | null {
  return isForUrl(credential, url) ? null : NOT_FOR_HOST
}
