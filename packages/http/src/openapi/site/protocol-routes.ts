import type { ResponseObject } from '../writing/document-types.ts'
import type { JsonSchema } from '../writing/schema-writer.ts'
import { file, type SiteRoute } from './site-route.ts'

const text: JsonSchema = { type: 'string' }
const TAG = 'Other protocols'

/** OpenAPI 3.1 has no keyword for sequences: the schema describes each event, as `itemSchema` does in 3.2. */
const EVENTS: JsonSchema = {
  type: 'object',
  required: ['data'],
  properties: { event: text, data: { ...text, contentMediaType: 'application/json' } },
}

const OPENAI_ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'code', 'param'],
      properties: { message: text, type: text, code: text, param: { type: ['string', 'null'] } },
    },
  },
}

const OPENAI_ERROR = { name: 'OpenAiError', schema: OPENAI_ERROR_SCHEMA }

/** The API's own errors before the protocol is reached, else JSON-RPC's. */
const MCP_ERROR = { name: 'McpError', schema: { type: 'object' } }

const MESSAGE: JsonSchema = {
  type: 'object',
  required: ['role', 'content'],
  properties: {
    role: { enum: ['system', 'developer', 'user', 'assistant'] },
    content: {
      anyOf: [
        text,
        {
          type: 'array',
          items: {
            type: 'object',
            required: ['type', 'text'],
            properties: { type: { const: 'text' }, text },
          },
        },
      ],
    },
  },
}

const COMPLETION: ResponseObject = {
  description:
    'The answer: a `chat.completion`, or a stream of `chat.completion.chunk` that ends with `[DONE]`.',
  content: { 'application/json': { schema: { type: 'object' } }, 'text/event-stream': { schema: EVENTS } },
}

/** Statuses of a run that was refused or failed. */
const RUN_ERRORS = {
  403: 'The agent or the team belongs to a different project than the key.',
  404: 'No agent or team of this id or name.',
  409: 'The agent is archived, the run was cancelled, or the idempotency key was used with another body.',
  413: 'The body is larger than the limit.',
  415: 'The body has another media type or encoding than documented.',
  422: 'The agent cannot run as it is configured.',
  502: 'The run failed at its model provider, or the server is stopping.',
  504: 'The run did not finish within 30 seconds: use a stream.',
}
const LIMITED = {
  401: 'No valid API key.',
  429: 'The organization or the key is over its rate limit, or the budget of the run is used up.',
}

const described = (statuses: Record<number, string>): Record<number, ResponseObject> =>
  Object.fromEntries(
    Object.entries(statuses).map(([status, meaning]) => [status, file(meaning, 'application/json')]),
  )

/** Routes of foreign protocols, whose own documentation has their schemas. */
export const PROTOCOL_ROUTES: readonly SiteRoute[] = [
  {
    id: 'listModels',
    method: 'get',
    path: '/api/v1/openai/models',
    tag: TAG,
    summary: 'List agents and teams for OpenAI clients',
    description:
      'The base URL of clients is `/api/v1/openai`; the models are the agents and teams of the key.',
    access: 'bearer',
    isData: true,
    errorSchema: OPENAI_ERROR,
    responses: { 200: file('The models.', 'application/json'), ...described(LIMITED) },
  },
  {
    id: 'createChatCompletion',
    method: 'post',
    path: '/api/v1/openai/chat/completions',
    tag: TAG,
    summary: 'Run an agent or a team for an OpenAI client',
    description:
      '`model` is the id or the name of an agent or a team. The messages before the last one of the user are its ' +
      'history. Sampling fields are ignored; tools, images and other formats are refused.',
    access: 'bearer',
    isData: true,
    errorSchema: OPENAI_ERROR,
    headers: { 'idempotency-key': 'The same key with the same body returns the first run.' },
    json: {
      type: 'object',
      required: ['model', 'messages'],
      properties: {
        model: { type: 'string', minLength: 1, maxLength: 255 },
        messages: { type: 'array', minItems: 1, maxItems: 2000, items: MESSAGE },
        stream: { type: ['boolean', 'null'] },
        stream_options: {
          type: ['object', 'null'],
          properties: { include_usage: { type: ['boolean', 'null'] } },
        },
        user: { type: ['string', 'null'], maxLength: 255 },
        tool_context: { type: 'object', description: 'Values that tools read and the model never sees.' },
      },
      examples: [{ model: 'Writer', messages: [{ role: 'user', content: 'Say hello in French.' }] }],
    },
    responses: { 200: COMPLETION, ...described({ ...LIMITED, ...RUN_ERRORS }) },
  },
  {
    id: 'callMcp',
    method: 'post',
    path: '/api/v1/mcp',
    tag: TAG,
    summary: 'Use agents, teams and workflows as tools of an MCP client',
    description:
      'The Model Context Protocol over Streamable HTTP, without state: one JSON-RPC message per request. The tools ' +
      'are what the configuration exposes with `expose: mcp`.',
    access: 'bearer',
    isData: true,
    errorSchema: MCP_ERROR,
    headers: {
      accept: '`application/json, text/event-stream`',
      'mcp-session-id': 'As `initialize` answered.',
    },
    json: {
      type: 'object',
      required: ['jsonrpc', 'method'],
      properties: {
        jsonrpc: { const: '2.0' },
        id: { type: ['string', 'integer'], description: 'Absent in notifications.' },
        method: text,
        params: { type: 'object' },
      },
      examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    },
    responses: {
      200: {
        description: 'The answer; a call of a tool is a stream with its progress.',
        content: {
          'application/json': { schema: { type: 'object' } },
          'text/event-stream': { schema: EVENTS },
        },
      },
      202: { description: 'A notification was received.' },
      ...described({
        ...LIMITED,
        403: 'The `Origin` is a page of another site.',
        406: 'The client accepts no JSON or no event stream.',
        413: RUN_ERRORS[413],
        415: RUN_ERRORS[415],
      }),
    },
  },
]
