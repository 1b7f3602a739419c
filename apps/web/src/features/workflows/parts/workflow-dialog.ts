import type { BuilderWorkflow } from '@troupe/builder-contract'

/** A question about a workflow. */
export interface WorkflowDialogProps<Of = BuilderWorkflow> {
  workflow: Of
  onClose(): void
}
