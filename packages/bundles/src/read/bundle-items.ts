import type {
  BundleAgent,
  BundleApiKey,
  BundleBudget,
  BundleCredential,
  BundleKnowledgeBase,
  BundleLlmConfiguration,
  BundleMcpServer,
  BundleMember,
  BundleOrganizationShell,
  BundlePhoneNumber,
  BundlePhoneTrunk,
  BundleProject,
  BundleSkill,
  BundleTeam,
  BundleVoiceConfiguration,
  BundleWorkflow,
} from '@troupe/contract'

/** A part of a bundle with its path in the text. */
export interface Item<T> {
  path: string
  value: T
}

/** An organization of a bundle with the parts that are valid on their own. */
export interface OrganizationItem extends Item<BundleOrganizationShell> {
  projects: readonly Item<BundleProject>[]
  members: readonly Item<BundleMember>[]
  apiKeys: readonly Item<BundleApiKey>[]
  llmConfigurations: readonly Item<BundleLlmConfiguration>[]
  credentials: readonly Item<BundleCredential>[]
  knowledgeBases: readonly Item<BundleKnowledgeBase>[]
  skills: readonly Item<BundleSkill>[]
  mcpServers: readonly Item<BundleMcpServer>[]
  agents: readonly Item<BundleAgent>[]
  voiceConfigurations: readonly Item<BundleVoiceConfiguration>[]
  trunks: readonly Item<BundlePhoneTrunk>[]
  phoneNumbers: readonly Item<BundlePhoneNumber>[]
  teams: readonly Item<BundleTeam>[]
  workflows: readonly Item<BundleWorkflow>[]
  budgets: readonly Item<BundleBudget>[]
  /** Slugs of omitted parts: a reference to one of them is not dangling. */
  brokenSlugs: ReadonlySet<unknown>
}
