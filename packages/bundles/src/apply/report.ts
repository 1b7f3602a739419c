import type { AppliedBundle } from '@troupe/contract'
import type { OrganizationPlan } from '../plan/plan-organization.ts'
import { count } from '../resolve/step.ts'

/** The applied changes in bundle order, with the secrets that cannot be read again. */
export function reportOf(plans: readonly OrganizationPlan[]): AppliedBundle {
  return {
    organizations: plans.map((plan) => ({
      slug: plan.organization.after.slug,
      id: plan.organization.after.id,
      projects: count(plan.projects),
      members: count(plan.members),
      apiKeys: count(plan.apiKeys),
      llmConfigurations: count(plan.llmConfigurations),
      credentials: count(plan.credentials),
      knowledgeBases: count(plan.knowledgeBases),
      documents: count(plan.knowledgeBases.flatMap(({ documents }) => documents)),
      skills: count(plan.skills),
      mcpServers: count(plan.mcpServers),
      agents: count(plan.agents),
      voiceConfigurations: count(plan.voiceConfigurations),
      trunks: count(plan.trunks),
      phoneNumbers: count(plan.phoneNumbers),
      teams: count(plan.teams),
      workflows: count(plan.workflows),
      budgets: count(plan.budgets),
      mintedKeys: plan.apiKeys.flatMap(({ after, minted, changed }) =>
        minted !== null && changed ? [{ name: after.name, secret: minted }] : [],
      ),
      mintedPasswords: plan.members.flatMap(({ after, minted }) =>
        minted === null ? [] : [{ email: after.email, password: minted }],
      ),
    })),
  }
}
