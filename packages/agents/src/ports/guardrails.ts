import type {
  AgentId,
  GuardrailConfig,
  GuardrailFlag,
  GuardrailStage,
  LlmConfigId,
  OrganizationId,
  ProjectId,
  RunId,
} from '@troupe/contract'

/** A question to a model about a text. Its calls belong to the checked run. */
export interface GuardrailQuestion {
  /** null: the default, which for a null `modelId` too is the chain of the agent or lead. */
  llmConfigId: LlmConfigId | null
  modelId: string | null
  instructions: string
  /** The text to assess; data, never instructions. */
  text: string
  /** JSON Schema of the answer. Models without support for schemas are called without it. */
  schema: Record<string, unknown>
}

/** The text's place, and the resources of a rule. */
export interface GuardrailSubject {
  stage: GuardrailStage
  organizationId: OrganizationId
  /** The project of the agent or team with the rules. */
  projectId: ProjectId | null
  /** null for a team with a managed lead. */
  agentId: AgentId | null
  runId: RunId
  signal: AbortSignal
  /** The model's answer as text. Rejects if no model answers. */
  ask(question: GuardrailQuestion): Promise<string>
}

/** The verdict of the rules on a text. */
export interface GuardrailVerdict {
  /** The text after redaction; the original if nothing was redacted. */
  text: string
  /** The message that replaces the text; null if it passes. */
  blocked: string | null
  flags: GuardrailFlag[]
}

/** Port: checks texts against configured rules. */
export interface Guardrails {
  /** A rule that cannot be checked is part of the verdict. Rejects only if the run is stopped. */
  check(rules: readonly GuardrailConfig[], text: string, subject: GuardrailSubject): Promise<GuardrailVerdict>
}
