import { type Static, Type } from 'typebox'
import { AGENT_STATUSES, givenAgentSettings } from '../agents/agent.ts'
import { UncheckedGuardrails } from '../agents/config/guardrails.ts'
import { Choice } from '../schema/choice.ts'
import { Nullable } from '../schema/nullable.ts'
import { OpenObject } from '../schema/objects.ts'
import { TeamConfigInput, TeamMember } from '../teams/config/team-config.ts'
import { TeamDescription } from '../teams/team.ts'
import { WorkflowDescription } from '../workflows/definition/workflow.ts'
import { closed, entries, id, project, reference, Slug, title } from './bundle-fields.ts'

export const BundleAgent = Type.Object(
  {
    slug: Slug,
    name: title,
    id,
    project,
    status: Type.Optional(Choice(AGENT_STATUSES)),
    ...givenAgentSettings,
    config: Type.Optional(OpenObject({ maxProperties: 1_000 })),
  },
  closed,
)

/** A team: its configuration is inlined next to its name, and agents are referenced by slug or id. */
export const BundleTeam = Type.Object(
  {
    slug: Slug,
    name: title,
    id,
    project,
    description: Type.Optional(TeamDescription),
    ...TeamConfigInput.properties,
    // A managed lead and guardrails are checked with the complete configuration, once `llm_config` is resolved.
    lead: Type.Union([
      Type.Object({ managed: OpenObject({ maxProperties: 1_000 }) }, closed),
      Type.Object({ agent: reference }, closed),
    ]),
    members: entries(Type.Object({ ...TeamMember.properties, agent: reference }, closed)),
    fallback_member: Type.Optional(Nullable(reference)),
    guardrails: Type.Optional(UncheckedGuardrails),
  },
  closed,
)

/** A webhook's values that replace those minted by the first publish; applying again without them keeps them. */
const BundleWebhook = Type.Object(
  {
    token: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9._~-]{8,200}$' })),
    signingSecret: Type.Optional(Type.String({ minLength: 8, maxLength: 200 })),
  },
  closed,
)

/** A form's token, instead of the one minted by the first publish, and its password; kept when omitted. */
const BundleForm = Type.Object(
  {
    token: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9._~-]{8,200}$' })),
    password: Type.Optional(Type.String({ maxLength: 1_000 })),
  },
  closed,
)

/**
 * A workflow, checked by the graph rules. In its graph, `agent`, `team` and the `llm_config` of a model accept a slug
 * or an id.
 */
export const BundleWorkflow = Type.Object(
  {
    slug: Slug,
    name: title,
    id,
    project,
    description: Type.Optional(WorkflowDescription),
    publish: Type.Optional(Type.Boolean()),
    webhook: Type.Optional(BundleWebhook),
    form: Type.Optional(BundleForm),
    graph: OpenObject({ maxProperties: 1_000 }),
  },
  closed,
)

export type BundleAgent = Static<typeof BundleAgent>
export type BundleTeam = Static<typeof BundleTeam>
export type BundleWorkflow = Static<typeof BundleWorkflow>
