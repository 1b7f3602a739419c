import { type Static, Type } from 'typebox'
import { BundleApiKey, BundleBudget, BundleMember, BundleProject } from './access-entries.ts'
import { closed, id, rpm, Slug, title } from './bundle-fields.ts'
import { BundleCredential, BundleLlmConfiguration, BundleMcpServer } from './connection-entries.ts'
import { BundleKnowledgeBase, BundleSkill } from './knowledge-entries.ts'
import { BundleAgent, BundleTeam, BundleWorkflow } from './runnable-entries.ts'
import { BundlePhoneNumber, BundlePhoneTrunk, BundleVoiceConfiguration } from './voice-entries.ts'

const days = Type.Integer({ minimum: 1, maximum: 3_650 })

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
    voiceConfigurations: Type.Optional(Type.Array(BundleVoiceConfiguration)),
    trunks: Type.Optional(Type.Array(BundlePhoneTrunk)),
    phoneNumbers: Type.Optional(Type.Array(BundlePhoneNumber)),
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
    voiceConfigurations: unchecked,
    trunks: unchecked,
    phoneNumbers: unchecked,
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
