import type { ApiKeyId } from '@troupe/contract'
import { foreignKey, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
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
    rpm: integer('rpm'),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    createdAt: createdAt(),
  },
  (t) => [
    foreignKey({
      name: 'api_keys_project_fk',
      columns: [t.organizationId, t.projectId],
      foreignColumns: [projects.organizationId, projects.id],
    }).onDelete('cascade'),
    index('api_keys_organization').on(t.organizationId, t.createdAt, t.id),
  ],
)
