import { type Static, Type } from 'typebox'
import { BundleApiKey, BundleBudget, BundleMember, BundleProject } from './access-entries.ts'
import { closed, entries, id, MAX_ENTRIES, rpm, Slug, title } from './bundle-fields.ts'
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
          concurrentRuns: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
          /** Retention of node inputs and outputs of ended workflow runs. */
          traceDays: Type.Optional(days),
          /** Retention of ended workflow runs. */
          runDays: Type.Optional(days),
        },
        closed,
      ),
    ),
    projects: Type.Optional(entries(BundleProject)),
    members: Type.Optional(entries(BundleMember)),
    apiKeys: Type.Optional(entries(BundleApiKey)),
    llmConfigurations: Type.Optional(entries(BundleLlmConfiguration)),
    credentials: Type.Optional(entries(BundleCredential)),
    knowledgeBases: Type.Optional(entries(BundleKnowledgeBase)),
    skills: Type.Optional(entries(BundleSkill)),
    mcpServers: Type.Optional(entries(BundleMcpServer)),
    agents: Type.Optional(entries(BundleAgent)),
    voiceConfigurations: Type.Optional(entries(BundleVoiceConfiguration)),
    trunks: Type.Optional(entries(BundlePhoneTrunk)),
    phoneNumbers: Type.Optional(entries(BundlePhoneNumber)),
    teams: Type.Optional(entries(BundleTeam)),
    workflows: Type.Optional(entries(BundleWorkflow)),
    budgets: Type.Optional(entries(BundleBudget)),
  },
  closed,
)

const unchecked = Type.Optional(entries(Type.Unknown()))

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
  { apiVersion, organizations: Type.Array(BundleOrganization, { minItems: 1, maxItems: MAX_ENTRIES }) },
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
  { apiVersion, organizations: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_ENTRIES }) },
  closed,
)
export type Bundle = Static<typeof Bundle>
export type BundleOrganization = Static<typeof BundleOrganization>
export type BundleOrganizationShell = Static<typeof BundleOrganizationShell>
