/**
 * Every error code of the API with its HTTP status. The code that raises an error writes its message; `description`
 * is the text of the reference page.
 */
export const ERRORS = {
  validation_error: { status: 400, description: 'The request is not valid; `errors` names every failure.' },
  empty_graph: { status: 400, description: 'The graph behind the form has nothing to run.' },
  wrong_direction: { status: 400, description: 'The trunk is an inbound trunk.' },
  trunk_not_provisioned: {
    status: 400,
    description: 'The trunk is not active or has not finished provisioning.',
  },
  phone_number_missing_voice_config: {
    status: 400,
    description: 'The phone number has no voice configuration, or its agent is archived.',
  },
  unauthorized: {
    status: 401,
    description: 'The API key is missing, malformed, invalid, expired or revoked.',
  },
  wrong_credentials: { status: 401, description: 'The e-mail address or the password is wrong.' },
  forbidden: {
    status: 403,
    description:
      'The resource belongs to a different project than the key, or the role of the member lacks the permission.',
  },
  not_a_reviewer: {
    status: 403,
    description: 'The caller is not a reviewer of this review; the message says why.',
  },
  budget_required: {
    status: 403,
    description: 'The organization has no budget of voice minutes, without which no call is placed.',
  },
  not_found: { status: 404, description: 'Route not found.' },
  agent_not_found: { status: 404, description: 'Agent not found in the organization.' },
  team_not_found: { status: 404, description: 'Team not found in the organization.' },
  model_not_found: {
    status: 404,
    description: 'No agent or team of this id or name; only for OpenAI-compatible requests.',
  },
  workflow_not_found: { status: 404, description: 'Workflow not found in the organization.' },
  job_not_found: { status: 404, description: 'Job not found.' },
  budget_not_found: { status: 404, description: 'Budget not found in the organization.' },
  review_not_found: { status: 404, description: 'Review not found.' },
  approval_not_found: { status: 404, description: 'Approval not found in the organization.' },
  member_not_found: { status: 404, description: 'Member not found in the organization.' },
  invitation_not_found: {
    status: 404,
    description: 'Invitation not found: it was accepted, was withdrawn or has expired.',
  },
  account_not_found: { status: 404, description: 'No account has this e-mail address.' },
  password_reset_not_found: {
    status: 404,
    description: 'Password reset not found: it was used or replaced, or has expired.',
  },
  form_not_found: { status: 404, description: 'No published form has this token.' },
  organization_not_found: { status: 404, description: 'Organization not found.' },
  knowledge_base_not_found: { status: 404, description: 'Knowledge base not found in the organization.' },
  document_not_found: { status: 404, description: 'Document not found in the knowledge base.' },
  session_not_found: { status: 404, description: 'Session not found in the organization.' },
  memory_not_found: { status: 404, description: 'Memory not found in the organization.' },
  mcp_server_not_found: { status: 404, description: 'MCP server not found in the organization.' },
  phone_trunk_not_found: { status: 404, description: 'Trunk not found in the organization.' },
  phone_number_not_found: { status: 404, description: 'Phone number not found in the organization.' },
  skill_not_found: { status: 404, description: 'Skill not found in the organization.' },
  version_not_found: { status: 404, description: 'Version not found.' },
  api_key_not_found: { status: 404, description: 'API key not found in the organization.' },
  sign_in_not_found: { status: 404, description: 'Sign-in not found for this person.' },
  delivery_not_found: { status: 404, description: 'Webhook delivery not found in the workflow.' },
  audit_entry_not_found: { status: 404, description: 'Row not found in the audit log of the organization.' },
  listener_not_found: {
    status: 404,
    description: 'Listener not found in the workflow: it was stopped, or has expired.',
  },
  test_case_not_found: { status: 404, description: 'Test case not found in the workflow.' },
  upload_not_found: { status: 404, description: 'Uploaded file not found in the organization.' },
  run_not_found: { status: 404, description: 'Run not found.' },
  voice_configuration_not_found: {
    status: 404,
    description: 'The agent has no voice configuration, or is archived.',
  },
  method_not_allowed: { status: 405, description: 'The route does not have this method; see `Allow`.' },
  request_timeout: { status: 408, description: 'The request did not arrive in time.' },
  agent_archived: { status: 409, description: 'The agent is archived and cannot run.' },
  agent_in_use: {
    status: 409,
    description:
      'The agent is used by a team, a published workflow, an agent or a number; the message names it.',
  },
  team_in_use: { status: 409, description: 'A published workflow uses the team; the message names it.' },
  in_use: { status: 409, description: 'Something uses the resource; the message names it.' },
  last_owner: { status: 409, description: 'An organization keeps at least one active owner.' },
  already_member: { status: 409, description: 'The person already belongs to the organization.' },
  account_exists: { status: 409, description: 'The e-mail address already has an account.' },
  draft_conflict: {
    status: 409,
    description: 'The draft was changed since it was read; the message has its revision.',
  },
  version_conflict: {
    status: 409,
    description: 'The resource was changed since it was read; `current` has its version.',
  },
  id_taken: { status: 409, description: 'Something else already has this id.' },
  slug_taken: { status: 409, description: 'Something else already has this slug.' },
  project_in_use: { status: 409, description: 'The project is not empty; the message names its contents.' },
  llm_configuration_in_use: {
    status: 409,
    description: 'Something uses the LLM configuration; the message names it.',
  },
  run_cancelled: { status: 409, description: 'The run was cancelled before it finished.' },
  workflow_not_published: { status: 409, description: 'The workflow has no active deployment.' },
  not_finished: { status: 409, description: 'The run has not finished yet.' },
  tests_not_passed: {
    status: 409,
    description: 'Blocking test cases have not passed for exactly this draft; the message names them.',
  },
  too_many_tests: {
    status: 409,
    description: 'The person has three tests in flight; `executionId` is the oldest.',
  },
  invalid_state: { status: 409, description: 'The status of the run does not allow this.' },
  review_already_decided: {
    status: 409,
    description: 'The review is decided, or the caller has already approved it; `review` has its state.',
  },
  approval_already_resolved: {
    status: 409,
    description:
      'The approval was decided otherwise, has expired, or its run has ended; the message says which.',
  },
  run_not_active: { status: 409, description: 'The run of the review has ended; the review is withdrawn.' },
  idempotency_conflict: {
    status: 409,
    description: 'The idempotency key was used with another body.',
  },
  payload_too_large: { status: 413, description: 'The body is larger than the limit.' },
  uri_too_long: { status: 414, description: 'The URL is longer than the limit.' },
  unsupported_media_type: {
    status: 415,
    description: 'The body has another media type or encoding than documented.',
  },
  expectation_failed: {
    status: 417,
    description: 'The expectation in the `Expect` header is not supported.',
  },
  seed_missing: { status: 422, description: 'A step of the test needs a result; `errors` names the steps.' },
  project_not_found: { status: 422, description: 'Project not found in the organization.' },
  llm_configuration_not_found: {
    status: 422,
    description: 'The LLM configuration does not exist, is not connected or is not visible here.',
  },
  credential_not_found: {
    status: 422,
    description: 'The credential that a tool names does not exist or is not visible here.',
  },
  model_price_missing: {
    status: 422,
    description: 'A cost budget needs a price for every model, and one has none.',
  },
  unsupported_document: {
    status: 422,
    description: 'The text of this kind of file cannot be read; the message names the kinds that can.',
  },
  file_rejected: {
    status: 422,
    description:
      'The file was not stored because of its extension, its size or the storage; the message names the limit.',
  },
  end_user_ref_must_be_opaque: { status: 422, description: 'The `end_user_ref` contains `@`.' },
  rate_limit_exceeded: {
    status: 429,
    description: 'The organization, the key or the trunk is over its rate limit.',
  },
  budget_exceeded: {
    status: 429,
    description: 'The budget of the run, its project or its organization is used up; the message says which.',
  },
  concurrency_limit_reached: {
    status: 429,
    description:
      'The organization is at its ceiling of concurrent workflow runs, the trunk at its limit of calls, or the server at its limit of voice tests.',
  },
  concurrent_session_limit: { status: 429, description: 'The key already has 5 active voice sessions.' },
  headers_too_large: { status: 431, description: 'The request headers are larger than the limit.' },
  internal_error: { status: 500, description: 'A defect of the server. Search the log for the request id.' },
  execution_create_failed: { status: 500, description: 'The run record could not be created.' },
  bad_gateway: { status: 502, description: 'The runtime could not be reached; nothing was started.' },
  upstream_error: { status: 502, description: 'A started run failed at its model provider.' },
  call_failed: {
    status: 502,
    description:
      'The call was not answered: the message says whether the line was busy, the number wrong, and so on.',
  },
  service_unavailable: {
    status: 503,
    description:
      'The server is starting or stopping, has too many scripts or documents to work on, or cannot reach its database; see `Retry-After`.',
  },
  storage_unavailable: {
    status: 503,
    description: 'The disk of the server is full: reads work, writes are refused.',
  },
  voice_infrastructure_unavailable: {
    status: 503,
    description: 'The media server cannot be reached, or no voice worker is free.',
  },
  execution_timeout: { status: 504, description: 'The run did not finish within 30 seconds.' },
} as const satisfies Record<string, { status: number; description: string }>

/** A public error code. */
export type ErrorCode = keyof typeof ERRORS

/** The HTTP status of a code. */
export function statusOf(code: ErrorCode): number {
  return ERRORS[code].status
}
