/** The address of a webhook. */
export function webhookUrl(publicUrl: string, workflowId: string, token: string): string {
  return `${publicUrl}/api/v1/workflows/${workflowId}/trigger/${token}`
}
