// Written by `npm run generate:nodes` from the folders of the node types.
import { aiAgent } from '../ai-agent/definition.ts'
import { aiPrompt } from '../ai-prompt/definition.ts'
import { classify } from '../classify/definition.ts'
import type { NodeDefinition } from '../definition/node-definition.ts'
import { editFields } from '../edit-fields/definition.ts'
import { formTrigger } from '../form-trigger/definition.ts'
import { httpRequest } from '../http-request/definition.ts'
import { humanReview } from '../human-review/definition.ts'
import { ifElse } from '../if-else/definition.ts'
import { loop } from '../loop/definition.ts'
import { manualTrigger } from '../manual-trigger/definition.ts'
import { note } from '../note/definition.ts'
import { recurrence } from '../recurrence/definition.ts'
import { teamStep } from '../team-step/definition.ts'
import { variable } from '../variable/definition.ts'

/** Every node type, in the order of the builder's palette. */
export const NODE_DEFINITIONS = [
  manualTrigger,
  httpRequest,
  formTrigger,
  recurrence,
  aiAgent,
  teamStep,
  aiPrompt,
  classify,
  ifElse,
  loop,
  humanReview,
  variable,
  editFields,
  note,
] as const satisfies readonly NodeDefinition[]
