import type { Database, DueApprovalNotice } from '@troupe/storage'
import type { DecisionLinks } from '../decision-links/decision-links.ts'
import { noticeMail } from './notice-texts.ts'
import type { NoticeSource } from './notifier.ts'

/** The notices of tool calls that wait for an approval. */
export function approvalNoticeSource(
  approvals: Pick<Database['approvals'], 'takeDueNotices' | 'noticed'>,
  links: DecisionLinks,
): NoticeSource<DueApprovalNotice> {
  return {
    name: 'approval',
    idOf: ({ approvalId }) => approvalId,
    take: (leaseSeconds) => approvals.takeDueNotices(leaseSeconds),
    noticed: ({ approvalId }, left) => approvals.noticed(approvalId, left),
    linkOf: ({ approvalId, sealedLink }) => links.url(approvalId, sealedLink),
    mailOf: ({ approvalId, toolName, agentName, expiresAt }, link, to) =>
      noticeMail(
        { id: approvalId, title: `Allow the call to ${toolName}?`, askedBy: agentName, expiresAt },
        link,
        to,
      ),
    call: () => Promise.reject(new Error('approvals are notified by e-mail only')),
  }
}
