import { expect, test } from 'vitest'
import { ERRORS, type ErrorCode, statusOf } from '../operation/error-codes.ts'
import { COMMON_ERRORS, EDGE_ERRORS, type Operation } from '../operation/operation.ts'
import { OPERATIONS, OPERATOR_OPERATIONS, TRIGGER_OPERATIONS } from '../operations.ts'

const operations: Operation[] = [
  ...Object.values(OPERATIONS),
  ...Object.values(TRIGGER_OPERATIONS),
  ...Object.values(OPERATOR_OPERATIONS),
]
const codes = Object.keys(ERRORS) as ErrorCode[]

test.for(codes)('%s has an error status and a sentence', (code) => {
  expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
  expect(statusOf(code)).toBe(ERRORS[code].status)
  expect(statusOf(code)).toBeGreaterThanOrEqual(400)
  expect(statusOf(code)).toBeLessThan(600)
  expect(ERRORS[code].description).toMatch(/^[A-Z].*\.$/)
})

test('the statuses are those of the specification’s error table', () => {
  expect(ERRORS).toMatchObject({
    unauthorized: { status: 401 },
    rate_limit_exceeded: { status: 429 },
    validation_error: { status: 400 },
    project_not_found: { status: 422 },
    llm_configuration_not_found: { status: 422 },
    forbidden: { status: 403 },
    agent_not_found: { status: 404 },
    team_not_found: { status: 404 },
    job_not_found: { status: 404 },
    run_not_found: { status: 404 },
    bad_gateway: { status: 502 },
    upstream_error: { status: 502 },
    execution_timeout: { status: 504 },
  })
})

/**
 * Returned by operations that have no public route yet. Agents are archived only in bundles, which report the code as a
 * problem. Teams, workflows, budgets and members are changed in the builder. Links in mails lead to pages.
 */
const WITHOUT_ROUTE: readonly ErrorCode[] = [
  'agent_in_use',
  'team_in_use',
  'draft_conflict',
  'budget_not_found',
  'member_not_found',
  'invitation_not_found',
  'last_owner',
  'already_member',
  'account_exists',
  'password_reset_not_found',
  // Returned by the builder's API, whose operations are in packages/contract/src/builder.
  'wrong_credentials',
  'version_not_found',
  'api_key_not_found',
  'sign_in_not_found',
  'delivery_not_found',
  'audit_entry_not_found',
  'upload_not_found',
  'phone_trunk_not_found',
  'phone_number_not_found',
  'version_conflict',
  'id_taken',
  'slug_taken',
  'project_in_use',
  'llm_configuration_in_use',
  'seed_missing',
  'too_many_tests',
  'listener_not_found',
  'test_case_not_found',
  'tests_not_passed',
  // Returned in the format of OpenAI's API, whose routes belong to no operation.
  'model_not_found',
]

test('no code is an orphan: an operation, every operation or the edge can answer it', () => {
  const used = new Set<string>([
    ...operations.flatMap((operation) => operation.errors),
    ...Object.values(COMMON_ERRORS).flat(),
    ...EDGE_ERRORS,
    ...WITHOUT_ROUTE,
  ])
  expect(codes.filter((code) => !used.has(code))).toEqual([])
})
