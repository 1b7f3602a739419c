import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { TestCaseId, WorkflowRunId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { AcceptedWorkflowRun } from '../../workflows/workflow-run.ts'
import { TestCaseParams, WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'
import { draftRevision } from './save-draft.ts'

/** Maximum test cases of a workflow. */
export const MAX_TEST_CASES = 50

const CaseName = Type.String({ minLength: 1, maxLength: 128 })

/** The ends of a run that a test case can expect. */
const ExpectedStatus = Choice(['completed', 'failed', 'loop_limit_reached', 'policy_blocked'])

const ExpectedOutput = Nullable(
  Type.Object(
    {
      kind: Choice(['equals', 'contains'], {
        description:
          'contains: a text within a text, the named fields of an object, the items of a list in their order.',
      }),
      value: Type.Unknown({ description: 'Any JSON of at most 64 KB.' }),
    },
    { description: 'null: the output is not compared.' },
  ),
)

const Expectation = Type.Object({ status: ExpectedStatus, output: ExpectedOutput })
export type Expectation = Static<typeof Expectation>

/** The outcome of the newest test of a case. */
const CaseResult = Type.Object({
  runId: Uuid<WorkflowRunId>(),
  verdict: Choice(['passed', 'failed', 'running', 'unknown'], {
    description: 'unknown: its run was deleted before its end was read.',
  }),
  runStatus: Nullable(Type.String({ description: 'null: the run is deleted.' })),
  isCurrent: Type.Boolean({ description: 'It tested exactly this draft with exactly this case.' }),
  differences: Type.Array(
    Type.Object({
      path: Type.String({ description: '`status`, or below the output: `output.reply`.' }),
      expected: Type.String({ description: 'JSON, truncated to 200 characters.' }),
      actual: Type.String({ description: 'JSON with secrets replaced, truncated to 200 characters.' }),
    }),
    { description: 'The first 20.' },
  ),
  startedAt: IsoTimestamp(),
})
export type TestCaseResult = Static<typeof CaseResult>

export const TestCase = Type.Object({
  testCaseId: Uuid<TestCaseId>(),
  name: Type.String(),
  triggerNodeId: Nullable(Type.String({ description: 'null: the first trigger that people can start.' })),
  mocks: Type.Array(
    Type.Object({
      nodeId: Type.String(),
      path: Type.String({ description: 'Empty, or the iteration: `loop1[3]`.' }),
    }),
    { description: 'Steps that use their result from the run that the case was made from.' },
  ),
  expect: Expectation,
  blocking: Type.Boolean({ description: 'The draft is published only when the case has passed for it.' }),
  version: Type.Integer(),
  fromRunId: Nullable(Uuid<WorkflowRunId>()),
  result: Nullable(CaseResult),
  updatedAt: IsoTimestamp(),
})
export type TestCase = Static<typeof TestCase>

/** A test case with its payload. */
export const TestCaseDetails = Type.Object({
  ...TestCase.properties,
  payload: Type.Unknown({
    description:
      'The value of `{{ trigger }}`. Secrets are replaced, and it is truncated to 64 K characters.',
  }),
})
export type TestCaseDetails = Static<typeof TestCaseDetails>

const CreateTestCaseBody = Type.Object({
  fromRunId: Uuid<WorkflowRunId>({ description: 'An ended run of this workflow, of production or a test.' }),
  name: Type.Optional(CaseName),
  blocking: Type.Optional(Type.Boolean()),
})
export type CreateTestCaseBody = Static<typeof CreateTestCaseBody>

const UpdateTestCaseBody = Type.Object({
  version: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'The revision that the change was made from.',
  }),
  name: Type.Optional(CaseName),
  payload: Type.Optional(
    Type.Unknown({
      description: 'Any JSON of at most 1 MB; absent: the stored one is kept, with its secrets.',
    }),
  ),
  expect: Type.Optional(Expectation),
  blocking: Type.Optional(Type.Boolean()),
  removeMocks: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 1_000,
      description: 'Steps that are executed again in place of taking a stored result.',
    }),
  ),
})
export type UpdateTestCaseBody = Static<typeof UpdateTestCaseBody>

const common = { tag: 'Workflows', access: 'builder' } as const
const PATH = `${WORKFLOW_PATH}/test-cases` as const
const ONE = `${PATH}/{testCaseId}` as const

export const listTestCasesForBuilder = defineOperation({
  ...common,
  id: 'listTestCases',
  method: 'GET',
  path: PATH,
  summary: 'List the test cases of a workflow',
  needs: 'read',
  params: WorkflowPathParams,
  success: {
    status: 200,
    description: 'All of them by name, with the outcomes of their newest tests.',
    body: Type.Object({ data: Type.Array(TestCase) }),
  },
  errors: ['workflow_not_found'],
})

export const getTestCaseForBuilder = defineOperation({
  ...common,
  id: 'getTestCase',
  method: 'GET',
  path: ONE,
  summary: 'Read a test case',
  needs: 'read',
  params: TestCaseParams,
  success: { status: 200, description: 'The case with its payload.', body: TestCaseDetails },
  errors: ['workflow_not_found', 'test_case_not_found'],
})

export const createTestCaseForBuilder = defineOperation({
  ...common,
  id: 'createTestCase',
  method: 'POST',
  path: PATH,
  summary: 'Make a test case from a run',
  description:
    'The case starts with the input of the run, steps with effects take their results from it, and it expects the ' +
    'same end and output. A workflow has 50 cases at most.',
  needs: 'build',
  params: WorkflowPathParams,
  body: CreateTestCaseBody,
  success: { status: 201, description: 'The case.', body: TestCase },
  errors: ['validation_error', 'workflow_not_found', 'run_not_found', 'not_finished'],
})

export const updateTestCaseForBuilder = defineOperation({
  ...common,
  id: 'updateTestCase',
  method: 'PUT',
  path: ONE,
  summary: 'Change a test case',
  description: 'Absent fields are unchanged. A changed case has to pass again before it permits a publish.',
  needs: 'build',
  params: TestCaseParams,
  body: UpdateTestCaseBody,
  success: { status: 200, description: 'The case.', body: TestCase },
  errors: ['validation_error', 'workflow_not_found', 'test_case_not_found', 'version_conflict'],
})

export const deleteTestCaseForBuilder = defineOperation({
  ...common,
  id: 'deleteTestCase',
  method: 'DELETE',
  path: ONE,
  summary: 'Delete a test case',
  needs: 'build',
  params: TestCaseParams,
  success: { status: 204, description: 'The case is deleted.', body: Type.Null() },
  errors: ['workflow_not_found', 'test_case_not_found'],
})

export const runTestCaseForBuilder = defineOperation({
  ...common,
  id: 'runTestCase',
  method: 'POST',
  path: `${ONE}/run`,
  summary: 'Test the draft with a test case',
  description:
    'Starts a test of the whole draft. Read the list of cases for the verdict. Tools with effects answer `denied: this is a test`.',
  needs: 'build',
  params: TestCaseParams,
  body: Type.Object({ draftRevision }),
  success: { status: 202, description: 'The test is stored.', body: AcceptedWorkflowRun },
  errors: [
    'validation_error',
    'workflow_not_found',
    'test_case_not_found',
    'draft_conflict',
    'seed_missing',
    'too_many_tests',
    'concurrency_limit_reached',
    'execution_create_failed',
  ],
})
