import type { PhoneNumberId, PhoneTrunkId, VoiceConfigurationId } from '@troupe/contract'
import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, organizationId, projectId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { organizations } from '../tenants/organizations.ts'
import { phoneTrunks } from './phone-trunks.ts'
import { voiceConfigurations } from './voice-configurations.ts'

/** Caller ids of trunks. The agent of a number's voice configuration speaks in its calls. */
export const phoneNumbers = pgTable(
  'phone_numbers',
  {
    id: uuid('id').$type<PhoneNumberId>().primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    /** The trunk's project. */
    projectId: projectId(),
    trunkId: uuid('trunk_id').$type<PhoneTrunkId>().notNull(),
    slug: text('slug').notNull(),
    e164: text('e164').notNull(),
    /** null: no call can be placed from the number. */
    voiceConfigId: uuid('voice_config_id').$type<VoiceConfigurationId>(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('phone_numbers_slug').on(t.organizationId, t.slug),
    unique('phone_numbers_of_trunk').on(t.trunkId, t.e164),
    ofSameOrganization('phone_numbers_trunk_fk', t, t.trunkId, phoneTrunks).onDelete('cascade'),
    ofSameOrganization('phone_numbers_voice_config_fk', t, t.voiceConfigId, voiceConfigurations),
    index('phone_numbers_voice_config').on(t.voiceConfigId),
  ],
)
