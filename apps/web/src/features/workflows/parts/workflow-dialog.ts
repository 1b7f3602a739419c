import type { BuilderWorkflow } from '@troupe/contract/builder'

/** A question about a workflow. */
export interface WorkflowDialogProps<Of = BuilderWorkflow> {
  workflow: Of
  onClose(): void
}
