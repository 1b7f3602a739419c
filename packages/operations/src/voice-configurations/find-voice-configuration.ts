import {
  DomainError,
  type IdText,
  type OrganizationId,
  parseId,
  VoiceConfigurationId,
} from '@troupe/contract'
import type { VoiceConfiguration } from '@troupe/contract/builder'
import type { Readers, VoiceConfigurationRecord, VoiceConfigurationRow } from '@troupe/storage'

/** @throws DomainError `voice_configuration_not_found`, including for configurations of other organizations */
export async function findVoiceConfiguration(
  { voiceConfigurations }: Pick<Readers, 'voiceConfigurations'>,
  organizationId: OrganizationId,
  voiceConfigId: IdText<VoiceConfigurationId>,
): Promise<VoiceConfigurationRecord> {
  const id = parseId(VoiceConfigurationId, voiceConfigId)
  const found = id && (await voiceConfigurations.byId(organizationId, id))
  if (!found) throw voiceConfigurationNotFound()
  return found
}

/** The configuration with names beside its ids. @throws DomainError `voice_configuration_not_found` */
export async function showVoiceConfiguration(
  { builder }: Pick<Readers, 'builder'>,
  organizationId: OrganizationId,
  voiceConfigId: IdText<VoiceConfigurationId>,
): Promise<VoiceConfiguration> {
  const id = parseId(VoiceConfigurationId, voiceConfigId)
  const row = id && (await builder.voiceConfigurations.byId(organizationId, id))
  if (!row) throw voiceConfigurationNotFound()
  return presentVoiceConfiguration(row)
}

export function presentVoiceConfiguration({ id, ...row }: VoiceConfigurationRow): VoiceConfiguration {
  return {
    ...row,
    voiceConfigId: id,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function voiceConfigurationNotFound(): DomainError {
  const text = 'Voice configuration not found in this organization.'
  return new DomainError('voice_configuration_not_found', text)
}
