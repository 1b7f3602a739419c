import { isJsonObject, shortened } from '@troupe/contract'
import { objectIn, schemaLike, usableSchema } from '../draft/answer-schema.ts'
import { type Conversion, type Exit, oneExit, oneStep } from '../draft/conversion.ts'
import { limitedText } from '../draft/limited.ts'
import { marker } from '../draft/marker.ts'
import { textOf } from '../draft/plain.ts'
import { noteText, settingsText } from '../draft/settings-text.ts'
import { type N8nContext, type N8nMapping, portOf } from './mapping.ts'
import type { N8nNode } from './read-n8n.ts'
import { entriesOf } from './triggers.ts'

const LANGCHAIN = 'packages/@n8n/nodes-langchain/nodes'
const OUT = oneExit(portOf(0))
const MAX_NOTE = 60_000
const MAX_NAMED = 20

/** The place of an answer's text, under n8n's names. */
function answerPlace(names: readonly string[][], hasFields: boolean) {
  return (keys: readonly string[]) => {
    if (keys.length === 0) return { output: [] }
    const name = names.find((path) => path.every((key, index) => keys[index] === key))
    if (!name) return { reason: `the step returns only its answer, which was "${names[0]?.join('.')}"` }
    const rest = keys.slice(name.length)
    return rest.length > 0 && !hasFields
      ? { reason: 'the answer is a text, which has no fields' }
      : { output: rest }
  }
}

/** The choice that replaces the model of the export. */
function modelChoice(node: N8nNode, { parts }: N8nContext): Conversion['choices'] {
  const model = parts.find(({ kind }) => kind === 'ai_languageModel')?.node ?? node
  const given = model.parameters.modelId ?? model.parameters.model
  const name = isJsonObject(given) ? given.value : given
  const isNamed = typeof name === 'string' && name !== ''
  // An expression begins with "=".
  const used = isNamed && name.startsWith('=') ? `the model of ${name.slice(1)}` : name
  const words = isNamed ? `It used ${shortened(textOf(used), 100)}. ` : ''
  return [
    {
      kind: 'model',
      detail: `${words}The step uses the default LLM configuration until you choose another.`,
    },
  ]
}

function schemaOf({ parts }: Pick<N8nContext, 'parts'>, remarks: string[]): Record<string, unknown> | null {
  const parser = parts.find(
    ({ kind, node }) => kind === 'ai_outputParser' && node.type.endsWith('outputParserStructured'),
  )
  if (!parser) return null
  const { schemaType, jsonSchemaExample, inputSchema, jsonSchema } = parser.node.parameters
  const written = objectIn(schemaType === 'manual' ? inputSchema : (jsonSchema ?? null))
  const example = objectIn(jsonSchemaExample)
  const schema = usableSchema(written ?? (example && schemaLike(example, remarks)))
  if (schema === null) remarks.push('The schema of its answer could not be read, so the answer is a text.')
  return schema
}

/** The prompt of an agent or chain. */
function promptOf(node: N8nNode, { scope }: N8nContext, remarks: string[]): string {
  const { promptType, text } = node.parameters
  const isDefined =
    promptType === 'define' || (promptType === undefined && typeof text === 'string' && text !== '')
  const prompt = scope.text(isDefined ? text : '={{ $json.chatInput }}', node, remarks)
  return prompt.trim() === '' ? marker('n8n', `what ${node.name} is asked`) : prompt
}

function systemOf(node: N8nNode, { scope }: N8nContext, remarks: string[]): string {
  const { options } = node.parameters
  const message = isJsonObject(options) ? options.systemMessage : undefined
  return message === undefined ? '' : scope.text(message, node, remarks)
}

/** System and other messages of a list, joined. */
function messagesOf(
  list: Record<string, unknown>[],
  roleOf: (message: Record<string, unknown>) => string,
  textOf: (message: Record<string, unknown>) => string,
) {
  const texts = list
    .map((message) => ({ role: roleOf(message), text: textOf(message) }))
    .filter(({ text }) => text.trim() !== '')
  const of = (isSystem: boolean) =>
    texts.filter(({ role }) => (role === 'system') === isSystem).map(({ text }) => text)
  return { system: of(true).join('\n\n'), others: of(false) }
}

