import { type GraphNode, tokenize } from '@troupe/graph'
import { manualTrigger } from '../manual-trigger/definition.ts'
import { type CallField, fieldsOfSample } from '../manual-trigger/sample-fields.ts'
import { httpRequest } from './definition.ts'

type ReadNode = Pick<GraphNode, 'id' | 'type' | 'config'>

/** Whether the steps read the payload of a webhook, which is below `body`. A declared field of that name is read from there instead. */
export function readsBody(nodes: readonly ReadNode[]): boolean {
  const triggers = nodes.filter(({ type }) => type === httpRequest.type)
  const fields = triggers.flatMap(({ config }) => httpRequest.fields?.(config) ?? [])
  if (fields.some(({ name }) => name === 'body')) return false
  const ids = new Set(triggers.map(({ id }) => id))
  // Braces of JSON never form or break a token, because a token contains none.
  return nodes.some(({ config }) =>
    tokenize(JSON.stringify(config)).some((part) => {
      if (part.kind === 'text') return false
      const { path } = part
      const isTrigger =
        path.namespace === 'trigger' || (path.namespace === 'upstream' && ids.has(path.nodeId))
      return isTrigger && path.keys[0] === 'body'
    }),
  )
}

/**
 * The input with which a call by the API starts a graph, from the caller's values. The API binds an input unchanged,
 * and a webhook below `body`: steps written for a webhook also get the values there, unless the caller sends a `body`
 * itself.
 */
export function callInput(
  nodes: readonly ReadNode[],
  values: Record<string, unknown>,
): Record<string, unknown> {
  return readsBody(nodes) && !Object.hasOwn(values, 'body') ? { ...values, body: values } : values
}

/** Names of arguments that every provider accepts; Anthropic refuses a request with any other. */
const ARGUMENT = /^[a-zA-Z0-9_.-]{1,64}$/

/**
 * JSON Schema of a caller's input for a workflow: the declared fields of its HTTP trigger, else those of its manual trigger's sample, else
 * any object. Fields with names that some provider refuses are listed in the description instead.
 */
export function callSchema(triggers: readonly Pick<GraphNode, 'type' | 'config'>[]): {
  type: 'object'
  [keyword: string]: unknown
} {
  const http = triggers.find(({ type }) => type === httpRequest.type)
  const declared = http ? (httpRequest.fields?.(http.config) ?? []) : []
  const manual = triggers.find(({ type }) => type === manualTrigger.type)
  const fields = declared.length > 0 ? declared : fieldsOfSample(manual?.config.sample)
  if (fields === null) return { type: 'object' }
  const isArgument = ({ name }: CallField) => ARGUMENT.test(name)
  const named = fields.filter(isArgument)
  const others = fields.filter((field) => !isArgument(field))
  const required = named.filter((field) => field.required).map(({ name }) => name)
  return {
    type: 'object',
    ...(others.length > 0 ? { description: descriptionOf(others) } : {}),
    properties: Object.fromEntries(named.map(({ name, type }) => [name, { type }])),
    ...(declared.length > 0 ? { required } : {}),
  }
}

function descriptionOf(fields: readonly CallField[]): string {
  const named = fields.map(({ name, type, required }) => {
    return `${JSON.stringify(name)} (${type}${required ? ', required' : ''})`
  })
  return `Further arguments, by these names: ${named.join(', ')}.`
}
