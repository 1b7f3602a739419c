import { type Static, Type } from 'typebox'
import { AGENT_STATUSES, AgentDescription, AgentName } from '../agents/agent.ts'
import { UncheckedGuardrails } from '../agents/config/guardrails.ts'
import { ModelId } from '../agents/config/model-id.ts'
import { BUDGET_METRICS, BudgetLimit, BudgetPeriod } from '../budgets/budget.ts'
import { CREDENTIAL_KINDS, CredentialField, CredentialHost } from '../credentials/credential.ts'
import { DocumentMetadata, knowledgeBaseFields, MAX_DOCUMENT_TEXT } from '../knowledge/knowledge-base.ts'
import { EmailAddress, MEMBER_STATUSES, Password, PersonName } from '../members/member.ts'
import { MEMBER_ROLES } from '../permissions/permissions.ts'
import { Choice } from '../schema/choice.ts'
import { Uuid } from '../schema/formats.ts'
import { Nullable } from '../schema/nullable.ts'
import { OpenObject, StringMap } from '../schema/objects.ts'
import { PROVIDER_IDS } from '../schema/providers.ts'
import { TeamConfigInput, TeamMember } from '../teams/config/team-config.ts'
import { TeamDescription, TeamName } from '../teams/team.ts'
import { WorkflowDescription, WorkflowName } from '../workflows/definition/workflow.ts'

const closed = { additionalProperties: false }
/** Identifies an entity within its organization. */
export const Slug = Type.String({
  pattern: '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$',
  patternMessage: 'must have 1 to 64 lower-case letters, digits and inner hyphens',
})
const id = Type.Optional(Uuid())
const project = Type.Optional(Nullable(Slug))
const title = Type.String({ minLength: 1, maxLength: 128 })
const rpm = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
const days = Type.Integer({ minimum: 1, maximum: 3_650 })

export const BundleProject = Type.Object({ slug: Slug, name: title, id }, closed)

export const BundleApiKey = Type.Object(
  {
    name: title,
    id,
    project,
    rpm: Type.Optional(Nullable(rpm)),
    expiresAt: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
    revoked: Type.Optional(Type.Boolean()),
    /** As strong as a random secret, unless only the machine itself can reach the server. */
    secret: Type.Optional(Type.String({ minLength: 8, maxLength: 200 })),
  },
  closed,
)

export const BundleModel = Type.Object(
  {
    modelId: ModelId,
    displayName: Type.Optional(title),
    contextLength: Type.Optional(Type.Integer({ minimum: 1 })),
    maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1 })),
    inputUsdPerMillion: Type.Optional(Type.Number({ minimum: 0 })),
    cachedInputUsdPerMillion: Type.Optional(Type.Number({ minimum: 0 })),
    outputUsdPerMillion: Type.Optional(Type.Number({ minimum: 0 })),
    toolChoice: Type.Optional(Type.Boolean()),
  },
  closed,
)

export const BundleLlmConfiguration = Type.Object(
  {
    slug: Slug,
    name: title,
    id,
    project,
    providerId: Choice(PROVIDER_IDS),
    status: Type.Optional(Choice(['connected', 'disconnected'])),
    default: Type.Optional(Type.Boolean()),
    baseUrl: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 2_048 }))),
    credentials: Type.Optional(StringMap()),
    settings: Type.Optional(OpenObject()),
    models: Type.Array(BundleModel, { minItems: 1, maxItems: 200 }),
    allowUnlistedModels: Type.Optional(
      Type.Boolean({ description: 'Whether agents may name models that `models` does not list.' }),
    ),
  },
  closed,
)

/** A credential of tools. Its secret is write-only: absent, it stays as stored. */
export const BundleCredential = Type.Object(
  {
    slug: Slug,
    name: title,
    id,
    project,
    kind: Choice(CREDENTIAL_KINDS),
    /** Of `basic` only. */
    username: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    /** Of `header` and `query` only. */
    field: Type.Optional(CredentialField),
    secret: Type.Optional(Type.String({ minLength: 1, maxLength: 8_192 })),
    hosts: Type.Array(CredentialHost, { minItems: 1, maxItems: 50 }),
  },
  closed,
)

