import type { NodeHandler, NodeHandlers } from '@troupe/workflows/ports'
import { executeAiAgent } from './ai-agent/execute.ts'
import { executeAiPrompt } from './ai-prompt/execute.ts'
import { executeClassify } from './classify/execute.ts'
import type { ExecutedType } from './definitions.ts'
import { executeEditFields } from './edit-fields/execute.ts'
import { executeFormTrigger } from './form-trigger/execute.ts'
import { executeHttpRequest } from './http-request/execute.ts'
import { executeHumanReview } from './human-review/execute.ts'
import { executeIfElse } from './if-else/execute.ts'
import { executeLoop } from './loop/execute.ts'
import { executeManualTrigger } from './manual-trigger/execute.ts'
import { executeRecurrence } from './recurrence/execute.ts'
import { executeTeamStep } from './team-step/execute.ts'
import { executeVariable } from './variable/execute.ts'

/** A handler for every executable type; a missing or surplus one does not compile. */
const HANDLERS: Readonly<Record<ExecutedType, NodeHandler>> = {
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

/** The node handlers by type. */
export const NODE_HANDLERS: NodeHandlers = new Map(Object.entries(HANDLERS))
