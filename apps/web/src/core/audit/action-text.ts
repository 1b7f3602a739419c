import { auditActionWords } from '../messages/en/settings/audit-actions.ts'

const TEXTS = new Map<string, string>(Object.entries(auditActionWords))

/** What an action of the audit log did, in words; an action that this build does not know keeps its name. */
export function actionText(action: string): string {
  return TEXTS.get(action) ?? action
}
