import type { WrittenPhoneNumber, WrittenPhoneTrunk } from '@troupe/storage'

/** A trunk as recorded in the audit log: without its password and its state in the media server. */
export function auditedTrunk(
  {
    id: _,
    organizationId: __,
    authPasswordEnc,
    configHash: ___,
    provisionedHash: ____,
    provisionedAt: _____,
    provisionError: ______,
    lkTrunkId: _______,
    ...settings
  }: WrittenPhoneTrunk,
  isPasswordReplaced = false,
): Record<string, unknown> {
  const named = { ...settings, hasPassword: authPasswordEnc !== null }
  return isPasswordReplaced ? { ...named, passwordChanged: true } : named
}

/** A phone number as recorded in the audit log. */
export function auditedNumber({ slug, projectId, trunkId, e164, voiceConfigId }: WrittenPhoneNumber) {
  return { slug, projectId, trunkId, e164, voiceConfigId }
}
