import { plainText } from '../../../markdown/plain-text.ts'
import { traceWords } from './trace.ts'

const oneLine = (markdown: string) => plainText(markdown).replaceAll(/\s+/g, ' ').trim().slice(0, 160)

/** Texts of the current activity of a run. */
export const liveWords = {
  model: (who: string, purpose: string) =>
    `${who}: ${(traceWords.purposes[purpose] ?? purpose).toLowerCase()}`,
  tool: (who: string, tool: string) => `${who} calls ${tool}`,
  approval: (tool: string) => `A person must approve ${tool}`,
  member: (name: string, task: string) => `${name}: ${oneLine(task)}`,
  failover: (from: string, to: string) => `${from} failed, ${to} takes over`,
} as const
