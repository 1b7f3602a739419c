import { approvalChain } from './approval-chain.ts'
import { cleanUp } from './clean-up.ts'
import { documentIntake } from './document-intake.ts'
import { nightlyReport } from './nightly-report.ts'
import { supportTriage } from './support-triage.ts'
import type { WorkflowTemplate } from './template.ts'
import { untilGood } from './until-good.ts'

/** Every template, the most frequent purpose first. */
export const TEMPLATES: readonly WorkflowTemplate[] = [
  supportTriage,
  documentIntake,
  approvalChain,
  cleanUp,
  nightlyReport,
  untilGood,
]

/** The templates in which each typed word begins a word of the name, the sentence or the keywords; all of them for a blank text. */
export function findTemplates(text: string): WorkflowTemplate[] {
  const typed = wordsOf(text)
  return TEMPLATES.filter(({ name, detail, keywords }) => {
    const words = wordsOf([name, detail, ...keywords].join(' '))
    return typed.every((start) => words.some((word) => word.startsWith(start)))
  })
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
