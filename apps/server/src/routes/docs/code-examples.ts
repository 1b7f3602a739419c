import { isJsonObject } from '@troupe/contract'
import type { JsonSchema } from '@troupe/http/openapi/writing/schema-writer'
import { CLIENT_CALLS } from './client-calls.ts'
import { type ExampleRequest, exampleRequest, type PlacedOperation } from './example-request.ts'

/** The languages of the examples, as readers know them. */
export const LANGUAGES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const
export type Language = keyof typeof LANGUAGES

const CALLS: Readonly<Record<string, string | undefined>> = CLIENT_CALLS

/** The smallest valid request of an operation in every language. */
export function codeExamples(
  placed: PlacedOperation,
  components: Record<string, JsonSchema>,
): Record<Language, string> {
  const request = exampleRequest(placed, components)
  const id = placed.operation.operationId
  const call = CALLS[id]
  return {
    curl: curlExample(request),
    typescript: call === undefined ? fetchExample(request) : clientExample(request, call, placed.serverUrl),
    // The Python client has every operation that takes an API key.
    python:
      request.credential === 'apiKey' && !request.isTimed
        ? pythonExample(request, snakeCase(id), placed.serverUrl)
        : httpxExample(request),
  }
}

/** The name of an operation's method in the Python client. */
export function snakeCase(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function curlExample({ method, url, credential, isTimed, body, answer }: ExampleRequest): string {
  const lines = [`curl ${answer === 'events' ? '-N ' : ''}${method === 'GET' ? '' : `-X ${method} `}"${url}"`]
  if (isTimed) lines.push('-H "X-Service-Timestamp: $(date +%s)"')
  if (credential === 'bearerKey') lines.push('-H "Authorization: Bearer $API_KEY"')
  if (credential === 'apiKey') lines.push('-H "X-API-Key: $API_KEY"')
  if (body?.kind === 'json') {
    const text = JSON.stringify(body.value).replaceAll("'", "'\\''")
    lines.push('-H "Content-Type: application/json"', `-d '${text}'`)
  }
  if (body?.kind === 'file') lines.push(`-F "${body.name}=@report.pdf"`)
  return lines.join(' \\\n  ')
}

function clientExample(request: ExampleRequest, call: string, serverUrl: string): string {
  const { ids, query, body, answer } = request
  const input = body?.kind === 'json' ? body.value : Object.keys(query).length > 0 ? query : null
  const args = [...ids.map(javascriptValue), ...(input === null ? [] : [javascriptValue(input)])]
  const called = `await unwrap(client.${call}(${args.join(', ')}))`
  const uses = {
    events: `const stream = ${called}\nfor await (const event of stream) console.log(event)`,
    json: `const answer = ${called}\nconsole.log(answer)`,
    none: called,
  }
  return `import { createClient, unwrap } from '@troupe/client'

const client = createClient({
  baseUrl: ${javascriptValue(serverUrl)},
  apiKey: process.env.API_KEY ?? '',
})

${uses[answer]}`
}

function fetchExample({ method, url, credential, isTimed, body, answer }: ExampleRequest): string {
  const headers = [
    ...(credential === 'bearerKey' ? ["Authorization: 'Bearer ' + process.env.API_KEY"] : []),
    ...(credential === 'apiKey' ? ["'X-API-Key': process.env.API_KEY ?? ''"] : []),
    ...(isTimed ? ["'X-Service-Timestamp': String(Math.floor(Date.now() / 1000))"] : []),
    ...(body?.kind === 'json' ? ["'Content-Type': 'application/json'"] : []),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers.map((one) => `    ${one},`), '  },']),
    ...(body?.kind === 'json' ? [`  body: JSON.stringify(${javascriptValue(body.value)}),`] : []),
    ...(body?.kind === 'file' ? ['  body: form,'] : []),
  ]
  const form =
    body?.kind === 'file'
      ? `import { openAsBlob } from 'node:fs'

const form = new FormData()
form.append('${body.name}', await openAsBlob('report.pdf'), 'report.pdf')

`
      : ''
  const given = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`
  const read = answer === 'none' ? 'response.status' : 'await response.json()'
  return `${form}const response = await fetch(${javascriptValue(url)}${given})
console.log(${read})`
}

function pythonExample(request: ExampleRequest, method: string, serverUrl: string): string {
  const { ids, query, body, answer } = request
  const input = body?.kind === 'json' ? body.value : query
  const args = [
    ...ids.map((id) => JSON.stringify(id)),
    ...Object.entries(input).map(([name, value]) => `${name}=${pythonValue(value)}`),
  ]
  const called = `client.${method}(${args.join(', ')})`
  const uses = {
    events: `for event in ${called}:\n        print(event)`,
    json: `answer = ${called}\n    print(answer)`,
    none: called,
  }
  return `import os
from troupe import Troupe

with Troupe(${JSON.stringify(serverUrl)}, os.environ["API_KEY"]) as client:
    ${uses[answer]}`
}

function httpxExample({ method, url, credential, isTimed, body, answer }: ExampleRequest): string {
  const headers = [
    ...(credential === 'bearerKey' ? ['"Authorization": f"Bearer {os.environ[\'API_KEY\']}"'] : []),
    ...(credential === 'apiKey' ? ['"X-API-Key": os.environ["API_KEY"]'] : []),
    ...(isTimed ? ['"X-Service-Timestamp": str(int(time.time()))'] : []),
  ]
  const args = [
    `    ${JSON.stringify(url)},`,
    ...(headers.length === 0 ? [] : ['    headers={', ...headers.map((one) => `        ${one},`), '    },']),
    ...(body?.kind === 'json' ? [`    json=${pythonValue(body.value)},`] : []),
    ...(body?.kind === 'file' ? [`    files={"${body.name}": open("report.pdf", "rb")},`] : []),
  ]
  const modules = [...(credential === null ? [] : ['import os']), ...(isTimed ? ['import time'] : [])]
  return `${[...modules, 'import httpx'].join('\n')}

response = httpx.${method.toLowerCase()}(
${args.join('\n')}
)
print(${answer === 'none' ? 'response.status_code' : 'response.json()'})`
}

/** A JSON value in usual JavaScript notation. */
function javascriptValue(value: unknown): string {
  if (typeof value === 'string') {
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  }
  if (Array.isArray(value)) return `[${value.map(javascriptValue).join(', ')}]`
  if (!isJsonObject(value)) return String(value)
  const fields = Object.entries(value).map(
    ([name, one]) => `${/^\w+$/.test(name) ? name : javascriptValue(name)}: ${javascriptValue(one)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

function pythonValue(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one)}`)
    .join(', ')}}`
}
