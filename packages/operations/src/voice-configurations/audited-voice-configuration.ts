import type { NewVoiceConfiguration } from '@troupe/database'

/** A voice configuration as the audit log keeps it. */
export function auditedVoiceConfiguration({
  id: _,
  organizationId: __,
  ...settings
}: NewVoiceConfiguration): Record<string, unknown> {
  return settings
}
