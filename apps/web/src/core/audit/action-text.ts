import { auditActionWords } from '../messages/en/settings/audit-actions.ts'

const TEXTS = new Map<string, string>(Object.entries(auditActionWords))

/** An action of the audit log, in words; an action unknown to this build keeps its name. */
export function actionText(action: string): string {
  return TEXTS.get(action) ?? action
}
