import { ERRORS } from '@troupe/contract'
import { html, inline, type Markup, prose } from '@troupe/html'
import type { OpenApiDocument } from '@troupe/openapi'
import { PAGE_ICON } from '@troupe/pages/rendering/html-page'
import { type PlacedOperation, renderOperation, renderResponse } from './render-operation.ts'
import { renderSchema } from './render-schema.ts'

/** The complete reference page. It needs only its own style sheet. */
export function renderReference(document: OpenApiDocument): string {
  const { components, info, tags } = document
  const operations = placedOperations(document)
  const groups = tags.map(({ name }) => ({
    name,
    operations: operations.filter(({ operation }) => operation.tags[0] === name),
  }))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<link rel="icon" href="${PAGE_ICON.path}" type="${PAGE_ICON.type}">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<nav aria-label="Operations"><p class="brand"><a href="#top">${info.title}</a></p>
${groups.map(
  (group) =>
    html`<h2>${group.name}</h2><ul>${group.operations.map(
      ({ method, operation }) =>
        html`<li><a href="#${operation.operationId}"><span class="method ${method.toLowerCase()}">${method}</span>${operation.summary}</a></li>`,
    )}</ul>`,
)}
<h2>Reference</h2><ul><li><a href="#shared-answers">Answers of every operation</a></li><li><a href="#errors">Error codes</a></li>${Object.keys(
    components.schemas,
  ).map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul>
</nav>
<main id="top">
<header><h1>${info.title}</h1>${prose(info.description)}
<p>Every response to a request with a key has the rate limit headers:</p>
<div class="scroll"><table><tbody>${Object.entries(components.headers).map(
    ([name, header]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${inline(header.description)}</td></tr>`,
  )}</tbody></table></div>
<p><a href="/api/v1/openapi.json">OpenAPI document</a></p></header>
${groups.map(
  (group) =>
    html`<section><h2>${group.name}</h2>${group.operations.map((placed) => renderOperation(placed, components.schemas))}</section>`,
)}
<section id="shared-answers"><h2>Answers of every operation</h2>
<p>Every operation can answer these, as far as its method and access allow.</p>
${sharedAnswers(document)}</section>
<section id="errors"><h2>Error codes</h2>${errorTable()}</section>
<section><h2>Schemas</h2>${Object.entries(components.schemas).map(
    ([name, schema]) => html`<article id="schema-${name}"><h3>${name}</h3>${renderSchema(schema)}</article>`,
  )}</section>
</main>
</body>
</html>`.text
}

function placedOperations({ paths, servers }: OpenApiDocument): PlacedOperation[] {
  const serverUrl = servers[0]?.url ?? ''
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      serverUrl,
      operation,
    })),
  )
}

/** The shared responses with their statuses, which only the operations know. */
function sharedAnswers({ paths, components }: OpenApiDocument): Markup {
  const statuses = new Map(
    Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.entries(responses))
      .flatMap(([status, response]) => ('$ref' in response ? [[response.$ref, status]] : [])),
  )
  const rows = Object.entries(components.responses).map(([name, response]) =>
    renderResponse(statuses.get(`#/components/responses/${name}`) ?? '', response),
  )
  return html`<div class="scroll"><table class="responses"><tbody>${rows}</tbody></table></div>`
}

function errorTable(): Markup {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, description }]) =>
      html`<tr><th scope="row"><code>${code}</code></th><td><span class="status bad">${status}</span></td><td>${inline(description)}</td></tr>`,
  )
  return html`<div class="scroll"><table><tbody>${rows}</tbody></table></div>`
}
