import type { AppliedBundle } from '@troupe/contract'
import type { OrganizationPlan } from '../plan/plan-organization.ts'
import { count } from '../resolve/step.ts'

/** The applied changes in bundle order, with the secrets that cannot be read again. */
export function reportOf(plans: readonly OrganizationPlan[]): AppliedBundle {
  return {
    organizations: plans.map(
      ({
        organization,
        projects,
        members,
        apiKeys,
        llmConfigurations,
        credentials,
        knowledgeBases,
        skills,
        mcpServers,
        agents,
        voiceConfigurations,
        trunks,
        phoneNumbers,
        teams,
        workflows,
        budgets,
      }) => ({
        slug: organization.after.slug,
        id: organization.after.id,
        projects: count(projects),
        members: count(members),
        apiKeys: count(apiKeys),
        llmConfigurations: count(llmConfigurations),
        credentials: count(credentials),
        knowledgeBases: count(knowledgeBases),
        documents: count(knowledgeBases.flatMap(({ documents }) => documents)),
        skills: count(skills),
        mcpServers: count(mcpServers),
        agents: count(agents),
        voiceConfigurations: count(voiceConfigurations),
        trunks: count(trunks),
        phoneNumbers: count(phoneNumbers),
        teams: count(teams),
        workflows: count(workflows),
        budgets: count(budgets),
        mintedKeys: apiKeys.flatMap(({ after, minted, changed }) =>
          minted !== null && changed ? [{ name: after.name, secret: minted }] : [],
        ),
        mintedPasswords: members.flatMap(({ after, minted }) =>
          minted === null ? [] : [{ email: after.email, password: minted }],
        ),
      }),
    ),
  }
}
