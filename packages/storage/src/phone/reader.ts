import type { OrganizationId } from '@troupe/contract'
import type { PhoneTrunkRecord, QuietHours } from '@troupe/voice'
import { and, asc, count, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import { storableText } from '../sql/client/storable.ts'
import { agents } from '../tables/configuration/agents.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { offsetOf, withTotal } from '../tables/drizzle/page.ts'
import { doNotCall } from '../tables/voice/do-not-call.ts'
import { phoneNumbers } from '../tables/voice/phone-numbers.ts'
import { phoneTrunks } from '../tables/voice/phone-trunks.ts'
import { voiceConfigurations } from '../tables/voice/voice-configurations.ts'
import type { PhoneReader } from './port.ts'

export function phoneReader(db: Drizzle): PhoneReader {
  const trunksWhere = async (organizationId: OrganizationId, where?: SQL): Promise<PhoneTrunkRecord[]> => {
    const rows = await db
      .select()
      .from(phoneTrunks)
      .where(and(eq(phoneTrunks.organizationId, organizationId), where))
      .orderBy(asc(phoneTrunks.createdAt), asc(phoneTrunks.id))
    // Validated when it was written.
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
    speakers: async (organizationId) =>
      db
        .selectDistinct({
          voiceConfigId: voiceConfigurations.id,
          voiceSlug: voiceConfigurations.slug,
          agentId: agents.id,
          agentName: agents.name,
        })
        .from(phoneNumbers)
        .innerJoin(
          voiceConfigurations,
          and(
            eq(voiceConfigurations.organizationId, phoneNumbers.organizationId),
            eq(voiceConfigurations.id, phoneNumbers.voiceConfigId),
          ),
        )
        .innerJoin(
          agents,
          and(
            eq(agents.organizationId, voiceConfigurations.organizationId),
            eq(agents.id, voiceConfigurations.agentId),
          ),
        )
        .where(eq(phoneNumbers.organizationId, organizationId)),
    async doNotCall(organizationId, page) {
      const where = and(eq(doNotCall.organizationId, organizationId), hasText(page.q))
      const rows = await db
        .select()
        .from(doNotCall)
        .where(where)
        .orderBy(desc(doNotCall.status), desc(doNotCall.createdAt), asc(doNotCall.e164))
        .limit(page.limit)
        .offset(offsetOf(page))
      return withTotal(page, rows, () => db.select({ total: count() }).from(doNotCall).where(where))
    },
  }
}

/** Whether a number or its reason contains a text. Numbers match in any grouping: `+44 20 7946`. */
function hasText(q: string | undefined): SQL | undefined {
  if (!q) return undefined
  const text = storableText(q)
  const inReason = sql`position(lower_case(${text}::text) in lower_case(${doNotCall.reason})) > 0`
  const digits = text.replaceAll(/\D/g, '')
  if (digits === '' || /[^+\d\s().-]/.test(text)) return inReason
  return or(inReason, sql`position(${digits}::text in ${doNotCall.e164}) > 0`)
}
