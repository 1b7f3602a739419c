export type { SignInPlace } from './account/sign-ins.ts'
export type {
  ApiKey,
  CreateApiKeyBody,
  NewApiKey,
  RotateApiKeyBody,
  UpdateApiKeyBody,
} from './api-keys/api-key.ts'
export type { AuditedChange } from './audit/list-audit.ts'
export type { NamedBudget } from './budgets/operations.ts'
export type {
  ConnectionBody,
  ConnectionTest,
  CreateLlmConfigurationBody,
  LlmConfiguration,
  ProviderForm,
  TestLlmConfigurationBody,
  UpdateLlmConfigurationBody,
} from './llm-configurations/llm-configuration.ts'
export type { Invitation, Member } from './members/member.ts'
export { configurationQuery, KeysetPage, keysetQuery } from './operation/lists.ts'
export {
  BUILDER_OPERATIONS,
  type BuilderOperationId,
  DEPLOYMENT_OPERATIONS,
  PERSON_OPERATIONS,
} from './operations.ts'
export type { CreateOrganizationBody } from './organization/create-organization.ts'
export type { Organization, UpdateOrganizationBody } from './organization/organization.ts'
export type { CreateProjectBody, Project, ProjectContents, UpdateProjectBody } from './projects/project.ts'
export type { BuilderSession } from './session/session.ts'
