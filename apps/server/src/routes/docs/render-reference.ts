import { ERRORS } from '@troupe/contract'
import { html, inline, type Markup, prose } from '@troupe/html'
import type { OpenApiDocument } from '@troupe/http/openapi/writing/document-types'
import { PAGE_ICON } from '@troupe/server-html/rendering/html-page'
import { mark } from '@troupe/server-html/rendering/mark'
import type { PlacedOperation } from './example-request.ts'
import { methodMark, renderOperation, renderResponse } from './render-operation.ts'
import { renderSchema } from './render-schema.ts'

/** A group of operations on one page. */
interface Group {
  /** Last part of the page's path. */
  slug: string
  name: string
  operations: PlacedOperation[]
}

/** One page of the reference. */
interface ReferencePage {
  /** Empty for the overview. */
  slug: string
  name: string
  content: Markup
}

/** Every page of the reference, complete, by the last part of its path; the overview has the empty one. */
export function renderReference(document: OpenApiDocument): ReadonlyMap<string, string> {
  const groups = groupsOf(document)
  const pages: ReferencePage[] = [
    { slug: '', name: 'Overview', content: overview(document, groups) },
    ...groups.map((group) => ({ ...group, content: groupContent(document, group) })),
    { slug: 'errors', name: 'Answers and errors', content: errorContent(document) },
    { slug: 'schemas', name: 'Schemas', content: schemaContent(document) },
  ]
  return new Map(pages.map((page, index) => [page.slug, frame(document, groups, pages, index)]))
}

const pathOf = (slug: string) => (slug === '' ? '/docs' : `/docs/${slug}`)
const slugOf = (name: string) => name.toLowerCase().replaceAll(' ', '-')

function groupsOf(document: OpenApiDocument): Group[] {
  const operations = placedOperations(document)
  return document.tags.map(({ name }) => ({
    slug: slugOf(name),
    name,
    operations: operations.filter(({ operation }) => operation.tags[0] === name),
  }))
}

/** The document around the content of a page. */
function frame(
  { info, components }: OpenApiDocument,
  groups: readonly Group[],
  pages: readonly ReferencePage[],
  index: number,
): string {
  const page = pages[index]
  if (!page) throw new Error(`There is no page ${index}.`)
  const title = page.slug === '' ? info.title : `${page.name} · ${info.title}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${PAGE_ICON.path}" type="${PAGE_ICON.type}">
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#top">Skip to the content</a>
<header class="top">${brand(info.title)}<button type="button" popovertarget="navigation">Menu</button></header>
<nav class="navigation" id="navigation" popover aria-label="Operations">${brand(info.title)}
<p class="search scripted"><label class="hidden" for="search">Search the reference</label><input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false"><kbd>/</kbd></p>
<p class="none" role="status"></p>
${navigationGroup({ slug: '', name: 'Overview' }, [], page.slug)}
${groups.map((group) =>
  navigationGroup(
    group,
    group.operations.map(({ method, path, operation }) => ({
      id: operation.operationId,
      label: html`<span>${operation.summary}</span>${methodMark(method)}`,
      words: `${operation.summary} ${operation.operationId} ${path}`,
    })),
    page.slug,
  ),
)}
${navigationGroup({ slug: 'errors', name: 'Answers and errors' }, [], page.slug)}
${navigationGroup(
  { slug: 'schemas', name: 'Schemas' },
  Object.keys(components.schemas).map((name) => ({
    id: `schema-${name}`,
    label: html`<span>${name}</span>`,
    words: name,
  })),
  page.slug,
)}
<p class="elsewhere"><a class="entry" href="/api/v1/openapi.json">OpenAPI document</a><a class="entry" href="/">Builder</a></p>
</nav>
<main id="top" tabindex="-1">
<h1>${page.slug === '' ? info.title : page.name}</h1>
${page.content}
${turner(pages, index)}
</main>
</body>
</html>`.text
}

const brand = (title: string) => html`<p class="brand"><a href="/docs">${mark(20)}${title}</a></p>`

/** A page with the list of its contents: shown on the page itself, and in search results everywhere. */
function navigationGroup(
  { slug, name }: { slug: string; name: string },
  entries: readonly { id: string; label: Markup; words: string }[],
  current: string,
): Markup {
  const isCurrent = slug === current
  const path = pathOf(slug)
  return html`<div class="group"><a class="entry page" href="${path}"${isCurrent ? html` aria-current="page"` : null}>${name}</a>${
    entries.length === 0
      ? null
      : html`<ul${isCurrent ? html` class="current"` : html` hidden`}>${entries.map(
          ({ id, label, words }) =>
            html`<li data-words="${words.toLowerCase()}"><a class="entry" href="${isCurrent ? '' : path}#${id}">${label}</a></li>`,
        )}</ul>`
  }</div>`
}

/** Links to the previous and next page. */
function turner(pages: readonly ReferencePage[], index: number): Markup {
  const before = pages[index - 1]
  const behind = pages[index + 1]
  const link = (page: ReferencePage, word: string, kind: string) =>
    html`<a class="${kind}" href="${pathOf(page.slug)}"><span>${word}</span>${page.name}</a>`
  return html`<nav class="turner" aria-label="Pages">${before ? link(before, 'Previous', 'before') : null}${behind ? link(behind, 'Next', 'behind') : null}</nav>`
}

function overview({ info, components }: OpenApiDocument, groups: readonly Group[]): Markup {
  return html`<div class="lead">${prose(info.description)}</div>
<section><h2>Operations</h2><div class="cards">${groups.map(
    (group) =>
      html`<section class="card"><h3><a href="${pathOf(group.slug)}">${group.name}</a></h3><ul>${group.operations.map(
        ({ method, operation }) =>
          html`<li id="${operation.operationId}"><a class="entry" href="${pathOf(group.slug)}#${operation.operationId}"><span>${operation.summary}</span>${methodMark(method)}</a></li>`,
      )}</ul></section>`,
  )}</div></section>
<section><h2>Rate limits</h2><p>Every response to a request with a key has these headers. A refusal with 429 also has <code>Retry-After</code>: the seconds to wait.</p>
<div class="fields">${Object.entries(components.headers)
    .filter(([name]) => name.startsWith('X-RateLimit-'))
    .map(
      ([name, header]) =>
        html`<div class="field"><p class="head"><code>${name}</code></p><p>${inline(header.description)}</p></div>`,
    )}</div></section>`
}

function groupContent({ components }: OpenApiDocument, { operations }: Group): Markup {
  return html`${operations.map((placed) => renderOperation(placed, components.schemas))}`
}

function schemaContent({ components }: OpenApiDocument): Markup {
  return html`${Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<article id="schema-${name}"><h2><a href="#schema-${name}">${name}</a></h2>${renderSchema(schema)}</article>`,
  )}`
}

function errorContent(document: OpenApiDocument): Markup {
  return html`<section id="shared-answers"><h2>Answers of every operation</h2>
<p>Every operation can answer these, as far as its method and access allow.</p>
${sharedAnswers(document)}</section>
<section id="errors"><h2>Error codes</h2>
<p>The field <code>error</code> of a refusal has one of these codes.</p>
<div class="fields">${Object.entries(ERRORS).map(
    ([code, { status, description }]) =>
      html`<div class="field"><p class="head"><code>${code}</code> <span class="status bad">${status}</span></p><p>${inline(description)}</p></div>`,
  )}</div></section>`
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

/** The shared responses with their statuses, which only operations have. */
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
  return html`<div class="fields answers">${rows}</div>`
}
