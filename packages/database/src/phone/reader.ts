import type { OrganizationId } from '@troupe/contract'
import type { Drizzle } from '@troupe/tables/drizzle/drizzle'
import { doNotCall } from '@troupe/tables/voice/do-not-call'
import { phoneNumbers } from '@troupe/tables/voice/phone-numbers'
import { phoneTrunks } from '@troupe/tables/voice/phone-trunks'
import type { PhoneTrunkRecord, QuietHours } from '@troupe/voice'
import { and, asc, desc, eq, type SQL } from 'drizzle-orm'
import type { PhoneReader } from './port.ts'

export function phoneReader(db: Drizzle): PhoneReader {
  const trunksWhere = async (organizationId: OrganizationId, where?: SQL): Promise<PhoneTrunkRecord[]> => {
    const rows = await db
      .select()
      .from(phoneTrunks)
      .where(and(eq(phoneTrunks.organizationId, organizationId), where))
      .orderBy(asc(phoneTrunks.createdAt), asc(phoneTrunks.id))
    // Checked when it was written.
    return rows.map((row) => ({ ...row, quietHours: row.quietHours as QuietHours | null }))
  }
  const numbersWhere = (organizationId: OrganizationId, where?: SQL) =>
    db
      .select()
      .from(phoneNumbers)
      .where(and(eq(phoneNumbers.organizationId, organizationId), where))
      .orderBy(asc(phoneNumbers.createdAt), asc(phoneNumbers.id))
  return {
    trunks: (organizationId) => trunksWhere(organizationId),
    trunk: async (organizationId, id) =>
      (await trunksWhere(organizationId, eq(phoneTrunks.id, id)))[0] ?? null,
    numbers: async (organizationId) => numbersWhere(organizationId),
    number: async (organizationId, id) =>
      (await numbersWhere(organizationId, eq(phoneNumbers.id, id)))[0] ?? null,
    numbersOf: async (organizationId, id) => numbersWhere(organizationId, eq(phoneNumbers.voiceConfigId, id)),
    doNotCall: async (organizationId, limit) =>
      db
        .select()
        .from(doNotCall)
        .where(eq(doNotCall.organizationId, organizationId))
        .orderBy(desc(doNotCall.status), desc(doNotCall.createdAt), asc(doNotCall.e164))
        .limit(limit),
  }
}
