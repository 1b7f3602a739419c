import { html, type Markup, prose } from '@troupe/html'
import type {
  OperationObject,
  ParameterObject,
  ResponseObject,
} from '@troupe/http/openapi/writing/document-types'
import type { JsonSchema } from '@troupe/http/openapi/writing/schema-writer'
import { codeExamples, LANGUAGES } from './code-examples.ts'
import { colouredCode } from './coloured-code.ts'
import { exampleRequest, type PlacedOperation } from './example-request.ts'
import { exampleValue } from './example-value.ts'
import { renderRequestForm } from './render-request-form.ts'
import { fieldRow, renderSchema, typeName } from './render-schema.ts'

const PLACES: readonly [ParameterObject['in'], string][] = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
]

/** The section of one operation: its parameters and responses, with examples beside them. */
export function renderOperation(placed: PlacedOperation, components: Record<string, JsonSchema>): Markup {
  const { method, path, operation } = placed
  const parameters = PLACES.map(([place, title]) => {
    const rows = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === place)
      .map(({ schema, ...parameter }) =>
        fieldRow(
          { ...parameter, description: parameter.description },
          { ...schema, description: parameter.description },
        ),
      )
    return rows.length === 0 ? null : part(title, html`<div class="fields">${rows}</div>`)
  })
  const bodies = Object.values(operation.requestBody?.content ?? {})
  return html`<article class="operation" id="${operation.operationId}">
<div class="about"><h2><a href="#${operation.operationId}">${operation.summary}</a></h2>
<p class="route">${methodMark(method)} <code>${breakable(path)}</code></p>
${operation.description ? prose(operation.description) : null}
${parameters}
${bodies.map(({ schema }) => part('Body', renderSchema(schema)))}
${part('Answers', renderResponses(operation))}
</div><div class="examples">${renderExamples(placed, components)}</div>
</article>`
}

/** The method of a route, in its colour. */
export function methodMark(method: string): Markup {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

/** A foldable part of a section, folded by default on a phone. */
function part(title: string, content: Markup): Markup {
  return html`<details class="part" open><summary><h3>${title}</h3></summary>${content}</details>`
}

/** A path that narrow pages break after its slashes. */
function breakable(path: string): Markup {
  return html`${path.split('/').map((piece, index) => html`${index === 0 ? null : html`/<wbr>`}${piece}`)}`
}

/** The operation's own responses in full, and the statuses of the shared ones. */
function renderResponses({ responses }: OperationObject): Markup {
  const entries = Object.entries(responses)
  const rows = entries.map(([status, response]) =>
    '$ref' in response ? null : renderResponse(status, response),
  )
  const shared = entries.filter(([, response]) => '$ref' in response).map(([status]) => status)
  return html`<div class="fields answers">${rows}</div>
<p class="shared">Also <a href="/docs/errors">${shared.join(', ')}</a>, as everywhere.</p>`
}

/** One response: its status, its meaning, and for a success its body. */
export function renderResponse(status: string, { description, content }: ResponseObject): Markup {
  const [body] = Object.values(content ?? {})
  const isGood = status.startsWith('2')
  return html`<div class="answer"><span class="status ${isGood ? 'good' : 'bad'}">${status}</span><div>${prose(description)}${isGood && body ? renderAnswer(body.schema) : null}</div></div>`
}

/** A named schema by its name, any other with its fields folded. */
function renderAnswer(schema: JsonSchema): Markup {
  if ('$ref' in schema || (!schema.properties && !schema.anyOf && !schema.items)) {
    return html`<p class="type">${typeName(schema)}</p>`
  }
  return html`<details class="nested"><summary>Fields of the answer</summary>${renderSchema(schema)}</details>`
}

/** The request in every language, the form that sends it, and a response. */
function renderExamples(placed: PlacedOperation, components: Record<string, JsonSchema>): Markup {
  const { operation } = placed
  const id = operation.operationId
  const examples = codeExamples(placed, components)
  const languages = Object.entries(LANGUAGES)
  return html`<div class="code">
<fieldset class="code-bar"><legend class="hidden">Language of the example</legend>${languages.map(
    ([language, name], index) =>
      html`<label><input type="radio" name="language-${id}" value="${language}"${index === 0 ? html` checked` : null}>${name}</label>`,
  )}<button type="button" class="copy scripted" aria-label="Copy the example">Copy</button></fieldset>
${Object.entries(examples).map(
  ([language, code]) => html`<pre tabindex="0" class="${language}"><code>${colouredCode(code)}</code></pre>`,
)}</div>
${renderRequestForm(placed, exampleRequest(placed, components))}
${renderExampleAnswer(operation, components)}`
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
  const answer = JSON.stringify(exampleValue(schema, components), null, 2)
  return html`<div class="code"><p class="code-bar">Answer <span class="status good">${status}</span></p><pre tabindex="0"><code>${colouredCode(answer)}</code></pre></div>`
}
