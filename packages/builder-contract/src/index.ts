export { configurationQuery, KeysetPage, keysetQuery } from './operation/lists.ts'
export { BUILDER_OPERATIONS, type BuilderOperationId, PERSON_OPERATIONS } from './operations.ts'
export type { Organization } from './organization/get-organization.ts'
export type { BuilderSession } from './session/session.ts'
