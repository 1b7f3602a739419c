import type { OrganizationId } from '@troupe/contract'
import type {
  AgentRecord,
  ApiKeyRecord,
  BudgetRecord,
  LlmConfigurationRecord,
  MemberRecord,
  OrganizationRecord,
  ProjectRecord,
  Readers,
  TeamRecord,
  WorkflowRecord,
} from '@troupe/database'
import { isSameGraph } from '@troupe/operations/workflows/read-draft'
import { activeGraph } from '../plan/plan-workflows.ts'

/** Everything of one organization that a bundle describes. */
export interface WholeOrganization {
  organization: OrganizationRecord
  projects: readonly ProjectRecord[]
  members: readonly MemberRecord[]
  apiKeys: readonly ApiKeyRecord[]
  llmConfigurations: readonly LlmConfigurationRecord[]
  /** Oldest first, with those that the API made. */
  agents: readonly AgentRecord[]
  /** Oldest first, with those that the builder made. */
  teams: readonly TeamRecord[]
  /** Oldest first, with those that the builder made. */
  workflows: readonly WholeWorkflow[]
  budgets: readonly BudgetRecord[]
}

/** A workflow with the question whether callers run its draft. */
export interface WholeWorkflow extends WorkflowRecord {
  runsDraft: boolean
}

const PAGE = 100

export async function readEverything(
  read: Readers,
  organization: OrganizationRecord,
): Promise<WholeOrganization> {
  const { id } = organization
  return {
    organization,
    projects: await read.projects.list(id),
    members: await read.members.list(id),
    apiKeys: await read.apiKeys.list(id),
    llmConfigurations: await read.llmConfigurations.list(id),
    agents: await everyPage((page) =>
      read.agents.page(
        { organizationId: id, projectId: null },
        { status: null, projectId: null, page, limit: PAGE },
      ),
    ),
    teams: await everyPage((page) =>
      read.teams.page({ organizationId: id, projectId: null }, { projectId: null, page, limit: PAGE }),
    ),
    workflows: await everyWorkflow(read, id),
    budgets: await read.budgets.list(id),
  }
}

async function everyWorkflow(read: Readers, organizationId: OrganizationId): Promise<WholeWorkflow[]> {
  const summaries = await everyPage((page) =>
    read.workflows.page({ organizationId, projectId: null }, { projectId: null, page, limit: PAGE }),
  )
  const workflows: WholeWorkflow[] = []
  for (const { id } of summaries) {
    const workflow = await read.workflows.byId(organizationId, id)
    if (!workflow) continue
    const runsDraft = isSameGraph(await activeGraph({ read }, workflow), workflow.draft)
    workflows.push({ ...workflow, runsDraft })
  }
  return workflows
}

/** All rows, oldest first, of something that is read in pages, newest first. */
async function everyPage<T extends { id: string }>(
  read: (page: number) => Promise<{ rows: T[] }>,
): Promise<T[]> {
  // By id: what is created between two pages moves others to the next one.
  const all = new Map<string, T>()
  for (let page = 1, more = true; more; page += 1) {
    const { rows } = await read(page)
    for (const row of rows) all.set(row.id, row)
    more = rows.length === PAGE
  }
  return [...all.values()].reverse()
}
