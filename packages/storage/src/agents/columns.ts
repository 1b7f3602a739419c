import { getTableColumns } from 'drizzle-orm'
import { agents } from '../tables/configuration/agents.ts'

const { versionNumber: _, ...columns } = getTableColumns(agents)

/** The columns of an agent as callers see it. */
export const agentColumns = columns
