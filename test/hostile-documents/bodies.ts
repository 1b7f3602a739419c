import {
  AgentConfigInput,
  isJsonObject,
  type JsonObject,
  OPERATIONS,
  OPERATOR_OPERATIONS,
  type Operation,
  TeamConfigInput,
  TRIGGER_OPERATIONS,
  typedKeys,
} from '@troupe/contract'
import { BUILDER_OPERATIONS, DEPLOYMENT_OPERATIONS, PERSON_OPERATIONS } from '@troupe/contract/builder'
import { TOOL_SCHEMAS } from '../../packages/contract/src/agents/config/tools.ts'
import { GraphInput } from '../../packages/graph/src/model/graph.ts'
import { NODE_DEFINITIONS } from '../../packages/nodes/src/definitions.ts'
import { ACCESS_TABLE } from '../../packages/test-kit/src/access/access-table.ts'
import { BUILDER_TABLE } from '../../packages/test-kit/src/access/builder-table.ts'
import { seedForm } from '../../packages/test-kit/src/server/seed-form.ts'
import { ownOrigin, seedPerson, signIn } from '../../packages/test-kit/src/server/seed-person.ts'
import { seedWebhook, signedHeaders } from '../../packages/test-kit/src/server/seed-webhook.ts'
import type { TestServer } from '../../packages/test-kit/src/server/start-test-server.ts'
import { smallValue } from './hostile-documents.ts'

/** An operation with a body, and how a permitted caller sends one. */
export interface BodyTarget {
  /** `createAgent of the builder`. */
  name: string
  method: string
  schema: unknown
  /** A body that passes admission. */
  base: unknown
  /** Schemas of members that the contract leaves open and a handler checks, by key. */
  known: Readonly<Record<string, object>>
  url: string
  contentType: string
  /** Depends on the body, because signatures cover it. */
  headersOf(json: string): Record<string, string>
}

const ID = '00000000-0000-4000-8000-000000000000'

/** The contents of an operation's open members, by the noun in its id. */
function knownIn(id: string): Record<string, object> {
  const config = kindOf(id) === 'team' ? TeamConfigInput : AgentConfigInput
  return { config, graph: GraphInput, draft: GraphInput, tool: TOOL_SCHEMAS.http }
}

function kindOf(id: string): string {
  if (/team/i.test(id)) return 'team'
  return /workflow|graph/i.test(id) ? 'workflow' : 'agent'
}

const takesBody = (operation: Operation) =>
  operation.body !== undefined && operation.bodyType !== 'multipart/form-data'

function whole(schema: unknown, given: unknown): unknown {
  const least = smallValue(schema)
  return isJsonObject(least) && isJsonObject(given) ? { ...least, ...given } : least
}

