import type { ApiKeyId, UserId } from '@troupe/contract'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { organizations } from './organizations.ts'
import { projects } from './projects.ts'

export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').$type<ApiKeyId>().primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    name: freeText('name').notNull(),
    secretHash: text('secret_hash').notNull().unique(),
    /** The last characters of the secret, to recognise the key. */
    hint: text('hint').notNull().default(''),
    rpm: integer('rpm'),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    /** Flushed each minute by the processes that accepted the key. */
    lastUsedAt: moment('last_used_at'),
    /**
     * The person who created it; null for keys of the operator and of bundles. No foreign key: keys outlive accounts.
     */
    createdBy: uuid('created_by').$type<UserId>(),
    /** The key that this one replaces. */
    replacesId: uuid('replaces_id').$type<ApiKeyId>(),
    createdAt: createdAt(),
  },
  (t) => [
    ofSameOrganization('api_keys_project_fk', t, t.projectId, projects).onDelete('cascade'),
    index('api_keys_organization').on(t.organizationId, t.createdAt, t.id),
  ],
)
