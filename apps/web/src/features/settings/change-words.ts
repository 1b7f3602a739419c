import { AUDITED_KINDS } from '@troupe/contract'
import type { AuditedChange } from '@troupe/contract/builder'
import { actionText } from '../../core/audit/action-text.ts'
import { authorFirst } from '../../core/labels/author-name.ts'
import { auditWords as words } from '../../core/messages/en/settings/audit.ts'

/** The words of a change: its author, its resource, the resource's kind, and its action. */
export const whoOf = ({ actor }: AuditedChange) => authorFirst(actor)
export const whatOf = ({ entity }: AuditedChange) => entity.name ?? kindOf(entity)
export const kindOf = ({ kind }: AuditedChange['entity']) => {
  const known = AUDITED_KINDS.find((one) => one === kind)
  return known ? words.kinds[known] : kind
}
export const actionOf = ({ action }: AuditedChange) => actionText(action)
