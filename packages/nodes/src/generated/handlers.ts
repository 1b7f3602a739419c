// Written by `npm run generate:nodes` from the folders of the node types.
import { executeAiAgent } from '../ai-agent/execute.ts'
import { executeAiPrompt } from '../ai-prompt/execute.ts'
import { executeClassify } from '../classify/execute.ts'
import { executeEditFields } from '../edit-fields/execute.ts'
import { executeFormTrigger } from '../form-trigger/execute.ts'
import { executeHttpRequest } from '../http-request/execute.ts'
import { executeHumanReview } from '../human-review/execute.ts'
import { executeIfElse } from '../if-else/execute.ts'
import { executeLoop } from '../loop/execute.ts'
import { executeManualTrigger } from '../manual-trigger/execute.ts'
import { executeRecurrence } from '../recurrence/execute.ts'
import { executeTeamStep } from '../team-step/execute.ts'
import { executeVariable } from '../variable/execute.ts'

/** The handler of every type that executes. */
export const EVERY_HANDLER = {
  'manual-trigger': executeManualTrigger,
  'http-request': executeHttpRequest,
  'form-trigger': executeFormTrigger,
  recurrence: executeRecurrence,
  'ai-agent': executeAiAgent,
  'team-step': executeTeamStep,
  'ai-prompt': executeAiPrompt,
  classify: executeClassify,
  'if-else': executeIfElse,
  loop: executeLoop,
  'human-review': executeHumanReview,
  variable: executeVariable,
  'edit-fields': executeEditFields,
}
