import { type Static, Type } from 'typebox'
import type { AgentConfig } from '../../agents/config/agent-config.ts'
import { OutputConfig, RunBudgetConfig } from '../../agents/config/execution.ts'
import { GuardrailsConfig } from '../../agents/config/guardrails.ts'
import { MemoryConfig } from '../../agents/config/memory.ts'
import { ModelConfig } from '../../agents/config/model.ts'
import { Choice } from '../../schema/choice.ts'
import { Expose } from '../../schema/expose.ts'
import { Uuid } from '../../schema/formats.ts'
import type { AgentId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'

/** The schema version of new teams. */
export const TEAM_CONFIG_SCHEMA_VERSION = 1

export const COORDINATION_MODES = ['handoff', 'dynamic-delegation', 'parallel', 'plan-execute'] as const
/** The division of work between a team's lead and its members. */
export type CoordinationMode = (typeof COORDINATION_MODES)[number]

/** Behaviour that is off or on for every run of the team. */
export const TEAM_TOGGLES = [
  'auto_member_input',
  'members_see_team_history',
  'share_member_interactions',
  'add_team_name',
  'add_datetime',
] as const
export type TeamToggle = (typeof TEAM_TOGGLES)[number]

const closed = { additionalProperties: false }
const integer = (minimum: number, maximum: number) => Type.Optional(Type.Integer({ minimum, maximum }))

/** Limits of one team run. Zero is out of range, never "unset". */
export const TeamLimits = Type.Object(
  {
    max_iterations: integer(1, 25),
    lead_max_steps: integer(2, 50),
    max_delegations: integer(1, 100),
    max_concurrent_members: integer(1, 10),
    max_seconds: integer(5, 3_600),
    member_timeout_ms: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 3_600_000 }))),
    history_tokens: integer(0, 32_000),
    budget: Type.Optional(RunBudgetConfig),
  },
  closed,
)

/** A lead that belongs only to the team. */
export const ManagedLead = Type.Object(
  { instructions: Type.Optional(Type.String({ maxLength: 100_000 })), model: Type.Optional(ModelConfig) },
  closed,
)

/** A promoted agent as the lead. */
export const AgentLead = Type.Object({ agent: Uuid<AgentId>() }, closed)

/** An agent of the team, with its role in this team. */
export const TeamMember = Type.Object(
  { agent: Uuid<AgentId>(), role: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 2_000 }))) },
  closed,
)

/** The complete configuration of a team in requests, agents by id. Closed: a misspelt key is a failure. */
export const TeamConfigInput = Type.Object(
  {
    mode: Choice(COORDINATION_MODES),
    lead: Type.Union([Type.Object({ managed: ManagedLead }, closed), AgentLead]),
    members: Type.Array(TeamMember, { maxItems: 20 }),
    toggles: Type.Optional(
      Type.Object(
        Object.fromEntries(TEAM_TOGGLES.map((name) => [name, Type.Optional(Type.Boolean())])),
        closed,
      ),
    ),
    fallback_member: Type.Optional(Nullable(Uuid<AgentId>())),
    lead_may_answer_directly: Type.Optional(Type.Boolean()),
    min_successful_members: integer(1, 20),
    members_keep_own_history: Type.Optional(Type.Boolean()),
    memory: Type.Optional(MemoryConfig),
    guardrails: Type.Optional(GuardrailsConfig),
    output: Type.Optional(OutputConfig),
    expose: Type.Optional(Expose),
    limits: Type.Optional(TeamLimits),
  },
  closed,
)
export type TeamConfigInput = Static<typeof TeamConfigInput>

/** A complete team configuration: the defaults overridden by everything that was set. */
export interface TeamConfig {
  mode: CoordinationMode
  lead: { managed: { instructions: string; model: AgentConfig['model'] } } | { agent: AgentId }
  /** In builder order: the first is `m1`. */
  members: { agent: AgentId; role: string | null }[]
  toggles: Record<TeamToggle, boolean>
  /** The member that answers when the lead makes no valid choice (handoff). */
  fallback_member: AgentId | null
  lead_may_answer_directly: boolean
  min_successful_members: number
  members_keep_own_history: boolean
  memory: AgentConfig['memory']
  guardrails: AgentConfig['guardrails']
  output: AgentConfig['execution']['output']
  expose: AgentConfig['expose']
  limits: {
    max_iterations: number
    lead_max_steps: number
    max_delegations: number
    max_concurrent_members: number
    max_seconds: number
    member_timeout_ms: number | null
    history_tokens: number
    budget: AgentConfig['execution']['budget']
  }
}
