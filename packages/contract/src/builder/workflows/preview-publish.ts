import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { Expose } from '../../schema/expose.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { AgentId, TestCaseId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { Workflow, WorkflowFinding } from '../../workflows/definition/workflow.ts'
import { WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'

const tokenUse = {
  nodeId: Type.String(),
  name: Type.String({ description: 'Of the step.' }),
  path: Type.String({ description: 'Below the node: `config.rows.0.value`.' }),
  token: Type.String({ description: '`{{ trigger.body.email }}`' }),
}
const TokenUses = Type.Array(Type.Object(tokenUse))

const OutputEnds = Type.Array(
  Type.Object({
    nodeId: Type.String(),
    name: Type.String(),
    fields: Type.Array(
      Type.Object({
        path: Type.String({ description: 'Below the output of the step.' }),
        type: Nullable(Type.String({ description: 'A type of JSON Schema; null: any.' })),
      }),
      { description: 'As far as the settings say; empty: any value.' },
    ),
  }),
  { description: 'The last steps. A single one is the output of the run; several are keyed by their ids.' },
)

const FormAccess = Nullable(
  Type.Object({
    mode: Choice(['none', 'basic', 'service-login']),
    username: Nullable(Type.String({ description: 'With `basic`: the user name that visitors type.' })),
  }),
)

/** The differences that turn the published graph into the draft. */
const Difference = Type.Object({
  nodes: Type.Array(
    Type.Object({
      change: Choice(['added', 'removed', 'changed']),
      nodeId: Type.String(),
      name: Type.String(),
      type: Type.String(),
      fields: Type.Array(
        Type.Object({
          path: Type.String({ description: 'Below the node: `config.rows.0.value`.' }),
          before: Type.Unknown(),
          after: Type.Unknown(),
        }),
      ),
    }),
  ),
  edges: Type.Array(
    Type.Object({
      change: Choice(['added', 'removed']),
      source: Type.String(),
      sourceHandle: Type.String(),
      target: Type.String(),
    }),
  ),
  moved: Type.Array(Type.String(), { description: 'Nodes that were only moved on the canvas.' }),
  expose: Nullable(
    Type.Object(
      { before: Expose, after: Expose },
      { description: 'How the workflow is offered besides its triggers; null: the same in both.' },
    ),
  ),
  tokens: Type.Object(
    {
      gained: TokenUses,
      lost: TokenUses,
      broken: Type.Array(
        Type.Object({
          ...tokenUse,
          severity: Choice(['error', 'warning']),
          message: Type.String({ description: '`there is no step classify`' }),
        }),
        { description: 'Tokens that fail, or may fail, and did not before.' },
      ),
      more: Type.Integer({ description: 'Tokens that are not listed: each list has at most 200.' }),
    },
    { description: 'Values that steps read in only one of the two graphs.' },
  ),
  output: Nullable(
    Type.Object(
      { before: OutputEnds, after: OutputEnds },
      { description: 'The shape of the answers of runs; null: the same in both.' },
    ),
  ),
  form: Nullable(
    Type.Object(
      {
        fields: Type.Array(
          Type.Object({
            field: Type.String(),
            label: Type.String(),
            change: Choice(['added', 'removed', 'required', 'optional', 'type', 'label']),
          }),
        ),
        access: Type.Object(
          { before: FormAccess, after: FormAccess },
          { description: 'The access to the form; null: there is none.' },
        ),
      },
      { description: 'The differences for visitors of the form; null: none.' },
    ),
  ),
})

const fires = Type.Array(IsoTimestamp(), { description: 'The next five fires.' })

/** The consequences of publishing the draft. */
export const PublishPreview = Type.Object({
  draftRevision: Type.Integer({ description: 'Send it with the publish: another draft is then refused.' }),
  publishedGraph: Nullable(Workflow.properties.draft),
  difference: Nullable(Difference),
  findings: Type.Array(WorkflowFinding),
  triggers: Type.Object({
    webhookUrl: Nullable(Type.String({ description: 'null: this publish makes it.' })),
    formUrl: Nullable(Type.String({ description: 'null: no form, or this publish makes its address.' })),
    formPassword: Choice(['none', 'optional', 'required'], {
      description:
        'Whether the form requires a password, and whether a new one must be sent with the publish.',
    }),
    unchanged: Type.Boolean({ description: 'Whether every address is kept and none becomes unreachable.' }),
  }),
  schedules: Type.Array(Type.Object({ nodeId: Type.String(), before: fires, after: fires })),
  inFlight: Type.Array(
    Type.Object({ versionNumber: Type.Integer(), status: Type.String(), count: Type.Integer() }),
    { description: 'Runs that finish on their own version.' },
  ),
  contract: Type.Array(
    Type.Object({
      field: Type.String(),
      change: Choice(['added', 'removed', 'required', 'optional', 'type']),
      required: Type.Boolean({ description: 'Whether callers must send it from now on.' }),
      callsLacking: Nullable(
        Type.Integer({
          description:
            'Calls of the last seven days that lacked a newly required field, of at most 10,000; null: it is not newly required.',
        }),
      ),
    }),
    { description: 'Changes of the declared fields of the HTTP Request trigger.' },
  ),
  callers: Type.Array(
    Type.Object({
      agentId: Uuid<AgentId>(),
      name: Type.String(),
      breaks: Type.Array(
        Type.Object({
          part: Choice(['payload', 'output']),
          field: Type.String({ description: 'Of the payload; a path below the output of the run.' }),
          change: Choice(['removed', 'type']),
          where: Choice(['approval', 'binding', 'description', 'instructions'], {
            description:
              'The place that names the field: the condition of an approval, a bound parameter or the description of the tool, or the instructions.',
          }),
          tool: Nullable(
            Type.String({ description: 'The name of the tool; null: it has none, or instructions.' }),
          ),
        }),
        { description: 'Fields that the draft removes or changes; empty: none is used.' },
      ),
    }),
    { description: 'Agents with this workflow as a tool, by name, at most 100.' },
  ),
  tests: Type.Array(
    Type.Object({ testCaseId: Uuid<TestCaseId>(), name: Type.String(), message: Type.String() }),
    {
      description: 'Blocking test cases that have not passed for exactly this draft, and why.',
    },
  ),
})
export type PublishPreview = Static<typeof PublishPreview>

export const previewPublishForBuilder = defineOperation({
  id: 'previewPublish',
  method: 'GET',
  path: `${WORKFLOW_PATH}/publish-preview`,
  tag: 'Workflows',
  summary: 'Preview the consequences of publishing the draft',
  access: 'builder',
  needs: 'build',
  params: WorkflowPathParams,
  success: { status: 200, description: 'Nothing was written.', body: PublishPreview },
  errors: ['workflow_not_found'],
})
