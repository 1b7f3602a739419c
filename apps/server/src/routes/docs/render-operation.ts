import { html, type Markup, prose } from '@troupe/html'
import type { JsonSchema, OperationObject, ResponseObject } from '@troupe/openapi'
import { curlExample } from './curl-example.ts'
import { exampleValue } from './example-value.ts'
import { fieldRow, renderSchema, typeName } from './render-schema.ts'

/** An operation with its path and method. */
export interface PlacedOperation {
  method: string
  path: string
  serverUrl: string
  operation: OperationObject
}

/** The section of one operation. */
export function renderOperation(placed: PlacedOperation, components: Record<string, JsonSchema>): Markup {
  const { method, path, operation } = placed
  const parameters = (operation.parameters ?? []).map((parameter) =>
    fieldRow(
      { ...parameter, name: parameter.name, description: parameter.description },
      { ...parameter.schema, description: parameter.description },
    ),
  )
  return html`<article class="operation" id="${operation.operationId}">
<h3>${operation.summary}</h3>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${operation.description ? prose(operation.description) : null}
<div class="columns"><div>
${parameters.length > 0 ? html`<h4>Parameters</h4><div class="scroll"><table><tbody>${parameters}</tbody></table></div>` : null}
${operation.requestBody ? html`<h4>Body</h4>${Object.values(operation.requestBody.content).map(({ schema }) => renderSchema(schema))}` : null}
<h4>Answers</h4>
${renderResponses(operation)}
</div><div class="examples">
<h4>Example</h4>
<pre tabindex="0"><code>${curlExample(placed, operation, components)}</code></pre>
${renderExampleAnswer(operation, components)}
</div></div>
</article>`
}

/** The operation's own responses in full, and the statuses of the shared ones. */
function renderResponses({ responses }: OperationObject): Markup {
  const entries = Object.entries(responses)
  const rows = entries.map(([status, response]) =>
    '$ref' in response ? null : renderResponse(status, response),
  )
  const shared = entries.filter(([, response]) => '$ref' in response).map(([status]) => status)
  return html`<div class="scroll"><table class="responses"><tbody>${rows}</tbody></table></div>
<p class="shared">Also <a href="#shared-answers">${shared.join(', ')}</a>, as everywhere.</p>`
}

/** A row of a table of responses. */
export function renderResponse(status: string, { description, content }: ResponseObject): Markup {
  const [body] = Object.values(content ?? {})
  const kind = status.startsWith('2') ? 'good' : 'bad'
  return html`<tr><th scope="row"><span class="status ${kind}">${status}</span></th><td>${prose(description)}${kind === 'good' && body ? renderAnswer(body.schema) : null}</td></tr>`
}

/** A named schema by its name, any other with its fields. */
function renderAnswer(schema: JsonSchema): Markup {
  return '$ref' in schema ? html`<p class="type">${typeName(schema)}</p>` : renderSchema(schema)
}

function renderExampleAnswer(
  operation: OperationObject,
  components: Record<string, JsonSchema>,
): Markup | null {
  const [status = '', success] =
    Object.entries(operation.responses).find(([one]) => one.startsWith('2')) ?? []
  if (!success || '$ref' in success) return null
  const schema = success.content?.['application/json']?.schema
  if (!schema) return null
  return html`<h4>Answer ${status}</h4><pre tabindex="0"><code>${JSON.stringify(exampleValue(schema, components), null, 2)}</code></pre>`
}
