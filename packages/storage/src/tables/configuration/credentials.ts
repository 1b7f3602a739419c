import type { CredentialId, CredentialKind } from '@troupe/contract'
import { integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { organizations } from '../tenants/organizations.ts'
import { projects } from '../tenants/projects.ts'

/** Credentials that tools and MCP servers use. Their secrets stay sealed. */
export const credentials = pgTable(
  'credentials',
  {
    id: uuid('id').$type<CredentialId>().primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    slug: text('slug').notNull(),
    name: freeText('name').notNull(),
    kind: text('kind').$type<CredentialKind>().notNull(),
    /** For `basic`, else null. */
    username: freeText('username'),
    /** The header or query parameter of `header` and `query`, else null. */
    field: text('field'),
    /** AES-256-GCM envelope as text. */
    sealedSecret: text('sealed_secret').notNull(),
    /** When the secret was set last; sealing it with another key does not count. */
    secretSetAt: moment('secret_set_at').notNull().defaultNow(),
    /** In lower case. */
    hosts: text('hosts').array().notNull(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('credentials_slug').on(t.organizationId, t.slug),
    ofSameOrganization('credentials_project_fk', t, t.projectId, projects).onDelete('cascade'),
  ],
)
