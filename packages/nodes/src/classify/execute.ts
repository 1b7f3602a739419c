import type { AgentConfig } from '@troupe/contract'
import { type EffectExecution, type ExecutedNode, NodeFailure } from '@troupe/workflows/ports'
import { modelOf } from '../definition/model-field.ts'
import { effectHandler } from '../execution/handler.ts'
import { resolvedText } from '../execution/resolve-field.ts'
import {
  answerSchema,
  type Classification,
  type ClassOption,
  classOptions,
  readClassification,
  systemPrompt,
  userPrompt,
} from './ask.ts'
import { classify, OTHER } from './definition.ts'

/** Model calls: one, plus one retry after an answer that names no class. */
const ATTEMPTS = 2
const MAX_SHOWN = 80

interface Question {
  model: AgentConfig['model']
  text: string
  instructions: string
  options: ClassOption[]
  includeOther: boolean
}

const inputOf = ({ text, instructions }: Question) => ({ text, instructions })

const shown = (answer: string) => (answer.length > MAX_SHOWN ? `${answer.slice(0, MAX_SHOWN - 1)}…` : answer)

function chosen({ options }: Question, { categoryId, reason }: Classification) {
  const option = options.find(({ id }) => id === categoryId)
  return option && { category: option.name, categoryId, reason }
}

async function ask(question: Question, { services }: EffectExecution): Promise<ExecutedNode> {
  const { model, text, instructions, options, includeOther } = question
  const trace = { input: inputOf(question), agentRunId: null, inputTokens: 0, outputTokens: 0 }
  let refused: string | null = null
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const answer = await services.callModel({
      model,
      system: systemPrompt(options, instructions),
      prompt: userPrompt(text, refused),
      purpose: 'classify',
      schema: answerSchema(options),
    })
    trace.inputTokens += answer.inputTokens
    trace.outputTokens += answer.outputTokens
    const reading = readClassification(answer.text)
    const output = chosen(question, reading)
    if (output) return { ...trace, result: { status: 'completed', output, handles: [output.categoryId] } }
    refused = shown(reading.categoryId)
  }
  if (!includeOther)
    throw new NodeFailure(`the model chose "${refused}", which is not one of the classes`, trace)
  const output = { category: OTHER.name, categoryId: OTHER.id, reason: null }
  return { ...trace, result: { status: 'completed', output, handles: [OTHER.id] } }
}

/** Lets the model choose a class and takes the handle of that class. */
export const executeClassify = effectHandler(classify, {
  prepare: ({ model, text, instructions, classes, includeOther }, { scope }) => ({
    model: modelOf(model),
    text: resolvedText(text, 'text', scope),
    instructions: resolvedText(instructions, 'instructions', scope),
    options: classOptions(classes, includeOther),
    includeOther,
  }),
  inputOf,
  execute: ask,
})
