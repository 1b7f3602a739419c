import type { Scope } from '@troupe/agents/ports'
import {
  DomainError,
  type IdText,
  type PublishedWorkflow,
  type PublishWorkflowBody,
  type TestCaseId,
  type WorkflowId,
} from '@troupe/contract'
import { formPasswordFault, type Passwords } from '@troupe/secrets'
import type { Actor, Database, Readers, WorkflowRecord } from '@troupe/storage'
import { whyNotPassed } from '../test-cases/present-test-case.ts'
import { testedDraftOf } from '../test-cases/read-test-cases.ts'
import { type ChangeWorkflowParts, changeWorkflow } from '../workflows/change-workflow.ts'
import { checkGraph, requirePublishable } from '../workflows/check-graph.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import { type GivenFormPassword, hashFormPassword } from '../workflows/given-form-password.ts'
import { presentWorkflow } from '../workflows/present-workflow.ts'
import type { PublishParts } from '../workflows/trigger-publisher.ts'
import { draftConflict } from '../workflows/workflow-errors.ts'
import { publishGraph } from './publish-graph.ts'

/** Dependencies of publishing the draft of a workflow. */
export interface PublishWorkflowParts extends ChangeWorkflowParts, PublishParts {
  database: Pick<Database, 'read' | 'transaction'>
  /** Hashes the passwords of forms. */
  passwords: Pick<Passwords, 'of'>
}

/**
 * Publishes the draft as a version with its deployment; an already published graph creates no version, see
 * `publishGraph`, but stores the label and the note. The returned findings are those that do not block publishing.
 *
 * @throws DomainError `validation_error` listing every error, `workflow_not_found`, `forbidden`, `draft_conflict`, or
 * `tests_not_passed` naming blocking test cases
 * @throws BusyError when too many passwords are being hashed
 */
export async function publishWorkflow(
  parts: PublishWorkflowParts,
  scope: Scope,
  actor: Actor,
  workflowId: IdText<WorkflowId>,
  { draftRevision, formPassword, label, note, ignoreTests = false }: PublishWorkflowBody = {},
): Promise<PublishedWorkflow> {
  const settings =
    formPassword === undefined
      ? {}
      : { formPassword: await givenPassword(parts, scope, workflowId, formPassword) }
  let findings: PublishedWorkflow['findings'] = []
  const change = { workflowId, action: 'workflow.published' } as const
  const workflow = await changeWorkflow(parts, scope, actor, change, async (before, tx) => {
    if (draftRevision !== undefined && draftRevision !== before.draftRevision) {
      throw await draftConflict(tx.read, before)
    }
    const checked = await checkGraph(tx.read, scope, before)
    const graph = requirePublishable(checked)
    findings = checked.findings
    // Cases change under the same lock, and a result names its draft: a case that passed for another draft does not
    // count.
    const open = await openTests(tx.read, before)
    if (open.length > 0 && !ignoreTests) throw testsNotPassed(open)
    const { resources } = checked
    const words = { ...(label !== undefined && { label }), ...(note !== undefined && { note }) }
    const done = await publishGraph(parts, tx, before, {
      graph,
      resources,
      createdBy: actor,
      settings,
      words,
    })
    return open.length === 0 ? done : { ...done, also: { ignoredTests: open.map(({ name }) => name) } }
  })
  return { workflow: presentWorkflow(workflow), findings }
}

/**
 * The blocking test cases that have not passed for exactly this draft, with the reason, according to the stored
 * verdicts (`test-cases/settle-test-cases.ts`).
 */
export async function openTests(
  { testCases }: Pick<Readers, 'testCases'>,
  workflow: WorkflowRecord,
): Promise<{ testCaseId: TestCaseId; name: string; message: string }[]> {
  const cases = await testCases.list(workflow.organizationId, workflow.id)
  const draft = testedDraftOf(workflow)
  return cases.flatMap((one) => {
    const message = one.blocking ? whyNotPassed(one, draft) : null
    return message === null ? [] : [{ testCaseId: one.id, name: one.name, message }]
  })
}

function testsNotPassed(open: Awaited<ReturnType<typeof openTests>>): DomainError {
  const [first, ...others] = open
  const more = others.length === 0 ? '' : ` The same applies to ${others.length} more.`
  return new DomainError('tests_not_passed', `The test case “${first?.name}” ${first?.message}.${more}`, {
    errors: open.map(({ testCaseId, name, message }) => ({
      path: `tests.${testCaseId}`,
      message: `“${name}” ${message}`,
    })),
  })
}

/** Hashing takes place before the organization is locked, and only after the caller's access was checked. */
async function givenPassword(
  { database: { read }, passwords }: PublishWorkflowParts,
  scope: Scope,
  workflowId: IdText<WorkflowId>,
  text: string,
): Promise<GivenFormPassword> {
  const { organizationId, id } = await findWorkflow(read.workflows.byId, scope, workflowId)
  const fault = formPasswordFault(text)
  if (fault !== null) {
    throw new DomainError('validation_error', 'The workflow cannot be published.', {
      errors: [{ path: 'form.password', message: fault }],
    })
  }
  const stored = await read.forms.settings(organizationId, id)
  return hashFormPassword(passwords.of(organizationId), text, stored?.credentials?.passwordHash ?? null)
}
