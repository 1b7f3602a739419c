import type { BuilderWorkflow } from '@troupe/builder-contract'
import { workflowPageWords as words } from '../../../core/messages/en/workflows/page.ts'

/** Who changed something, as a sentence names them; `me` is the id of the reader. */
export function authorWords(by: BuilderWorkflow['updatedBy'], me: string): string {
  if (by === null) return words.somebody
  if (by.id === me) return words.you
  if (by.name !== null) return by.name
  if (by.kind === 'operator') return words.operator
  return by.kind === 'system' ? words.bundle : words.somebody
}

/** The same at the beginning of a sentence. */
export function authorFirst(by: BuilderWorkflow['updatedBy'], me: string): string {
  const text = authorWords(by, me)
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1)
}
