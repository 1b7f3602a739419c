import type { NewVoiceConfiguration } from '@troupe/storage'

/** A voice configuration as the audit log keeps it. */
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
