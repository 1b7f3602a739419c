import type { WorkflowVersion } from '@troupe/contract'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import { LabelDialog, type VersionWords } from '../../../parts/versions/label-dialog.tsx'

export type DescribedVersion = Pick<WorkflowVersion, 'workflowId' | 'versionId' | 'number' | 'label' | 'note'>

/** The label and the note of a version; its graph never changes. */
export function DescribeVersionDialog({ version, onClose }: { version: DescribedVersion; onClose(): void }) {
  const { workflowId, versionId } = version
  const describe = useChange('describeWorkflowVersion', {
    refreshes: ['listWorkflowVersions', 'listWorkflowTimeline'],
  })
  const run = async (body: VersionWords) =>
    (await describe.run({ params: { workflowId, versionId }, body })) !== null
  return (
    <LabelDialog
      version={version}
      longest={{ label: 128, note: 10_000 }}
      save={{ ...describe, run }}
      onClose={onClose}
    />
  )
}
