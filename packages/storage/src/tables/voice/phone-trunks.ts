import type { PhoneTrunkId } from '@troupe/contract'
import { sql } from 'drizzle-orm'
import { check, integer, numeric, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { organizations } from '../tenants/organizations.ts'
import { projects } from '../tenants/projects.ts'

/** Connections to carriers. Calls are placed on outbound trunks only. */
export const phoneTrunks = pgTable(
  'phone_trunks',
  {
    id: uuid('id').$type<PhoneTrunkId>().primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    slug: text('slug').notNull(),
    name: freeText('name').notNull(),
    direction: text('direction', { enum: ['inbound', 'outbound'] }).notNull(),
    status: text('status', { enum: ['draft', 'provisioning', 'active', 'disabled', 'failed'] }).notNull(),
    provisioning: text('provisioning', { enum: ['auto', 'never', 'assumed'] }).notNull(),
    provisionedAt: moment('provisioned_at'),
    /** The reason for which the media server rejected the trunk; without secrets. */
    provisionError: freeText('provision_error'),
    /** null for a trunk that is assumed to be provisioned: its first call provisions it. */
    lkTrunkId: text('lk_trunk_id'),
    /** Hash of the configuration sent to the media server; the trunk is fully provisioned while both hashes are equal. */
    configHash: text('config_hash').notNull(),
    provisionedHash: text('provisioned_hash'),
    /** `host[:port]`. */
    address: text('address').notNull(),
    transport: text('transport', { enum: ['auto', 'udp', 'tcp', 'tls'] }).notNull(),
    authUsername: freeText('auth_username'),
    /** Sealed. */
    authPasswordEnc: text('auth_password_enc'),
    /** User part of `From`, if the carrier requires another one than the number. */
    fromUser: text('from_user'),
    mediaEncryption: text('media_encryption', { enum: ['disabled', 'allowed', 'required'] }).notNull(),
    mediaTimeoutS: integer('media_timeout_s'),
    headers: document('headers').$type<Record<string, string>>().notNull(),
    numberFormat: text('number_format', { enum: ['e164_plus', 'e164', 'national'] }).notNull(),
    /** ISO 3166 code for destinations of digits only; null: the country of the caller id. */
    defaultCountry: text('default_country'),
    /** Empty: the country of the caller id. */
    allowedCountries: text('allowed_countries').array().notNull(),
    /** Digits of numbers in E.164, without the plus sign. */
    blockedPrefixes: text('blocked_prefixes').array().notNull(),
    maxConcurrentCalls: integer('max_concurrent_calls').notNull().default(5),
    maxCps: numeric('max_cps', { mode: 'number' }).notNull().default(1),
    maxCallsPerDestinationPerHour: integer('max_calls_per_destination_per_hour').notNull().default(3),
    dailyCallCap: integer('daily_call_cap'),
    /** `{from, to, timezone}`: no call is placed between these times of day. */
    quietHours: document('quiet_hours'),
    ringingTimeoutS: integer('ringing_timeout_s').notNull().default(30),
    maxCallS: integer('max_call_s').notNull().default(1800),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('phone_trunks_slug').on(t.organizationId, t.slug),
    unique('phone_trunks_owner').on(t.organizationId, t.id),
    ofSameOrganization('phone_trunks_project_fk', t, t.projectId, projects).onDelete('cascade'),
    check('phone_trunks_provisioned', sql`(provisioned_at is null) = (provisioned_hash is null)`),
  ],
)