const CHAIN_ROLES: Readonly<Record<string, string>> = {
  SystemMessagePromptTemplate: 'system',
  AIMessagePromptTemplate: 'assistant',
  HumanMessagePromptTemplate: 'user',
}

function prompt(
  config: Record<string, unknown>,
  node: N8nNode,
  context: N8nContext,
  remarks: string[],
): Conversion {
  return oneStep({ type: 'ai-prompt', config }, OUT, { remarks, choices: modelChoice(node, context) })
}

/** An agent with tools or a memory is one of the organization's agents; without them it is one prompt. */
function agent(node: N8nNode, context: N8nContext): Conversion | null {
  const remarks: string[] = []
  if (node.parameters.agent === 'sqlAgent') return null
  const message = promptOf(node, context, remarks)
  const system = systemOf(node, context, remarks)
  const schema = schemaOf(context, remarks)
  const outputSchema = schema === null ? {} : { outputSchema: schema }
  const needsAgent = context.parts.some(({ kind }) => kind === 'ai_tool' || kind === 'ai_memory')
  if (!needsAgent) return prompt({ system, prompt: message, ...outputSchema }, node, context, remarks)
  const tools = context.parts
    .filter(({ kind }) => kind === 'ai_tool')
    .map(({ node: { name } }) => `"${shortened(name, 60)}"`)
  const described = context.parts.map(
    ({ node: part }) =>
      `### ${part.name.replaceAll('\n', ' ')}\n\nType: \`${part.type}\`\n\n${settingsText(part.parameters)}`,
  )
  const note = [
    noteText(
      'Choose the agent of this step, or make one with these instructions and tools.',
      node.type,
      node.parameters,
    ),
    ...described,
  ].join('\n\n')
  return oneStep({ type: 'ai-agent', config: { message, ...outputSchema } }, OUT, {
    remarks,
    note: limitedText(note, MAX_NOTE, 'Note beside it', remarks),
    choices: [
      {
        kind: 'agent',
        detail:
          tools.length === 0
            ? 'Choose or make an agent with the instructions of the Note.'
            : `Choose or make an agent with the instructions of the Note and the tools ${named(tools)}.`,
      },
    ],
  })
}

