import { AGENT_CONFIG_DEFAULTS } from '../../agents/config/defaults.ts'
import type { TeamConfig } from './team-config.ts'

/** Defaults of every team; mode, lead and members have none. Never mutated: merging copies. */
export const TEAM_CONFIG_DEFAULTS: Omit<TeamConfig, 'mode' | 'lead' | 'members'> = {
  toggles: {
    auto_member_input: true,
    members_see_team_history: false,
    share_member_interactions: false,
    add_team_name: false,
    add_datetime: false,
  },
  fallback_member: null,
  lead_may_answer_directly: true,
  min_successful_members: 1,
  members_keep_own_history: false,
  memory: AGENT_CONFIG_DEFAULTS.memory,
  guardrails: AGENT_CONFIG_DEFAULTS.guardrails,
  output: AGENT_CONFIG_DEFAULTS.execution.output,
  expose: null,
  limits: {
    max_iterations: 10,
    lead_max_steps: 12,
    max_delegations: 20,
    max_concurrent_members: 4,
    max_seconds: 900,
    member_timeout_ms: null,
    history_tokens: 8_000,
    budget: AGENT_CONFIG_DEFAULTS.execution.budget,
  },
}

/** Defaults of a managed lead: the model of an agent. Never mutated. */
export const MANAGED_LEAD_DEFAULTS: Extract<TeamConfig['lead'], { managed: unknown }>['managed'] = {
  instructions: AGENT_CONFIG_DEFAULTS.instructions,
  model: AGENT_CONFIG_DEFAULTS.model,
}
