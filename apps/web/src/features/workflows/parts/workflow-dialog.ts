import type { BuilderWorkflow } from '@troupe/contract/builder'

/** A dialog about a workflow. */
export interface WorkflowDialogProps<Of = BuilderWorkflow> {
  workflow: Of
  onClose(): void
}
