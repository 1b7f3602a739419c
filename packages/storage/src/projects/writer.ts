import type { MovableKind } from '@troupe/contract/builder'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { agents } from '../tables/configuration/agents.ts'
import { credentials } from '../tables/configuration/credentials.ts'
import { knowledgeBases } from '../tables/configuration/knowledge.ts'
import { llmConfigurations } from '../tables/configuration/llm-configurations.ts'
import { mcpServers } from '../tables/configuration/mcp-servers.ts'
import { skills } from '../tables/configuration/skills.ts'
import { teams } from '../tables/configuration/teams.ts'
import { workflows } from '../tables/configuration/workflows.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import { projects } from '../tables/tenants/projects.ts'
import { phoneNumbers } from '../tables/voice/phone-numbers.ts'
import { phoneTrunks } from '../tables/voice/phone-trunks.ts'
import { voiceConfigurations } from '../tables/voice/voice-configurations.ts'
import type { ProjectWriter } from './port.ts'

const TABLES = {
  agent: agents,
  team: teams,
  workflow: workflows,
  knowledge_base: knowledgeBases,
  skill: skills,
  llm_configuration: llmConfigurations,
  credential: credentials,
  mcp_server: mcpServers,
  phone_trunk: phoneTrunks,
} as const satisfies Readonly<Record<MovableKind, unknown>>

/** Resources that belong to the project of another resource. */
const FOLLOWERS: Partial<
  Record<
    MovableKind,
    | { table: typeof voiceConfigurations; owner: typeof voiceConfigurations.agentId }
    | { table: typeof phoneNumbers; owner: typeof phoneNumbers.trunkId }
  >
> = {
  agent: { table: voiceConfigurations, owner: voiceConfigurations.agentId },
  phone_trunk: { table: phoneNumbers, owner: phoneNumbers.trunkId },
}

export function projectWriter({ db, signal }: WriteContext): ProjectWriter {
  return {
    async insert(record) {
      await db.insert(projects).values(record)
      signal({ kind: 'config_changed', organizationId: record.organizationId })
    },
    async put({ id, organizationId, slug, name }) {
      const rows = await db
        .insert(projects)
        .values({ id, organizationId, slug, name })
        .onConflictDoUpdate({
          target: projects.id,
          set: { slug, name, version: sql`${projects.version} + 1`, updatedAt: sql`now()` },
          // An id from another organization must not change that organization's project.
          setWhere: eq(projects.organizationId, organizationId),
        })
        .returning({ id: projects.id })
      onlyRow(rows, `project ${id} in this organization`)
      signal({ kind: 'config_changed', organizationId })
    },
    async lock(organizationId, id) {
      const rows = await db
        .select({ id: projects.id })
        .from(projects)
        .where(and(eq(projects.organizationId, organizationId), eq(projects.id, id)))
        .for('update')
      return rows.length === 1
    },
    async lockThing(organizationId, kind, id) {
      const table = TABLES[kind]
      await db
        .select({ one: sql`1` })
        .from(table)
        .where(and(eq(table.organizationId, organizationId), eq(sql`${table.id}`, id)))
        .for('update')
    },
    async moveThings(organizationId, kind, ids, projectId) {
      const table = TABLES[kind]
      const touched = {
        projectId,
        // Incremented so that a change based on the state before the move is refused. Versions of agents, teams and
        // workflows count content changes only.
        ...('version' in table && { version: sql`${table.version} + 1` }),
        ...('updatedAt' in table && { updatedAt: sql`now()` }),
      }
      await db
        .update(table)
        .set(touched)
        .where(and(eq(table.organizationId, organizationId), inArray(sql`${table.id}`, [...ids])))
      const follower = FOLLOWERS[kind]
      if (follower) {
        await db
          .update(follower.table)
          .set({ projectId, version: sql`${follower.table.version} + 1`, updatedAt: sql`now()` })
          .where(
            and(eq(follower.table.organizationId, organizationId), inArray(sql`${follower.owner}`, [...ids])),
          )
      }
      signal({ kind: 'config_changed', organizationId })
    },
    async delete(organizationId, id) {
      await db
        .update(workflows)
        .set({ projectId: null })
        .where(and(eq(workflows.organizationId, organizationId), eq(workflows.projectId, id)))
      await db.delete(projects).where(and(eq(projects.organizationId, organizationId), eq(projects.id, id)))
      signal({ kind: 'config_changed', organizationId })
    },
  }
}
