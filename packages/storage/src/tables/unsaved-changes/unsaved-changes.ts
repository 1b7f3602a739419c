import type {
  AgentId,
  KnowledgeBaseId,
  LlmConfigId,
  McpServerId,
  OrganizationId,
  SkillId,
  TeamId,
  UnsavedChangesId,
  UserId,
  VoiceConfigurationId,
} from '@troupe/contract'
import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { document, moment } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { agents } from '../configuration/agents.ts'
import { knowledgeBases } from '../configuration/knowledge.ts'
import { llmConfigurations } from '../configuration/llm-configurations.ts'
import { mcpServers } from '../configuration/mcp-servers.ts'
import { skills } from '../configuration/skills.ts'
import { teams } from '../configuration/teams.ts'
import { members } from '../tenants/members.ts'
import { voiceConfigurations } from '../voice/voice-configurations.ts'

/**
 * Changes that a member has typed and not saved, for example to an agent. A row without an edit means that it was
 * discarded or saved, so that other browsers drop their copy; without a row nothing is known, because it may have
 * expired.
 */
export const unsavedChanges = pgTable(
  'unsaved_changes',
  {
    organizationId: uuid('organization_id').$type<OrganizationId>().notNull(),
    userId: uuid('user_id').$type<UserId>().notNull(),
    kind: text('kind', {
      enum: [
        ...(['agent', 'team', 'voice_configuration', 'llm_configuration'] as const),
        ...(['mcp_server', 'knowledge_base', 'skill'] as const),
      ],
    }).notNull(),
    thingId: uuid('thing_id').notNull(),
    /** The resource's id again, one column per kind, for the foreign keys. */
    agentId: uuid('agent_id')
      .$type<AgentId>()
      .generatedAlwaysAs(sql`case when kind = 'agent' then thing_id end`),
    teamId: uuid('team_id').$type<TeamId>().generatedAlwaysAs(sql`case when kind = 'team' then thing_id end`),
    voiceConfigurationId: uuid('voice_configuration_id')
      .$type<VoiceConfigurationId>()
      .generatedAlwaysAs(sql`case when kind = 'voice_configuration' then thing_id end`)
      .references(() => voiceConfigurations.id, { onDelete: 'cascade' }),
    llmConfigId: uuid('llm_config_id')
      .$type<LlmConfigId>()
      .generatedAlwaysAs(sql`case when kind = 'llm_configuration' then thing_id end`)
      .references(() => llmConfigurations.id, { onDelete: 'cascade' }),
    mcpServerId: uuid('mcp_server_id')
      .$type<McpServerId>()
      .generatedAlwaysAs(sql`case when kind = 'mcp_server' then thing_id end`)
      .references(() => mcpServers.id, { onDelete: 'cascade' }),
    knowledgeBaseId: uuid('knowledge_base_id')
      .$type<KnowledgeBaseId>()
      .generatedAlwaysAs(sql`case when kind = 'knowledge_base' then thing_id end`)
      .references(() => knowledgeBases.id, { onDelete: 'cascade' }),
    skillId: uuid('skill_id')
      .$type<SkillId>()
      .generatedAlwaysAs(sql`case when kind = 'skill' then thing_id end`)
      .references(() => skills.id, { onDelete: 'cascade' }),
    /**
     * Identifies the last write; chosen by the writer. Not a counter: a counter that restarts would let an old browser
     * overwrite newer edits.
     */
    changeId: uuid('change_id').$type<UnsavedChangesId>().notNull(),
    /** The change ids of earlier writes that `edit` was made from, newest first, for browsers whose answer was lost. */
    builtOn: uuid('built_on').array().$type<UnsavedChangesId[]>().notNull().default([]),
    edit: document('edit'),
    /** Size of `edit`. */
    bytes: integer('bytes').notNull(),
    savedAt: moment('saved_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.thingId, t.userId] }),
    index('unsaved_changes_person').on(t.organizationId, t.userId),
    index('unsaved_changes_saved').on(t.savedAt),
    index('unsaved_changes_agent').on(t.organizationId, t.agentId),
    index('unsaved_changes_team').on(t.organizationId, t.teamId),
    index('unsaved_changes_voice').on(t.voiceConfigurationId),
    index('unsaved_changes_model').on(t.llmConfigId),
    index('unsaved_changes_mcp_server').on(t.mcpServerId),
    index('unsaved_changes_knowledge_base').on(t.knowledgeBaseId),
    index('unsaved_changes_skill').on(t.skillId),
    ofSameOrganization('unsaved_changes_agent_fk', t, t.agentId, agents).onDelete('cascade'),
    ofSameOrganization('unsaved_changes_team_fk', t, t.teamId, teams).onDelete('cascade'),
    foreignKey({
      name: 'unsaved_changes_member_fk',
      columns: [t.organizationId, t.userId],
      foreignColumns: [members.organizationId, members.userId],
    }).onDelete('cascade'),
  ],
)
