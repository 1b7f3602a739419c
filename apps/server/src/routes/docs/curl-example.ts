import { isJsonObject } from '@troupe/contract'
import type { JsonSchema, OperationObject } from '@troupe/openapi'
import { exampleValue } from './example-value.ts'

const SAMPLE_ID = '0193b6c8-5d1e-7c3a-9f42-7b1d2c3e4f50'

/** A shell command that calls an operation with its smallest valid request. */
export function curlExample(
  target: { method: string; path: string; serverUrl: string },
  operation: OperationObject,
  components: Record<string, JsonSchema>,
): string {
  const url = target.serverUrl + target.path.replaceAll(/\{\w+\}/g, SAMPLE_ID)
  const streams = Object.values(operation.responses).some(
    (response) => 'content' in response && response.content?.['text/event-stream'],
  )
  const lines = [
    `curl ${streams ? '-N ' : ''}${target.method === 'GET' ? '' : `-X ${target.method} `}"${url}"`,
  ]
  lines.push(...credentials(operation))
  const schema = operation.requestBody?.content['application/json']?.schema
  if (schema) {
    lines.push(`-H "Content-Type: application/json"`)
    const required = exampleValue(schema, components, 'required')
    const body = isJsonObject(required) && Object.keys(required).length > 0 ? required : { name: 'Writer' }
    lines.push(`-d '${JSON.stringify(body)}'`)
  } else if (operation.requestBody) {
    lines.push(`-H "Content-Type: application/yaml"`, '--data-binary @bundle.yaml')
  }
  return lines.join(' \\\n  ')
}

/** The authentication headers. */
function credentials({ security, parameters = [] }: OperationObject): string[] {
  if (security.some((scheme) => 'adminToken' in scheme)) return ['-H "Authorization: Bearer $ADMIN_TOKEN"']
  if (security.some((scheme) => 'bearerKey' in scheme)) return ['-H "Authorization: Bearer $API_KEY"']
  const timed = parameters.some(({ name }) => name === 'x-service-timestamp')
  const time = timed ? ['-H "X-Service-Timestamp: $(date +%s)"'] : []
  return security.length > 0 || timed ? [...time, '-H "X-API-Key: $API_KEY"'] : []
}
