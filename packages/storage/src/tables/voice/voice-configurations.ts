import type { AgentId, CredentialId, VoiceConfigurationId, VoiceSettings } from '@troupe/contract'
import { integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, document, moment, organizationId, projectId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { agents } from '../configuration/agents.ts'
import { credentials } from '../configuration/credentials.ts'
import { organizations } from '../tenants/organizations.ts'

/** The speech settings of an agent; an agent with a row here is a voice agent. */
export const voiceConfigurations = pgTable(
  'voice_configurations',
  {
    id: uuid('id').$type<VoiceConfigurationId>().primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    /** The agent's project. */
    projectId: projectId(),
    slug: text('slug').notNull(),
    agentId: uuid('agent_id').$type<AgentId>().notNull(),
    sttProvider: text('stt_provider').notNull(),
    ttsProvider: text('tts_provider').notNull(),
    sttCredentialId: uuid('stt_credential_id')
      .$type<CredentialId>()
      .references(() => credentials.id),
    ttsCredentialId: uuid('tts_credential_id')
      .$type<CredentialId>()
      .references(() => credentials.id),
    /** `VoiceSettings` as submitted: defaults are added on reading. */
    settings: document('settings').$type<VoiceSettings>().notNull(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('voice_configurations_slug').on(t.organizationId, t.slug),
    unique('voice_configurations_owner').on(t.organizationId, t.id),
    unique('voice_configurations_agent').on(t.agentId),
    ofSameOrganization('voice_configurations_agent_fk', t, t.agentId, agents).onDelete('cascade'),
  ],
)
