import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { WorkflowRunId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { PinParams, WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'

const handles = Nullable(
  Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: 200,
    description: 'The handles that the step takes; null: its only one.',
  }),
)

const Pin = Type.Object({
  nodeId: Type.String(),
  output: Type.Unknown({
    description:
      'Secrets are replaced, and values truncated to 64 K characters; tests use the whole value. Of a trigger: its sample values, whole.',
  }),
  handles,
  fromRunId: Nullable(
    Uuid<WorkflowRunId>({ description: 'The run that it was taken from; null: it was typed.' }),
  ),
  inputHash: Type.String({
    description:
      'Hash of the upstream steps when it was pinned: a different one today means that it is older than its input.',
  }),
  isOlder: Type.Boolean({ description: 'A step before it was changed since it was pinned.' }),
  updatedAt: IsoTimestamp(),
})
export type Pin = Static<typeof Pin>

const SetPinBody = Type.Object({
  output: Type.Optional(
    Type.Unknown({
      description:
        'Any JSON of at most 1 MB; of a Loop a list. Of a trigger with fields: an object of sample values by their names, of at most 256 KB, without passwords.',
    }),
  ),
  handles: Type.Optional(handles),
  fromRunId: Type.Optional(
    Uuid<WorkflowRunId>({
      description: 'In place of `output`: a run of this workflow in which the step has completed.',
    }),
  ),
  path: Type.Optional(
    Type.String({ maxLength: 2_000, description: 'The iteration in that run; absent: the root.' }),
  ),
})
export type SetPinBody = Static<typeof SetPinBody>

const common = { tag: 'Workflows', access: 'builder' } as const
const PATH = `${WORKFLOW_PATH}/pins` as const
const ONE = `${PATH}/{nodeId}` as const

export const listPinsForBuilder = defineOperation({
  ...common,
  id: 'listPins',
  method: 'GET',
  path: PATH,
  summary: 'List the pinned outputs of the draft',
  needs: 'read',
  params: WorkflowPathParams,
  success: {
    status: 200,
    description: 'Of steps of the draft.',
    body: Type.Object({ data: Type.Array(Pin) }),
  },
  errors: ['workflow_not_found'],
})

export const setPinForBuilder = defineOperation({
  ...common,
  id: 'setPin',
  method: 'PUT',
  path: ONE,
  summary: 'Pin an output to a step of the draft',
  description:
    'Tests with `seeds.usePins` use it instead of running the step; runs of callers never do. It is deleted with its step, and follows it to another id. ' +
    'A workflow has 100 pins of 4 MB at most. For an HTTP Request or Form Trigger it stores the sample values of its fields: ' +
    'the builder starts tests and fills snippets with them, and no run uses them automatically.',
  needs: 'build',
  params: PinParams,
  body: SetPinBody,
  success: { status: 200, description: 'The pin.', body: Pin },
  errors: ['validation_error', 'workflow_not_found', 'run_not_found'],
})

export const removePinForBuilder = defineOperation({
  ...common,
  id: 'removePin',
  method: 'DELETE',
  path: ONE,
  summary: 'Remove the pinned output of a step',
  description: 'The response is the same if there is none.',
  needs: 'build',
  params: PinParams,
  success: { status: 204, description: 'The step has no pin.', body: Type.Null() },
  errors: ['workflow_not_found'],
})