/**
 * A document of a knowledge base, from one of `text`, `path`, `base64` and `url`. Without any of them, the stored document
 * of this name is kept.
 */
const BundleDocument = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_DOCUMENT_TEXT })),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: "A file inside the bundle's folder. `troupe apply` sends it as `base64`.",
      }),
    ),
    base64: Type.Optional(
      Type.String({ minLength: 1, description: 'The bytes of a file; it needs a `name`.' }),
    ),
    url: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
    metadata: Type.Optional(DocumentMetadata),
  },
  closed,
)

/** A knowledge base with its documents; stored documents that the bundle does not name stay. */
export const BundleKnowledgeBase = Type.Object(
  {
    slug: Slug,
    name: knowledgeBaseFields.name,
    id,
    project,
    lang: Type.Optional(knowledgeBaseFields.lang),
    embedding: Type.Optional(
      Nullable(
        Type.Object(
          {
            /** A slug or an id. */
            llm_config: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
            llm_config_id: Type.Optional(Uuid()),
            model_id: Type.String({ minLength: 1, maxLength: 200 }),
          },
          closed,
        ),
      ),
    ),
    chunk_tokens: Type.Optional(knowledgeBaseFields.chunk_tokens),
    overlap_tokens: Type.Optional(knowledgeBaseFields.overlap_tokens),
    documents: Type.Optional(Type.Array(BundleDocument, { maxItems: 1000 })),
  },
  closed,
)

/** A skill, from `files` or `path`. Without them the stored one stays; its stored versions stay always. */
export const BundleSkill = Type.Object(
  {
    slug: Slug,
    project,
    files: Type.Optional(StringMap({ description: 'Texts by path; `SKILL.md` is one of them.' })),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: "A folder inside the bundle's folder. `troupe apply` sends its texts as `files`.",
      }),
    ),
  },
  closed,
)

/** An MCP server that the tools of agents may name. */
export const BundleMcpServer = Type.Object(
  {
    slug: Slug,
    name: title,
    id,
    project,
    url: Type.String({
      maxLength: 4_096,
      pattern: '^https?://[^/?#@\\s\\\\][^@\\s\\\\]*$',
      patternMessage: 'must be an http or https URL without a user name',
    }),
    /** Slug or id; sent with every request. */
    credential: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  },
  closed,
)

export const BundleAgent = Type.Object(
  {
    slug: Slug,
    name: AgentName,
    id,
    project,
    status: Type.Optional(Choice(AGENT_STATUSES)),
    description: Type.Optional(AgentDescription),
    config: Type.Optional(OpenObject()),
  },
  closed,
)

/** An agent of the organization: its slug or its id. */
const agentReference = Type.String({ minLength: 1, maxLength: 64 })

/** A team: its configuration is inlined next to its name, and agents are referenced by slug or id. */
export const BundleTeam = Type.Object(
  {
    slug: Slug,
    name: TeamName,
    id,
    project,
    description: Type.Optional(TeamDescription),
    ...TeamConfigInput.properties,
    // A managed lead and guardrails are checked with the complete configuration, once `llm_config` is resolved.
    lead: Type.Union([
      Type.Object({ managed: OpenObject() }, closed),
      Type.Object({ agent: agentReference }, closed),
    ]),
    members: Type.Array(Type.Object({ ...TeamMember.properties, agent: agentReference }, closed)),
    fallback_member: Type.Optional(Nullable(agentReference)),
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
    name: WorkflowName,
    id,
    project,
    description: Type.Optional(WorkflowDescription),
    publish: Type.Optional(Type.Boolean()),
    webhook: Type.Optional(BundleWebhook),
    form: Type.Optional(BundleForm),
    graph: OpenObject(),
  },
  closed,
)

/** A budget, identified by its metric and its level, whose combination is unique. */
export const BundleBudget = Type.Object(
  {
    metric: Choice(BUDGET_METRICS),
    id,
    project,
    limit: BudgetLimit,
    period: Type.Optional(BudgetPeriod),
  },
  closed,
)

