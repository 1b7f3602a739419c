import { defineOperation } from '../operation/operation.ts'
import { ApprovalParams, ResolveApprovalBody, ResolvedApproval } from './approval.ts'

export const resolveApprovalOperation = defineOperation({
  id: 'resolveApproval',
  method: 'POST',
  path: '/api/v1/approvals/{approvalId}/resolve',
  tag: 'Approvals',
  summary: 'Approve or reject a tool call',
  description:
    'The first decision is final, and the same decision again has the same response. An approved call is executed once, with the arguments that were shown; for a rejected one the model reads the reason.',
  access: 'api_key',
  params: ApprovalParams,
  body: ResolveApprovalBody,
  success: { status: 200, description: 'The decision is stored.', body: ResolvedApproval },
  errors: ['validation_error', 'approval_not_found', 'forbidden', 'approval_already_resolved'],
})
