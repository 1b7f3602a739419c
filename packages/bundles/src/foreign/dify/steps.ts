import { isJsonObject, shortened } from '@troupe/contract'
import { usableSchema } from '../draft/answer-schema.ts'
import { unknownCondition } from '../draft/condition-groups.ts'
import { type Conversion, type Exit, oneExit, oneStep, type StepDraft } from '../draft/conversion.ts'
import { limited, limitedText } from '../draft/limited.ts'
import { isKey, literalText, marker } from '../draft/marker.ts'
import { numberOf, textOf } from '../draft/plain.ts'
import { noteText } from '../draft/settings-text.ts'
import { groupOf } from './conditions.ts'
import type { DifyScope } from './dify-scope.ts'
import { type DifyContext, type DifyMapping, SOURCE } from './mapping.ts'
import type { DifyNode } from './read-dify.ts'

const MAX_ROWS = 100
const MAX_KEY = 128

const NODES = 'api/core/workflow/nodes'
const OUT = oneExit(SOURCE)
const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const noFields = () => ({ reason: 'the node has no output fields' })

function modelChoice({ data }: DifyNode): Conversion['choices'] {
  const name =
    isJsonObject(data.model) && typeof data.model.name === 'string'
      ? `It used ${shortened(data.model.name, 100)}. `
      : ''
  return [
    { kind: 'model', detail: `${name}The step uses the default LLM configuration until you choose another.` },
  ]
}

/**
 * A Jinja template with variables only, as a text with tokens; null for one with statements or filters.
 *
 * Source: api/core/workflow/nodes/template_transform/ of github.com/langgenius/dify: `variables` are the template's inputs.
 */
