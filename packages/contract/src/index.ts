export * from './agents/agent.ts'
export * from './agents/config/agent-config.ts'
export { type MergedConfig, mergeAgentConfig } from './agents/config/check.ts'
export { AGENT_CONFIG_DEFAULTS } from './agents/config/defaults.ts'
export {
  GUARDRAIL_STAGES,
  GuardrailConfig,
  type GuardrailStage,
  type GuardrailType,
  MODERATION_CATEGORIES,
  type ModerationCategory,
  PII_ENTITIES,
  type PiiEntity,
  REDACTING_GUARDRAILS,
} from './agents/config/guardrails.ts'
export { type HttpPlan, type HttpToolConfig, httpPlan } from './agents/config/http-tool.ts'
export type { ModelParameterName } from './agents/config/model.ts'
export { isModelId } from './agents/config/model-id.ts'
export { withoutReservedOptions } from './agents/config/provider-options.ts'
export { schemaExcess } from './agents/config/schema-excess.ts'
export {
  parseTemplate,
  solePlaceholder,
  type Template,
  type ToolTemplatePart,
} from './agents/config/template.ts'
export { type ApprovalCondition, type ToolConfig, type ToolType, toolNameOf } from './agents/config/tools.ts'
export { parseUrlTemplate, type QueryTemplate, type UrlTemplate } from './agents/config/url-template.ts'
export { type AvailableModel, LlmProvider } from './agents/list-llm-providers.ts'
export * from './approvals/approval.ts'
export * from './audit/audit-actions.ts'
export * from './budgets/budget.ts'
export * from './bundles/access-entries.ts'
export { AppliedBundle, BundleWarnings, MAX_BUNDLE_WARNINGS } from './bundles/apply-bundle.ts'
export * from './bundles/bundle.ts'
export { Slug } from './bundles/bundle-fields.ts'
export * from './bundles/connection-entries.ts'
export * from './bundles/knowledge-entries.ts'
export { leftOutLine, leftOutOfBundle } from './bundles/left-out.ts'
export * from './bundles/runnable-entries.ts'
export * from './bundles/voice-entries.ts'
export type { CredentialKind } from './credentials/credential.ts'
export { DomainError } from './errors/domain-error.ts'
export {
  ChangedBy,
  CurrentVersion,
  DraftSave,
  ErrorBody,
  FieldError,
  FieldIssue,
} from './errors/error-body.ts'
export { fieldPath, MAX_FIELD_ERRORS, shortened } from './errors/field-path.ts'
export { invalidField, invalidRequest } from './errors/invalid-request.ts'
export { whyUnreachable } from './errors/why-unreachable.ts'
export * from './forms/form.ts'
export * from './knowledge/knowledge-base.ts'
export * from './knowledge/knowledge-languages.ts'
export { type ConfirmMcpToolsBody, McpServerTools } from './mcp-servers/mcp-server-tools.ts'
export type { CreatePasswordResetLinkBody, PasswordResetLink } from './members/create-password-reset-link.ts'
export * from './members/member.ts'
export { UserMemory } from './memories/user-memory.ts'
export { defaultModel, isChatModel, type ModelKind, modelKindOf } from './models/model-kind.ts'
export { ERRORS, type ErrorCode, statusOf } from './operation/error-codes.ts'
export * from './operation/operation.ts'
export {
  OPERATIONS,
  OPERATOR_OPERATIONS,
  type OperationId,
  TRIGGER_OPERATIONS,
  type TriggerOperationId,
} from './operations.ts'
export * from './permissions/permissions.ts'
export { agentReferences } from './references/agent-references.ts'
export type { ConfigReference, ReferencedKind } from './references/config-reference.ts'
export { teamReferences } from './references/team-references.ts'
export { voiceReferences } from './references/voice-references.ts'
export * from './reviews/review.ts'
export { AgentRunResult } from './runs/agent-run-result.ts'
export * from './runs/citation.ts'
export {
  STREAM_EVENTS,
  type StreamDetail,
  StreamEvent,
  type StreamEventName,
  TERMINAL_EVENTS,
} from './runs/events.ts'
export { GuardrailFlag } from './runs/guardrail-flag.ts'
export * from './runs/job.ts'
export { RunMessage } from './runs/message.ts'
export { RunMetrics } from './runs/metrics.ts'
export type { ModelPurpose } from './runs/model-purpose.ts'
export * from './runs/plan.ts'
export { AgentRunBody, IdempotencyHeaders, TeamRunBody } from './runs/run-body.ts'
export { TeamRunResult } from './runs/team-run-result.ts'
export { toolContextErrors } from './runs/tool-context.ts'
export { isBlank } from './schema/blank.ts'
export { canonicalJson } from './schema/canonical-json.ts'
export { Expose } from './schema/expose.ts'
export * from './schema/ids.ts'
export { isDeeperThan, jsonBytes } from './schema/json-bytes.ts'
export * from './schema/json-object.ts'
export { momentOf } from './schema/moment.ts'
export { Nullable } from './schema/nullable.ts'
export { OpenObject } from './schema/objects.ts'
export { oneLine, withoutHidden } from './schema/one-line.ts'
export { OPERATORS, type Operator, UNARY_OPERATORS } from './schema/operators.ts'
export type { ProviderId } from './schema/providers.ts'
export { isShown } from './schema/shown-name.ts'
export { LONGEST_SLUG, slugOf, withoutOuterHyphens } from './schema/slug.ts'
export { isSecretName, REDACTED, redactText } from './secrets/secret-texts.ts'
export { Session, SessionMessage } from './sessions/session.ts'
export * from './skills/skill.ts'
export { type MergedTeamConfig, mergeTeamConfig } from './teams/config/check.ts'
export { MANAGED_LEAD_DEFAULTS, TEAM_CONFIG_DEFAULTS } from './teams/config/defaults.ts'
export { agentsOfTeam, type TeamAgent, type TeamRole } from './teams/config/team-agents.ts'
export * from './teams/config/team-config.ts'
export * from './teams/team.ts'
export { MAX_LISTED_TOOLS } from './tools/test-tool.ts'
export type { UsageDimension } from './usage/usage-dimension.ts'
export { requirePlainUtf8 } from './validation/body-encoding.ts'
export { changedNumberFault, changedNumbers, isLimitOfSchema } from './validation/changed-numbers.ts'
export {
  compareDecimals,
  type Decimal,
  decimalOf,
  isKeptByDouble,
  isNumberAsText,
} from './validation/decimal.ts'
export { decodeUtf8, MAX_BODY_BYTES, parseJsonBody } from './validation/json-body.ts'
export * from './validation/parse-json.ts'
export type { RequestHeaders } from './validation/request-headers.ts'
export {
  type NumberNotation,
  notationOf,
  POINT_NOTATION,
  readTypedNumber,
} from './validation/typed-number.ts'
export { type Checked, type Validate, validator, validatorOf } from './validation/validator.ts'
export { type CompleteVoiceSettings, completeVoiceSettings } from './voice/complete-voice-settings.ts'
export { CreateCallBody, OutboundCall } from './voice/create-call.ts'
export { E164 } from './voice/e164.ts'
export { VoiceAgent } from './voice/voice-agent.ts'
export * from './voice/voice-providers.ts'
export { VoiceSettings } from './voice/voice-settings.ts'
export * from './workflows/definition/schedule.ts'
export * from './workflows/definition/workflow.ts'
export * from './workflows/workflow-run.ts'
