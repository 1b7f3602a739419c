import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Choice } from '../schema/choice.ts'
import { Page, pageQuery } from '../schema/page.ts'
import { APPROVAL_STATUSES, Approval } from './approval.ts'

export const listApprovalsOperation = defineOperation({
  id: 'listApprovals',
  method: 'GET',
  path: '/api/v1/approvals',
  tag: 'Approvals',
  summary: 'List approvals of tool calls',
  access: 'api_key',
  query: Type.Object({ ...pageQuery, status: Type.Optional(Choice(APPROVAL_STATUSES)) }),
  success: { status: 200, description: 'One page of approvals, newest first.', body: Page(Approval) },
  errors: ['validation_error'],
})
