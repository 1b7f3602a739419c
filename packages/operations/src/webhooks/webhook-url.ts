import type { IdText, WorkflowId } from '@troupe/contract'
/** The address of a webhook. */
export function webhookUrl(publicUrl: string, workflowId: IdText<WorkflowId>, token: string): string {
  return `${publicUrl}/api/v1/workflows/${workflowId}/trigger/${token}`
}