/** A member, identified by e-mail address, with one account across all organizations of the deployment. */
export const BundleMember = Type.Object(
  {
    email: EmailAddress,
    name: PersonName,
    role: Choice(MEMBER_ROLES),
    password: Type.Optional(Password),
    status: Type.Optional(Choice(MEMBER_STATUSES)),
  },
  closed,
)

export const BundleOrganization = Type.Object(
  {
    slug: Slug,
    name: title,
    id,
    limits: Type.Optional(
      Type.Object(
        {
          rpm: Type.Optional(rpm),
          concurrentRuns: Type.Optional(Type.Integer({ minimum: 1 })),
          /** Retention of node inputs and outputs of ended workflow runs. */
          traceDays: Type.Optional(days),
          /** Retention of ended workflow runs. */
          runDays: Type.Optional(days),
        },
        closed,
      ),
    ),
    projects: Type.Optional(Type.Array(BundleProject)),
    members: Type.Optional(Type.Array(BundleMember)),
    apiKeys: Type.Optional(Type.Array(BundleApiKey)),
    llmConfigurations: Type.Optional(Type.Array(BundleLlmConfiguration)),
    credentials: Type.Optional(Type.Array(BundleCredential)),
    knowledgeBases: Type.Optional(Type.Array(BundleKnowledgeBase)),
    skills: Type.Optional(Type.Array(BundleSkill)),
    mcpServers: Type.Optional(Type.Array(BundleMcpServer)),
    agents: Type.Optional(Type.Array(BundleAgent)),
    teams: Type.Optional(Type.Array(BundleTeam)),
    workflows: Type.Optional(Type.Array(BundleWorkflow)),
    budgets: Type.Optional(Type.Array(BundleBudget)),
  },
  closed,
)

const unchecked = Type.Optional(Type.Array(Type.Unknown()))

/** An organization with unchecked lists: their items are checked one by one, so that each has its own failures. */
export const BundleOrganizationShell = Type.Object(
  {
    ...BundleOrganization.properties,
    projects: unchecked,
    members: unchecked,
    apiKeys: unchecked,
    llmConfigurations: unchecked,
    credentials: unchecked,
    knowledgeBases: unchecked,
    skills: unchecked,
    mcpServers: unchecked,
    agents: unchecked,
    teams: unchecked,
    workflows: unchecked,
    budgets: unchecked,
  },
  closed,
)

const apiVersion = Type.Literal('troupe/v1')

/** Everything that the builder can create, as a file. Closed objects: a misspelt key is a failure. */
export const Bundle = Type.Object(
  { apiVersion, organizations: Type.Array(BundleOrganization, { minItems: 1 }) },
  {
    ...closed,
    examples: [
      {
        apiVersion: 'troupe/v1',
        organizations: [
          { slug: 'lakeside', name: 'Lakeside Bikes', projects: [{ slug: 'shop', name: 'Shop' }] },
        ],
      },
    ],
  },
)

/** A bundle with unchecked organizations. */
export const BundleShell = Type.Object(
  { apiVersion, organizations: Type.Array(Type.Unknown(), { minItems: 1 }) },
  closed,
)
export type Bundle = Static<typeof Bundle>
export type BundleOrganization = Static<typeof BundleOrganization>
export type BundleOrganizationShell = Static<typeof BundleOrganizationShell>
export type BundleProject = Static<typeof BundleProject>
export type BundleMember = Static<typeof BundleMember>
export type BundleModel = Static<typeof BundleModel>
export type BundleApiKey = Static<typeof BundleApiKey>
export type BundleAgent = Static<typeof BundleAgent>
export type BundleTeam = Static<typeof BundleTeam>
export type BundleWorkflow = Static<typeof BundleWorkflow>
export type BundleBudget = Static<typeof BundleBudget>
export type BundleKnowledgeBase = Static<typeof BundleKnowledgeBase>
export type BundleSkill = Static<typeof BundleSkill>
export type BundleDocument = Static<typeof BundleDocument>
export type BundleCredential = Static<typeof BundleCredential>
export type BundleMcpServer = Static<typeof BundleMcpServer>
export type BundleLlmConfiguration = Static<typeof BundleLlmConfiguration>
