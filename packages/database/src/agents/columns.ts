import { agents } from '@troupe/tables/configuration/agents'
import { getTableColumns } from 'drizzle-orm'

const { versionNumber: _, ...columns } = getTableColumns(agents)

/** The columns of an agent as callers see it. */
export const agentColumns = columns