function jinjaText(
  template: string,
  variables: unknown,
  node: DifyNode,
  scope: DifyScope,
  remarks: string[],
): string | null {
  if (/\{%|\{#(?!\w)/.test(template)) return null
  const selectors = new Map(
    listOf(variables).map(({ variable, value_selector: selector }) => [textOf(variable), selector]),
  )
  let made = ''
  let end = 0
  for (const match of template.matchAll(/\{\{-?([^{}]{0,500}?)-?\}\}/g)) {
    const [name = '', ...keys] = (match[1] ?? '').trim().split('.')
    const selector = selectors.get(name)
    if (!Array.isArray(selector) || keys.some((key) => !isKey(key) || !/^\w+$/.test(key))) return null
    made += literalText(template.slice(end, match.index)) + scope.token([...selector, ...keys], node, remarks)
    end = match.index + match[0].length
  }
  return made + literalText(template.slice(end))
}

interface Message {
  role: string
  text: string
}

/** The messages of a model node; null when one is a template with statements. */
function messagesOf(node: DifyNode, scope: DifyScope, remarks: string[]): Message[] | null {
  const { prompt_template: given, prompt_config: config, context } = node.data
  const messages = Array.isArray(given) ? given.filter(isJsonObject) : isJsonObject(given) ? [given] : []
  const names = new Map<string, unknown>()
  if (isJsonObject(context) && context.enabled === true) names.set('context', context.variable_selector)
  names.set('query', ['sys', 'query'])
  const read: Message[] = []
  for (const message of messages) {
    const isJinja = message.edition_type === 'jinja2'
    const variables = isJsonObject(config) ? config.jinja2_variables : []
    const made = isJinja
      ? jinjaText(textOf(message.jinja2_text ?? message.text ?? ''), variables, node, scope, remarks)
      : scope.text(textOf(message.text ?? ''), node, remarks, names)
    if (made === null) return null
    if (made.trim() !== '') read.push({ role: textOf(message.role ?? 'user'), text: made })
  }
  return read
}

function askModel(node: DifyNode, { app, scope }: DifyContext): Conversion | null {
  const remarks: string[] = []
  const messages = messagesOf(node, scope, remarks)
  if (messages === null) return null
  const { memory, vision, structured_output: structured, structured_output_enabled: isStructured } = node.data
  const system = messages.filter(({ role }) => role === 'system').map(({ text }) => text)
  const asked = messages.filter(({ role }) => role !== 'system').map(({ text }) => text)
  if (isJsonObject(memory)) {
    const query =
      typeof memory.query_prompt_template === 'string' && memory.query_prompt_template !== ''
        ? memory.query_prompt_template
        : '{{#sys.query#}}'
    if (app.isChat) asked.push(scope.text(query, node, remarks))
    remarks.push('It remembered the conversation. An AI Agent with a session does.')
  }
  if (isJsonObject(vision) && vision.enabled === true)
    remarks.push('It also accepted images; the step accepts only text.')
  const schema =
    isStructured === true && isJsonObject(structured) && isJsonObject(structured.schema)
      ? usableSchema(structured.schema)
      : null
  if (isStructured === true && schema === null)
    remarks.push('The schema of its answer could not be read, so the answer is a text.')
  const prompt =
    asked.length > 0
      ? { system: system.join('\n\n'), prompt: asked.join('\n\n') }
      : { prompt: system.join('\n\n') }
  const text = prompt.prompt === '' ? marker('dify', `the prompt of ${node.title}`) : prompt.prompt
  return oneStep(
    { type: 'ai-prompt', config: { ...prompt, prompt: text, ...(schema && { outputSchema: schema }) } },
    OUT,
    {
      remarks,
      choices: modelChoice(node),
    },
  )
}

/** The value of a parameter of an agent: `{type: 'constant', value}` or `{type: 'variable', value: selector}`. */
function agentText(parameter: unknown, node: DifyNode, scope: DifyScope, remarks: string[]): string {
  if (!isJsonObject(parameter)) return ''
  const { type, value } = parameter
  if (type === 'variable' && Array.isArray(value)) return scope.token(value, node, remarks)
  return typeof value === 'string' ? scope.text(value, node, remarks) : ''
}

function classify(node: DifyNode, { scope }: DifyContext): Conversion | null {
  const remarks: string[] = []
  const { classes, query_variable_selector: selector, instruction, instructions } = node.data
  const listed = listOf(classes)
  if (listed.length === 0 || listed.length > 50) return null
  const exits = new Map<string, Exit[]>()
  const rows = listed.map(({ id, name }, index) => {
    const own = `class-${index + 1}`
    exits.set(textOf(id), [{ step: 0, handle: own }])
    const text = textOf(name ?? '').trim() || `Class ${index + 1}`
    return {
      id: own,
      name: shortened(text.replaceAll(/\s+/g, ' '), 64),
      description: text.length > 64 ? text : '',
    }
  })
  const told = [instruction, instructions].find((text) => typeof text === 'string' && text !== '')
  return oneStep(
    {
      type: 'classify',
      config: {
        text: scope.token(selector, node, remarks),
        instructions: typeof told === 'string' ? scope.text(told, node, remarks) : '',
        classes: rows,
        includeOther: false,
      },
    },
    exits,
    { remarks, choices: modelChoice(node) },
  )
}

function ifElse(node: DifyNode, { scope }: DifyContext): Conversion | null {
  const remarks: string[] = []
  const { cases, conditions, logical_operator: operator } = node.data
  const listed =
    Array.isArray(cases) && cases.length > 0
      ? listOf(cases)
      : [{ case_id: 'true', conditions, logical_operator: operator }]
  if (listed.length === 0 || listed.length > 50) return null
  const groups = listed.map((one) => groupOf(one.conditions, one.logical_operator, { node, scope, remarks }))
  const steps = groups.map(
    (group, index): StepDraft => ({
      type: 'if-else',
      ...(index > 0 && { suffix: textOf(index + 1) }),
      config: {
        ...(group ?? { match: 'all', conditions: [unknownCondition('dify', `case ${index + 1}`)] }),
      },
    }),
  )
  const exits = new Map<string, Exit[]>()
  for (const [step, one] of listed.entries())
    exits.set(textOf(one.case_id ?? (one as { id?: unknown }).id ?? 'true'), [{ step, handle: 'true' }])
  exits.set('false', [{ step: steps.length - 1, handle: 'false' }])
  const inner = steps.slice(1).map((_, index) => ({ from: { step: index, handle: 'false' }, to: index + 1 }))
  return { outcome: 'step', steps, inner, exits, remarks, choices: [], note: null }
}

const PARAMETER_TYPES: Readonly<Record<string, Record<string, unknown>>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  bool: { type: 'boolean' },
  boolean: { type: 'boolean' },
  select: { type: 'string' },
  'array[string]': { type: 'array', items: { type: 'string' } },
  'array[number]': { type: 'array', items: { type: 'number' } },
  'array[object]': { type: 'array', items: { type: 'object' } },
}

function extract(node: DifyNode, { scope }: DifyContext): Conversion | null {
  const remarks: string[] = []
  const { parameters, query, instruction } = node.data
  const listed = listOf(parameters).filter(({ name }) => typeof name === 'string' && name !== '')
  const properties = listed.map(({ name, type, description, options }) => [
    textOf(name),
    {
      ...(PARAMETER_TYPES[textOf(type ?? 'string')] ?? { type: 'string' }),
      description: textOf(description ?? ''),
      ...(type === 'select' && Array.isArray(options) && options.length > 0 && { enum: options.map(textOf) }),
    },
  ])
  const required = listed.filter((one) => one.required === true).map(({ name }) => textOf(name))
  const outputSchema =
    listed.length === 0
      ? null
      : usableSchema({ type: 'object', properties: Object.fromEntries(properties), required })
  if (outputSchema === null) return null
  const told = typeof instruction === 'string' ? scope.text(instruction, node, remarks) : ''
  const system = ['Extract the requested values from the text.', told]
    .filter((part) => part !== '')
    .join('\n\n')
  return oneStep(
    { type: 'ai-prompt', config: { system, prompt: scope.token(query, node, remarks), outputSchema } },
    OUT,
    {
      remarks,
      choices: modelChoice(node),
    },
  )
}

/** The values that an assigner writes, in the forms of both of its versions. */
function assign(node: DifyNode, { scope }: DifyContext): Conversion | null {
  const remarks: string[] = []
  const {
    items,
    assigned_variable_selector: target,
    input_variable_selector: input,
    write_mode: mode,
  } = node.data
  const listed = Array.isArray(items)
    ? listOf(items)
    : [{ variable_selector: target, value: input, input_type: 'variable', operation: mode ?? 'over-write' }]
  const rows: Record<string, unknown>[] = []
  for (const { variable_selector: selector, value, input_type: kind, operation } of listed) {
    const [source, name] = Array.isArray(selector) ? selector.map(textOf) : []
    if (name === undefined) return null
    const given =
      kind === 'variable' && Array.isArray(value)
        ? scope.token(value, node, remarks)
        : typeof value === 'string'
          ? scope.text(value, node, remarks)
          : (value ?? null)
    const variable = scope.variable(source === 'conversation' ? name : `${name}`)
    const put = (op: string, changed: unknown) =>
      rows.push({ name: variable, op, value: changed, mode: 'expression' })
    if (operation === 'over-write' || operation === 'overwrite' || operation === 'set') put('set', given)
    else if (operation === 'append') put('append', given)
    else if (operation === 'clear') put('set', '')
    else if (operation === '+=') put('increment', given)
    else if (operation === '-=' && typeof given === 'number') put('increment', -given)
    else return null
  }
  if (rows.length === 0 || rows.length > 100) return null
  return oneStep({ type: 'variable', config: { rows } }, OUT, { remarks })
}

/** Loops keep the first id, because tokens and bodies refer to it; the steps before it set its variables. */
function repeat(node: DifyNode, { scope }: DifyContext): Conversion | null {
  const remarks: string[] = []
  const { loop_count: count, break_conditions: breaks, loop_variables: variables } = node.data
  const times = numberOf(count ?? 10)
  if (!Number.isInteger(times) || times < 0) return null
  if (Array.isArray(breaks) && breaks.length > 0) {
    remarks.push(
      'It also stopped when its conditions held. The Loop counts; choose "While a condition holds" to stop earlier.',
    )
  }
  const rows = listOf(variables).flatMap(({ label, value_type: kind, value }) =>
    typeof label === 'string' && label !== ''
      ? [
          {
            name: scope.variable(`${node.key}.${label}`),
            op: 'set',
            value:
              kind === 'variable' && Array.isArray(value)
                ? scope.token(value, node, remarks)
                : typeof value === 'string'
                  ? literalText(value)
                  : (value ?? null),
            mode: 'expression',
          },
        ]
      : [],
  )
  const loop: StepDraft = { type: 'loop', config: { mode: 'count', count: times } }
  const exits = new Map<string, Exit[]>([
    ['body', [{ step: 0, handle: 'body' }]],
    [SOURCE, [{ step: 0, handle: 'done' }]],
  ])
  if (rows.length === 0) return oneStep(loop, exits, { remarks })
  return {
    outcome: 'step',
    steps: [
      loop,
      {
        type: 'variable',
        suffix: 'Variables',
        config: { rows: limited(rows, MAX_ROWS, 'variables', remarks) },
      },
    ],
    inner: [{ from: { step: 1, handle: 'out' }, to: 0 }],
    entry: 1,
    exits,
    remarks,
    choices: [],
    note: null,
  }
}

/** Nodes of the flow. */
export const DIFY_STEPS: readonly DifyMapping[] = [
  {
    types: ['llm'],
    becomes: 'AI Prompt',
    source: `${NODES}/llm/entities.py`,
    output: ([field, ...rest], node) => {
      if (field === 'text' && rest.length === 0) return { output: [] }
      if (field === 'structured_output' && node.data.structured_output_enabled === true)
        return { output: rest }
      return { reason: 'the step returns only its answer' }
    },
    convert: askModel,
  },
  {
    types: ['agent'],
    becomes: 'AI Agent, with a Note that says what the agent needs',
    source: `${NODES}/agent/entities.py`,
    output: ([field, ...rest]) =>
      field === 'text' && rest.length === 0 ? { output: [] } : { reason: 'the step returns only its answer' },
    convert: (node, { scope }) => {
      const remarks: string[] = []
      const parameters = isJsonObject(node.data.agent_parameters) ? node.data.agent_parameters : {}
      const message =
        agentText(parameters.query, node, scope, remarks) || marker('dify', `the question of ${node.title}`)
      const note = noteText(
        'Choose the agent of this step, or make one with these instructions and tools.',
        'agent',
        parameters,
      )
      return oneStep({ type: 'ai-agent', config: { message } }, OUT, {
        remarks,
        note,
        choices: [
          {
            kind: 'agent',
            detail: 'Choose or make an agent with the instructions and tools that the Note has.',
          },
        ],
      })
    },
  },
  {
    types: ['question-classifier'],
    becomes: 'Classify',
    source: `${NODES}/question_classifier/entities.py`,
    output: ([field]) =>
      field === 'class_name'
        ? { output: ['category'] }
        : field === 'class_id'
          ? { output: ['categoryId'] }
          : { reason: 'the step returns only its class' },
    convert: classify,
  },
  {
    types: ['if-else'],
    becomes: 'If / Else, a chain of them for several cases',
    source: `${NODES}/if_else/entities.py`,
    output: noFields,
    convert: ifElse,
  },
  {
    types: ['parameter-extractor'],
    becomes: 'AI Prompt with an output schema',
    source: `${NODES}/parameter_extractor/entities.py`,
    output: ([field, ...rest], node) =>
      listOf(node.data.parameters).some(({ name }) => name === field)
        ? { output: [field ?? '', ...rest] }
        : { reason: 'it is not one of the extracted parameters' },
    convert: extract,
  },
  {
    types: ['template-transform'],
    becomes: 'Edit Fields; a template with statements or filters becomes a stand-in',
    source: `${NODES}/template_transform/entities.py`,
    output: (fields) =>
      fields[0] === 'output' ? { output: fields } : { reason: 'the step returns only "output"' },
    convert: (node, { scope }) => {
      const remarks: string[] = []
      const value = jinjaText(textOf(node.data.template ?? ''), node.data.variables, node, scope, remarks)
      if (value === null) return null
      return oneStep(
        { type: 'edit-fields', config: { rows: [{ name: 'output', value, mode: 'expression' }] } },
        OUT,
        { remarks },
      )
    },
  },
  {
    types: ['answer'],
    becomes: 'Edit Fields: the answer as a field',
    source: `${NODES}/answer/entities.py`,
    output: (fields) => (fields[0] === 'answer' ? { output: fields } : noFields()),
    convert: (node, { scope }) => {
      const remarks: string[] = []
      const value = scope.text(textOf(node.data.answer ?? ''), node, remarks)
      return oneStep(
        { type: 'edit-fields', config: { rows: [{ name: 'answer', value, mode: 'expression' }] } },
        OUT,
        { remarks },
      )
    },
  },
  {
    types: ['end'],
    becomes: 'Edit Fields with the outputs as rows',
    source: `${NODES}/end/entities.py`,
    output: (fields) => ({ output: fields }),
    convert: (node, { scope }) => {
      const remarks: string[] = []
      const outputs = new Map(
        listOf(node.data.outputs).map(({ variable, value_selector: selector }) => [
          limitedText(textOf(variable ?? ''), MAX_KEY, 'name of an output', remarks),
          selector,
        ]),
      )
      const rows = [...outputs]
        .filter(([name]) => name !== '')
        .map(([name, selector]) => ({
          name,
          value: scope.token(selector, node, remarks),
          mode: 'expression',
        }))
      return oneStep({ type: 'edit-fields', config: { rows } }, OUT, { remarks })
    },
  },
  {
    types: ['assigner', 'variable-assigner-v2'],
    becomes: 'Variable',
    source: `${NODES}/variable_assigner/v2/entities.py`,
    output: noFields,
    convert: assign,
  },
  {
    types: ['iteration'],
    becomes: 'Loop over the list',
    source: `${NODES}/iteration/entities.py`,
    isLoop: true,
    output: ([field, ...rest]) =>
      field === 'output' ? { output: rest } : { reason: 'an iteration returns only "output"' },
    convert: (node, { scope }) => {
      const remarks: string[] = []
      if (node.data.is_parallel === true)
        remarks.push('Its iterations ran beside each other. Those of a Loop run one after the other.')
      const source = scope.token(node.data.iterator_selector, node, remarks)
      remarks.push('Each iteration returns the output of its last step.')
      const exits = new Map<string, Exit[]>([
        ['body', [{ step: 0, handle: 'body' }]],
        [SOURCE, [{ step: 0, handle: 'done' }]],
      ])
      return oneStep({ type: 'loop', config: { mode: 'list', source } }, exits, { remarks })
    },
  },
  {
    types: ['loop'],
    becomes: 'Loop that counts',
    source: `${NODES}/loop/entities.py`,
    isLoop: true,
    output: ([field], node) =>
      listOf(node.data.loop_variables).some(({ label }) => label === field)
        ? { variable: `${node.key}.${field}` }
        : { reason: 'it is not one of the variables of the loop' },
    convert: repeat,
  },
]
