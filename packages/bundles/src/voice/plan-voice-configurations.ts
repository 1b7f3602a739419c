import {
  type BundleVoiceConfiguration,
  type CredentialId,
  canonicalJson,
  type OrganizationId,
  type ProjectId,
  VoiceConfigurationId,
  type VoiceSettings,
} from '@troupe/contract'
import { mayUseCredential } from '@troupe/operations/credentials/may-use-credential'
import {
  maySpeakWith,
  speechAddress,
  voiceSettingsFaults,
} from '@troupe/operations/voice-configurations/voice-faults'
import type { AgentRecord, NewVoiceConfiguration, VoiceConfigurationRecord } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import type { NameLookup } from '../resolve/name-lookup.ts'
import { BY_SLUG, type Planner, place } from '../resolve/planner.ts'
import type { CredentialLookup } from '../resolve/resolve-credentials.ts'
import type { Step } from '../resolve/step.ts'

interface Lookups {
  agent: NameLookup<Pick<AgentRecord, 'id' | 'slug' | 'projectId'>>
  credential: CredentialLookup
}

type Report = (field: string, message: string) => void

/** Compares the voices of a bundle with the stored ones; their projects are those of their agents. */
export async function planVoiceConfigurations(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleVoiceConfiguration>[],
  stored: readonly VoiceConfigurationRecord[],
  lookups: Lookups,
): Promise<Step<NewVoiceConfiguration>[]> {
  const placed = await place(planner, VoiceConfigurationId, items, stored, BY_SLUG)
  const described = new Set<string>(placed.map(({ id }) => id))
  const withVoice = new Map<string, string>(
    stored.filter(({ id }) => !described.has(id)).map(({ agentId, slug }) => [agentId, slug]),
  )
  return placed.flatMap(({ item, stored: before, id }) => {
    const report: Report = (field, message) => planner.problems.add(`${item.path}.${field}`, message)
    const { value } = item
    const agent = lookups.agent(value.agent)
    if (agent === undefined) report('agent', `is not an agent of this organization: ${value.agent}`)
    if (!agent) return []
    const other = withVoice.get(agent.id)
    if (other !== undefined) report('agent', `already has the voice configuration ${other}`)
    withVoice.set(agent.id, value.slug)
    const { projectId } = agent
    const credentials: SpokenCredentials = { lookup: lookups.credential, projectId, report }
    const credentialOf = (part: 'stt' | 'tts') => {
      const { provider, credential, baseUrl = null } = value[part]
      return resolveCredential(credential, { provider, baseUrl }, `${part}.credential`, credentials)
    }
    const settings = settingsOf(value, credentials)
    for (const { path, message } of voiceSettingsFaults({ ttsProvider: value.tts.provider, settings }))
      report(path, message)
    const after: NewVoiceConfiguration = {
      id,
      organizationId,
      projectId,
      slug: value.slug,
      agentId: agent.id,
      sttProvider: value.stt.provider,
      ttsProvider: value.tts.provider,
      sttCredentialId: credentialOf('stt'),
      ttsCredentialId: credentialOf('tts'),
      settings,
    }
    return [{ before, after, changed: before === null || isChanged(before, after) }]
  })
}

interface SpokenCredentials {
  lookup: CredentialLookup
  projectId: ProjectId | null
  report: Report
}

/** The id; null without a reference, and for an unusable one, which is reported. */
function resolveCredential(
  reference: string | null | undefined,
  service: Parameters<typeof maySpeakWith>[1],
  field: string,
  { lookup, projectId, report }: SpokenCredentials,
): CredentialId | null {
  if (reference == null) return null
  const credential = lookup(reference)
  if (credential === undefined) report(field, `is not a credential of this organization: ${reference}`)
  if (!credential) return null
  if (!mayUseCredential(projectId, credential.projectId)) {
    report(field, `belongs to another project than the agent: ${reference}`)
  }
  if (!maySpeakWith(credential, service)) {
    report(field, `does not cover the host of the provider, ${speechAddress(service)}: ${reference}`)
  }
  return credential.id
}

type BundleFallback = NonNullable<BundleVoiceConfiguration['stt' | 'tts']['fallbacks']>[number]

/** Fallbacks in the form of settings, with the ids of their credentials; empty when there are none. */
function resolveFallbacks<F extends BundleFallback>(
  part: 'stt' | 'tts',
  fallbacks: readonly F[] | undefined,
  credentials: SpokenCredentials,
) {
  if (fallbacks === undefined) return {}
  const resolved = fallbacks.map(({ credential, ...fallback }, index) => {
    const service = { provider: fallback.provider, baseUrl: null }
    const id = resolveCredential(credential, service, `${part}.fallbacks.${index}.credential`, credentials)
    return { ...fallback, ...(id !== null && { credential_id: id }) }
  })
  return { fallbacks: resolved }
}

/** The stored settings: everything except providers and credentials. */
function settingsOf(
  { stt, tts, settings = {} }: BundleVoiceConfiguration,
  credentials: SpokenCredentials,
): VoiceSettings {
  const { provider: _, credential: __, fallbacks: sttFallbacks, ...keptOfStt } = stt
  const { provider: ___, credential: ____, fallbacks: ttsFallbacks, ...keptOfTts } = tts
  const ofStt = { ...keptOfStt, ...resolveFallbacks('stt', sttFallbacks, credentials) }
  const ofTts = { ...keptOfTts, ...resolveFallbacks('tts', ttsFallbacks, credentials) }
  return {
    ...settings,
    ...(Object.keys(ofStt).length === 0 ? {} : { stt: ofStt }),
    ...(Object.keys(ofTts).length === 0 ? {} : { tts: ofTts }),
  }
}

function isChanged(before: VoiceConfigurationRecord, after: NewVoiceConfiguration): boolean {
  const { version: _, createdAt: __, updatedAt: ___, ...stored } = before
  return canonicalJson(stored) !== canonicalJson(after)
}