/** Every operation of every contract with a body; new ones are included automatically. */
export async function bodyTargets(server: TestServer): Promise<BodyTarget[]> {
  const { seed, context, adminToken } = server
  const { organizationId } = seed
  const person = await seedPerson(context.database, { organizationId, role: 'owner' })
  const cookie = await signIn(server, person)
  const asOwner = { cookie, origin: ownOrigin(server) }
  const target = (
    operation: Operation,
    {
      name = operation.id,
      url,
      given,
      headers,
    }: {
      name?: string
      url: string
      given?: unknown
      headers: JsonObject | ((json: string) => Record<string, string>)
    },
  ): BodyTarget => ({
    name,
    method: operation.method,
    schema: operation.body,
    base: whole(operation.body, given),
    known: knownIn(operation.id),
    url,
    contentType: operation.bodyType ?? 'application/json',
    headersOf: typeof headers === 'function' ? headers : () => headers as Record<string, string>,
  })
  const found: BodyTarget[] = []

  for (const id of typedKeys(OPERATIONS)) {
    if (!takesBody(OPERATIONS[id])) continue
    const { path, body } = await ACCESS_TABLE[id].own(server)
    found.push(
      target(OPERATIONS[id], { url: path, given: body, headers: { 'x-api-key': seed.keys.organization } }),
    )
  }
  for (const id of typedKeys(BUILDER_OPERATIONS)) {
    if (!takesBody(BUILDER_OPERATIONS[id])) continue
    const { path, body } = await BUILDER_TABLE[id].own(server)
    const url = `/api/builder/v1/organizations/${organizationId}${path}`
    found.push(
      target(BUILDER_OPERATIONS[id], { name: `${id} of the builder`, url, given: body, headers: asOwner }),
    )
  }
  for (const operation of Object.values<Operation>({ ...OPERATOR_OPERATIONS, ...DEPLOYMENT_OPERATIONS })) {
    if (!takesBody(operation)) continue
    found.push(
      target(operation, { url: filled(operation.path), headers: { authorization: `Bearer ${adminToken}` } }),
    )
  }
  for (const operation of Object.values<Operation>(PERSON_OPERATIONS)) {
    if (!takesBody(operation)) continue
    found.push(target(operation, { url: filled(operation.path), headers: asOwner }))
  }
  const webhook = await seedWebhook(context, { organizationId, projectId: null })
  const form = await seedForm(context, { organizationId })
  for (const operation of Object.values<Operation>(TRIGGER_OPERATIONS)) {
    if (!takesBody(operation)) continue
    const isWebhook = operation.id === 'triggerWorkflow'
    found.push(
      target(operation, {
        url: isWebhook ? webhook.path : operation.path.replace('/api/v1/forms/{formToken}', form.path),
        headers: isWebhook ? (json) => signedHeaders(webhook.signingSecret, json) : {},
      }),
    )
  }
  const validate = found.find(({ name }) => name === 'validateWorkflow of the builder')
  return [...found, ...(validate ? nodeTargets(validate) : []), ...protocolTargets(server)]
}

/** The config of each node type, in the graph to be checked. */
function nodeTargets(validate: BodyTarget): BodyTarget[] {
  return NODE_DEFINITIONS.map(({ type, schema }) => {
    const node = {
      type: 'object',
      required: ['id', 'type', 'name', 'position', 'config'],
      properties: {
        id: { const: 'a' },
        type: { const: type },
        name: { const: 'A' },
        position: { const: { x: 0, y: 0 } },
        config: schema,
      },
    }
    const graph = {
      type: 'object',
      required: ['nodes', 'edges'],
      properties: { nodes: { type: 'array', items: node }, edges: { const: [] } },
    }
    const whole = { type: 'object', required: ['graph'], properties: { graph } }
    return { ...validate, name: `the node ${type}`, schema: whole, base: {}, known: {} }
  })
}

function filled(path: string): string {
  return path.replaceAll(/\{\w+\}/g, ID)
}

/** The routes of foreign protocols: no operation describes their bodies. */
function protocolTargets({ seed }: TestServer): BodyTarget[] {
  const open = { type: 'object', properties: {}, additionalProperties: true }
  const list = (items: object) => ({ type: 'array', items })
  const common = {
    method: 'POST',
    known: {},
    contentType: 'application/json',
    headersOf: () => ({ 'x-api-key': seed.keys.organization, accept: 'application/json, text/event-stream' }),
  }
  const message = {
    type: 'object',
    required: ['role', 'content'],
    properties: {
      role: { const: 'user' },
      content: list({
        type: 'object',
        required: ['type', 'text'],
        properties: { type: { const: 'text' }, text: { type: 'string' } },
      }),
    },
  }
  const parameters = { type: 'object', properties: { name: { const: 'a' }, arguments: open, _meta: open } }
  return [
    {
      ...common,
      name: 'chat completions',
      url: '/api/v1/openai/chat/completions',
      schema: {
        type: 'object',
        properties: { messages: list(message), tool_context: open, stream_options: open, tools: list(open) },
      },
      base: { model: seed.agents.organization, messages: [{ role: 'user', content: 'hello' }] },
    },
    {
      ...common,
      name: 'mcp',
      url: '/api/v1/mcp',
      schema: { type: 'object', properties: { params: parameters, id: { const: 1 } } },
      base: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } },
    },
  ]
}
