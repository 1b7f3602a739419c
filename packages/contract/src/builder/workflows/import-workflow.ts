import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject } from '../../schema/objects.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

const Text = Type.String()
const NodeIds = Type.Array(Text, { description: 'Steps and Notes of the draft.' })

/** The outcome of importing an export of another product. */
const ImportReport = Type.Object({
  rows: Type.Array(
    Type.Object({
      name: Text,
      type: Text,
      outcome: Choice(['step', 'stand_in', 'note', 'part'], {
        description:
          '`step`: an equivalent step. `stand_in`: a step keeps the place, and runs fail at it until it is replaced. `note`: a Note without a place in the flow. `part`: a setting of another node, such as its model.',
      }),
      nodeIds: NodeIds,
      remarks: Type.Array(Text, { description: 'What differs, in sentences.' }),
    }),
    { description: 'One for each node of the export, in its order.' },
  ),
  connections: Type.Array(Type.Object({ from: Text, to: Text, reason: Text }), {
    description: 'Connections of the export that the draft does not have.',
  }),
  choices: Type.Array(
    Type.Object({
      kind: Choice(['agent', 'model', 'credential']),
      nodeId: Nullable(Text),
      name: Text,
      detail: Text,
    }),
    { description: 'Choices that exports do not contain, so a person has to make them.' },
  ),
  remarks: Type.Array(Text, { description: 'Sentences about the workflow as a whole.' }),
})
export type ImportReport = Static<typeof ImportReport>

/** The export of another product as a draft. */
export const ImportedDraft = Type.Object({
  format: Choice(['n8n', 'dify'], { description: 'Recognised by the form of the file.' }),
  name: Text,
  draft: OpenObject({ description: 'A graph, as `createWorkflow` takes it.' }),
  report: ImportReport,
})
export type ImportedDraft = Static<typeof ImportedDraft>

export const importWorkflowForBuilder = defineOperation({
  id: 'importWorkflow',
  method: 'POST',
  path: `${ORGANIZATION_PATH}/workflow-imports`,
  tag: 'Workflows',
  summary: 'Read an export of n8n or Dify as a draft',
  description:
    'Writes nothing: `createWorkflow` stores the draft. Nodes without a counterpart become stand-ins and Notes.',
  access: 'builder',
  needs: 'build',
  params: Type.Object(organizationParams),
  body: Type.Object({
    text: Type.String({
      minLength: 1,
      maxLength: 4_194_304,
      description: 'The file: JSON of n8n, or YAML of Dify.',
    }),
  }),
  success: { status: 200, description: 'The draft, and the outcome for each node.', body: ImportedDraft },
  errors: ['validation_error'],
})
