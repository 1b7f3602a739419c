import type {
  AgentId,
  GuardrailConfig,
  GuardrailFlag,
  GuardrailStage,
  OrganizationId,
  ProjectId,
} from '@troupe/contract'

/** A question to a model about a text. Its calls belong to the run that is checked. */
export interface GuardrailQuestion {
  /** null: the default, which for a null `modelId` too is the chain of the agent or lead. */
  llmConfigId: string | null
  modelId: string | null
  instructions: string
  /** What the model is asked about; data, never instructions. */
  text: string
  /** JSON Schema of the answer. A model that does not support schemas is asked without. */
  schema: Record<string, unknown>
}

/** The text's place, and what a rule may use. */
export interface GuardrailSubject {
  stage: GuardrailStage
  organizationId: OrganizationId
  /** The project of the agent or team whose rules they are. */
  projectId: ProjectId | null
  /** null for a team with a managed lead. */
  agentId: AgentId | null
  runId: string
  signal: AbortSignal
  /** The model's answer as text. Rejects when no model answers. */
  ask(question: GuardrailQuestion): Promise<string>
}

/** What the rules say about a text. */
export interface GuardrailVerdict {
  /** The text with what was redacted; the text itself when nothing was. */
  text: string
  /** The message that takes the text's place; null when it may pass. */
  blocked: string | null
  flags: GuardrailFlag[]
}

/** Port: checks texts against configured rules. */
export interface Guardrails {
  /** A rule that cannot be checked is part of the verdict. Rejects only when the run is stopped. */
  check(rules: readonly GuardrailConfig[], text: string, subject: GuardrailSubject): Promise<GuardrailVerdict>
}
