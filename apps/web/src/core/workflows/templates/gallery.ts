import { answerWithSources } from './answer-with-sources.ts'
import { approvalChain } from './approval-chain.ts'
import { cleanUp } from './clean-up.ts'
import { documentIntake } from './document-intake.ts'
import { formToTeam } from './form-to-team.ts'
import { nightlyReport } from './nightly-report.ts'
import { supportTriage } from './support-triage.ts'
import type { WorkflowTemplate } from './template.ts'
import { untilGood } from './until-good.ts'

/** Every template, the most frequent purpose first. */
export const TEMPLATES: readonly WorkflowTemplate[] = [
  supportTriage,
  answerWithSources,
  documentIntake,
  formToTeam,
  approvalChain,
  cleanUp,
  nightlyReport,
  untilGood,
]
