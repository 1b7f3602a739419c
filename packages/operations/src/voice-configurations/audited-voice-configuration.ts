import type { NewVoiceConfiguration } from '@troupe/storage'

/** A voice configuration as recorded in the audit log. */
export function auditedVoiceConfiguration({
  slug,
  projectId,
  agentId,
  sttProvider,
  ttsProvider,
  sttCredentialId,
  ttsCredentialId,
  settings,
}: NewVoiceConfiguration): Record<string, unknown> {
  return { slug, projectId, agentId, sttProvider, ttsProvider, sttCredentialId, ttsCredentialId, settings }
}
