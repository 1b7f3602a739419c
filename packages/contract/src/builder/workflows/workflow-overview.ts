import { type Static, Type } from 'typebox'
import { ChangedBy } from '../../errors/error-body.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, UnixSeconds, Uuid } from '../../schema/formats.ts'
import type { WorkflowRunId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { TRIGGER_TYPES, Workflow, WorkflowSummary } from '../../workflows/definition/workflow.ts'
import { weekOfRuns } from '../versions/week-of-runs.ts'

const FAILED = 'Failed, stopped by a limit, or rejected.'

const overview = {
  ...WorkflowSummary.properties,
  slug: Nullable(Type.String({ description: 'In bundles; null: made in the builder.' })),
  projectName: Nullable(Type.String()),
  publishedNumber: Nullable(Type.Integer({ description: 'Of the version that callers run.' })),
  isDraftPublished: Type.Boolean({ description: 'Whether callers run exactly the draft.' }),
  triggers: Type.Array(Choice(TRIGGER_TYPES), {
    description: 'Of the published graph, or of the draft while nothing is published; each type once.',
  }),
  nextFireAt: Nullable(IsoTimestamp({ description: 'The next fire of any of its schedules.' })),
  lastRunAt: Nullable(UnixSeconds()),
  runs24h: Type.Object(
    {
      ok: Type.Integer({ description: 'Completed.' }),
      failed: Type.Integer({ description: FAILED }),
    },
    { description: 'At most 10,000 of each are counted.' },
  ),
  runs7d: weekOfRuns(FAILED),
  lastFailure: Nullable(
    Type.Object({
      executionId: Uuid<WorkflowRunId>(),
      error: Nullable(Type.String()),
      createdAt: UnixSeconds(),
    }),
  ),
  updatedBy: Nullable(ChangedBy),
}

/** A workflow in a list: its triggers, the outcomes of its runs, and its last author. */
export const WorkflowOverviewItem = Type.Object(overview)
export type WorkflowOverviewItem = Static<typeof WorkflowOverviewItem>

/** A workflow with its draft. */
export const BuilderWorkflow = Type.Object({
  ...overview,
  draft: Workflow.properties.draft,
  form: Nullable(
    Type.Object(
      { url: Type.String(), published: Type.Boolean() },
      { description: 'null: no form was ever published.' },
    ),
  ),
})
export type BuilderWorkflow = Static<typeof BuilderWorkflow>
