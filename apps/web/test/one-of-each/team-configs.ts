import { budgetConfig, guardrailsConfig, memoryConfig, modelConfig, outputConfig } from './agent-config.ts'
import type { Resources } from './resources.ts'

const members = (agents: readonly string[]) =>
  agents.map((agent, index) => ({ agent, role: `Answers number ${index}` }))

/** A team with a managed lead and every setting, none as by default. */
export const managedTeam = (resources: Resources, agents: readonly string[]) => ({
  mode: 'handoff',
  lead: { managed: { instructions: 'Choose well.', model: modelConfig(resources) } },
  members: members(agents),
  toggles: {
    ...{ auto_member_input: true, members_see_team_history: true, share_member_interactions: true },
    ...{ add_team_name: true, add_datetime: true },
  },
  fallback_member: agents[0],
  lead_may_answer_directly: false,
  min_successful_members: 2,
  members_keep_own_history: true,
  memory: memoryConfig,
  guardrails: guardrailsConfig(resources),
  output: outputConfig,
  expose: 'mcp',
  limits: {
    ...{ max_iterations: 3, lead_max_steps: 4, max_delegations: 5, max_concurrent_members: 2 },
    ...{ max_seconds: 60, member_timeout_ms: 5_000, history_tokens: 1_000, budget: budgetConfig },
  },
})

/** A team that an agent leads. */
export const ledTeam = ([lead, ...agents]: readonly string[]) => ({
  ...{ mode: 'dynamic-delegation', lead: { agent: lead }, members: members(agents) },
})
