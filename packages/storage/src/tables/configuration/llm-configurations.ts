import type { CatalogModel } from '@troupe/agents/ports'
import type { LlmConfigId, ProviderId } from '@troupe/contract'
import { boolean, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { organizations } from '../tenants/organizations.ts'
import { projects } from '../tenants/projects.ts'

export const llmConfigurations = pgTable(
  'llm_configurations',
  {
    id: uuid('id').$type<LlmConfigId>().primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    slug: text('slug').notNull(),
    name: freeText('name').notNull(),
    providerId: text('provider_id').$type<ProviderId>().notNull(),
    status: text('status', { enum: ['connected', 'disconnected'] }).notNull(),
    isDefault: boolean('is_default').notNull(),
    baseUrl: freeText('base_url'),
    /** AES-256-GCM envelope as text (`<key id>.<iv>.<tag>.<ciphertext>`); null: without credentials. */
    sealedCredentials: text('sealed_credentials'),
    /** When each credential was last set: ISO 8601 by the name of its field. */
    credentialsSetAt: document('credentials_set_at').$type<Record<string, string>>().notNull().default({}),
    settings: document('settings').$type<Record<string, unknown>>().notNull(),
    models: document('models').$type<CatalogModel[]>().notNull(),
    /** Whether agents may use models that are not in `models`. */
    allowUnlistedModels: boolean('allow_unlisted_models').notNull().default(false),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('llm_configurations_slug').on(t.organizationId, t.slug),
    ofSameOrganization('llm_configurations_project_fk', t, t.projectId, projects).onDelete('cascade'),
    index('llm_configurations_oldest').on(t.organizationId, t.createdAt, t.id),
  ],
)