function named(tools: readonly string[]): string {
  const more = tools.length - MAX_NAMED
  return `${tools.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Classes with ids that are valid in a graph, by the outputs of the node. */
function classify(
  node: N8nNode,
  context: N8nContext,
  classes: { name: string; description: string }[],
  rest: { text: string; instructions: string; other: number | null; remarks: string[] },
): Conversion | null {
  if (classes.length === 0 || classes.length > 50) return null
  const exits = new Map<string, Exit[]>()
  const rows = classes.map(({ name, description }, index) => {
    const id = `class-${index + 1}`
    exits.set(portOf(index), [{ step: 0, handle: id }])
    const long = name.length > 64 ? name : ''
    return {
      id,
      name: shortened(name, 64),
      description: [long, description].filter((part) => part !== '').join('\n'),
    }
  })
  if (rest.other !== null) exits.set(portOf(rest.other), [{ step: 0, handle: 'other' }])
  const { text, instructions, remarks } = rest
  return oneStep(
    { type: 'classify', config: { text, instructions, classes: rows, includeOther: true } },
    exits,
    {
      remarks,
      choices: modelChoice(node, context),
    },
  )
}

const EXTRACTED: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  date: 'string',
}

function extractionSchema({ parameters }: N8nNode, remarks: string[]): Record<string, unknown> | null {
  const { schemaType, inputSchema, jsonSchemaExample } = parameters
  if (schemaType === 'manual') return usableSchema(objectIn(inputSchema))
  if (schemaType === 'fromJson') {
    const example = objectIn(jsonSchemaExample)
    return example && usableSchema(schemaLike(example, remarks))
  }
  const attributes = entriesOf(parameters.attributes, 'attributes').filter(
    ({ name }) => typeof name === 'string' && name !== '',
  )
  if (attributes.length === 0) return null
  return usableSchema({
    type: 'object',
    properties: Object.fromEntries(
      attributes.map(({ name, type, description }) => [
        textOf(name),
        {
          type: EXTRACTED[textOf(type ?? 'string')] ?? 'string',
          description: textOf(description ?? '').replace(/^=/, ''),
        },
      ]),
    ),
    required: attributes.filter(({ required }) => required === true).map(({ name }) => textOf(name)),
  })
}

/** The default system prompt of n8n's extractor, reworded. */
const EXTRACT = 'Extract the requested values from the text. Leave out what the text does not say.'

/** A summary of the data before a node. Version 1, files and document loaders read data that no step has. */
function summary(node: N8nNode, context: N8nContext): Conversion | null {
  const { operationMode = 'nodeInputJson', options } = node.parameters
  if (node.version < 2 || operationMode !== 'nodeInputJson') return null
  const remarks: string[] = []
  const chosen = isJsonObject(options) ? options.summarizationMethodAndPrompts : undefined
  const values = isJsonObject(chosen) && isJsonObject(chosen.values) ? chosen.values : {}
  const method = textOf(values.summarizationMethod ?? 'map_reduce')
  if (method !== 'stuff')
    remarks.push('It summarized long texts in pieces. The step reads the whole text at once.')
  const own = method === 'map_reduce' ? (values.combineMapPrompt ?? values.prompt) : values.prompt
  const path = context.scope.inputPath(node, [], remarks)
  const input = path === null ? marker('n8n', 'the text') : `{{ ${path} }}`
  const asked = own === undefined ? SUMMARIZE : context.scope.text(own, node, remarks)
  const isPlaced = asked.includes('{text}')
  // The chain substitutes the text for {text}; a prompt that already refers to the data itself contains it.
  const text = isPlaced
    ? asked.replaceAll('{text}', () => input)
    : READS.test(asked)
      ? asked
      : `${asked}\n\n${input}`
  return prompt({ prompt: text }, node, context, remarks)
}

/** A token that is not escaped. */
const READS = /(?:^|[^\\])\{\{/

/** The default prompt of n8n's summary, reworded. */
const SUMMARIZE = 'Summarize the following text briefly.\n\n{text}'

/** Nodes that call a model. */
export const N8N_AI: readonly N8nMapping[] = [
  {
    types: ['@n8n/n8n-nodes-langchain.agent'],
    becomes: 'AI Prompt; AI Agent when it has tools or a memory, with a Note that says what the agent needs',
    source: `${LANGCHAIN}/agents/Agent/V2/AgentV2.node.ts`,
    // With a schema, the answer consists of fields; the check of the draft reports missing ones.
    output: answerPlace([['output']], true),
    convert: agent,
  },
  {
    types: ['@n8n/n8n-nodes-langchain.chainLlm'],
    becomes: 'AI Prompt',
    source: `${LANGCHAIN}/chains/ChainLLM/ChainLlm.node.ts`,
    output: answerPlace([['text'], ['response', 'text'], ['output'], ['response']], true),
    convert: (node, context) => {
      const remarks: string[] = []
      const { system, others } = messagesOf(
        entriesOf(node.parameters.messages, 'messageValues'),
        ({ type }) => CHAIN_ROLES[textOf(type ?? 'SystemMessagePromptTemplate')] ?? 'user',
        ({ message }) => context.scope.text(message ?? '', node, remarks),
      )
      const schema = schemaOf(context, remarks)
      const asked = typeof node.parameters.prompt === 'string' ? node.parameters.prompt : null
      const main =
        asked === null ? promptOf(node, context, remarks) : context.scope.text(asked, node, remarks)
      const config = { system, prompt: [...others, main].join('\n\n') || marker('n8n', 'the prompt') }
      return prompt({ ...config, ...(schema && { outputSchema: schema }) }, node, context, remarks)
    },
  },
  {
    types: ['@n8n/n8n-nodes-langchain.chainSummarization'],
    becomes: 'AI Prompt that summarizes what comes before it',
    source: `${LANGCHAIN}/chains/ChainSummarization/V2/ChainSummarizationV2.node.ts`,
    output: answerPlace(
      [
        ['response', 'text'],
        ['response', 'output_text'],
        ['output', 'text'],
        ['output', 'output_text'],
      ],
      false,
    ),
    convert: summary,
  },
  {
    types: ['@n8n/n8n-nodes-langchain.openAi', 'n8n-nodes-base.openAi'],
    becomes: 'AI Prompt for texts and messages',
    source: `${LANGCHAIN}/vendors/OpenAi/v2/actions/text/response.operation.ts`,
    output: answerPlace(
      [
        ['message', 'content'],
        ['choices', '0', 'message', 'content'],
        ['output', '0', 'content', '0', 'text'],
        ['content', '0', 'text'],
        ['content'],
        ['text'],
        ['output'],
      ],
      false,
    ),
    convert: (node, context) => {
      const { resource = 'text', operation = 'message', messages, responses, prompt: asked } = node.parameters
      if (
        !['text', 'chat'].includes(textOf(resource)) ||
        !['message', 'response', 'complete', 'text'].includes(textOf(operation))
      )
        return null
      const remarks: string[] = []
      const listed = [
        ...entriesOf(messages, 'values'),
        ...entriesOf(responses, 'values'),
        ...entriesOf(asked, 'messages'),
      ]
      const { system, others } = messagesOf(
        listed,
        ({ role }) => textOf(role ?? 'user'),
        ({ content }) => context.scope.text(content ?? '', node, remarks),
      )
      const own = typeof asked === 'string' ? context.scope.text(asked, node, remarks) : ''
      const text = [...others, own].filter((part) => part.trim() !== '').join('\n\n')
      if (text === '' && system === '') return null
      if (node.parameters.jsonOutput === true)
        remarks.push('It answered with JSON. Give the step an output schema to read fields of the answer.')
      return prompt(text === '' ? { prompt: system } : { system, prompt: text }, node, context, remarks)
    },
  },
  {
    types: ['@n8n/n8n-nodes-langchain.textClassifier'],
    becomes: 'Classify',
    source: `${LANGCHAIN}/chains/TextClassifier/TextClassifier.node.ts`,
    output: (keys) => ({ input: keys }),
    convert: (node, context) => {
      const remarks: string[] = []
      const { inputText, categories, options } = node.parameters
      const classes = entriesOf(categories, 'categories').map(({ category, description }) => ({
        name: textOf(category ?? '').trim(),
        description: context.scope.text(description ?? '', node, remarks),
      }))
      if (classes.some(({ name }) => name === '' || name.startsWith('='))) return null
      const settings = isJsonObject(options) ? options : {}
      if (settings.multiClass === true) remarks.push('It could assign several classes. The step assigns one.')
      return classify(node, context, classes, {
        text: context.scope.text(inputText ?? '', node, remarks) || marker('n8n', 'the text'),
        instructions: '',
        other: settings.fallback === 'other' ? classes.length : null,
        remarks,
      })
    },
  },
  {
    types: ['@n8n/n8n-nodes-langchain.sentimentAnalysis'],
    becomes: 'Classify with its sentiments as classes',
    source: `${LANGCHAIN}/chains/SentimentAnalysis/SentimentAnalysis.node.ts`,
    output: (keys) =>
      keys[0] === 'sentimentAnalysis'
        ? keys[1] === 'category'
          ? { output: ['category'] }
          : { reason: 'the step returns only the category' }
        : { input: keys },
    convert: (node, context) => {
      const remarks: string[] = []
      const { options, inputText } = node.parameters
      const listed =
        isJsonObject(options) && typeof options.categories === 'string'
          ? options.categories
          : 'Positive, Neutral, Negative'
      const names = [...new Set(listed.split(',').map((name) => name.trim()))].filter((name) => name !== '')
      return classify(
        node,
        context,
        names.map((name) => ({ name, description: '' })),
        {
          text: context.scope.text(inputText ?? '', node, remarks) || marker('n8n', 'the text'),
          instructions: 'Choose the sentiment of the text.',
          other: null,
          remarks,
        },
      )
    },
  },
  {
    types: ['@n8n/n8n-nodes-langchain.informationExtractor'],
    becomes: 'AI Prompt with an output schema',
    source: `${LANGCHAIN}/chains/InformationExtractor/InformationExtractor.node.ts`,
    output: answerPlace([['output']], true),
    convert: (node, context) => {
      const remarks: string[] = []
      const outputSchema = extractionSchema(node, remarks)
      if (outputSchema === null) return null
      const { options, text } = node.parameters
      const given = isJsonObject(options) ? options.systemPromptTemplate : undefined
      const system = given === undefined ? EXTRACT : context.scope.text(given, node, remarks)
      const asked = context.scope.text(text ?? '', node, remarks) || marker('n8n', 'the text')
      return prompt({ system, prompt: asked, outputSchema }, node, context, remarks)
    },
  },
]
