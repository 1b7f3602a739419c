import type { NewId } from '@troupe/contract'
import type { ToolSourceCheck } from '@troupe/operations/agents/source-check'
import type { LimitCeilings } from '@troupe/operations/limits/limit-ceilings'
import type { Passwords, SecretBox } from '@troupe/secrets'
import type { Readers } from '@troupe/storage'
import type { OpenedBundle } from '../read/open-documents.ts'
import { ProblemList } from '../read/problem-list.ts'
import { authorRole, type BundleAuthor } from '../resolve/check-author.ts'
import { TakenIds } from '../resolve/taken-ids.ts'
import { type OrganizationPlan, planOrganization } from './plan-organization.ts'

/** The dependencies of planning besides the readers. */
export interface PlanParts {
  box: SecretBox
  newId: NewId
  passwords: Passwords
  /** Milliseconds since the epoch. */
  now: () => number
  toolSources: ToolSourceCheck
  /** Whether API keys may have secrets that are easy to guess. */
  acceptsWeakSecrets: boolean
  /** The highest limits that an organization may get. */
  limitCeilings: LimitCeilings
  /** Set when a member applies a bundle to one organization; null: the operator does. */
  author?: BundleAuthor | null
}

/**
 * Compares a bundle with the database. Writes nothing.
 *
 * @throws BundleError with every problem of the text and its references; DomainError `forbidden` for an author who no
 * longer manages the organization
 */
export async function planBundle(
  parts: PlanParts,
  read: Readers,
  bundle: OpenedBundle,
): Promise<OrganizationPlan[]> {
  const problems = new ProblemList(bundle.lines, bundle.problems)
  const { documents, skills } = bundle
  const takenIds = new TakenIds(read)
  const role = await authorRole(read, parts.author ?? null)
  const planner = { ...parts, role, read, problems, takenIds, newAccounts: new Map(), documents, skills }
  const plans: OrganizationPlan[] = []
  for (const item of bundle.organizations) {
    const plan = await planOrganization(planner, item)
    if (plan) plans.push(plan)
  }
  problems.raise()
  return plans
}

/** Whether applying the plan writes anything. */
export function changesAnything(plan: OrganizationPlan): boolean {
  const { organization, projects, members, apiKeys, llmConfigurations, credentials } = plan
  const { mcpServers, agents, voiceConfigurations, teams, workflows, budgets, knowledgeBases } = plan
  const documents = knowledgeBases.flatMap((base) => base.documents)
  const tools = [credentials, mcpServers, knowledgeBases, documents, plan.skills]
  const settings = [projects, members, apiKeys, llmConfigurations, ...tools]
  const voices = [voiceConfigurations, plan.trunks, plan.phoneNumbers]
  const lists = [...settings, agents, ...voices, teams, workflows, budgets]
  return organization.changed || lists.some((steps) => steps.some(({ changed }) => changed))
}
