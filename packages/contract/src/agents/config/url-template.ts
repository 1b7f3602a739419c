import { parseTemplate, type Template, type ToolTemplatePart } from './template.ts'

/** One pair of a query; the key is literal. */
export interface QueryTemplate {
  key: string
  value: Template
}

/** The parts of a URL, each to be filled with values that are encoded for their place. */
export interface UrlTemplate {
  scheme: 'http' | 'https'
  /** Host and port: text and values of the context, never an argument. */
  authority: Template
  path: Template
  query: readonly QueryTemplate[]
}

const STRAY =
  'must have no fragment, backslash, space or control character, and no braces but {name} and {{ context.path }}'

/** A URL as a template, or its fault. */
export function parseUrlTemplate(
  text: string,
): { ok: true; url: UrlTemplate } | { ok: false; message: string } {
  const scheme = /^https?(?=:\/\/)/i.exec(text)?.[0].toLowerCase()
  const rest = text.slice((scheme?.length ?? 0) + 3)
  const [host, after] = splitBefore(rest, rest.search(/[/?#\\]/))
  const [pathText, queryText] = splitBefore(after, after.indexOf('?'))
  if (!scheme || host === '') return refused('must start with http:// or https:// and a host')
  if (host.includes('@')) return refused('must have no user name or password: use a credential')
  const authority = strict(host)
  const path = strict(pathText)
  const query = queryTemplates(queryText.slice(1))
  if (!authority || !path || !query) return refused(STRAY)
  if (authority.some(({ kind }) => kind === 'argument')) {
    return refused('must not have an argument in its host or port')
  }
  const sample = `${scheme}://${sampleOf(authority)}${sampleOf(path)}`
  if (!URL.canParse(sample)) return refused('is not a URL')
  return {
    ok: true,
    url: { scheme: scheme === 'http' ? 'http' : 'https', authority, path, query },
  }
}

/** Both parts of a text split before an index; -1: there is no second part. */
function splitBefore(text: string, at: number): [string, string] {
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

function refused(message: string): { ok: false; message: string } {
  return { ok: false, message }
}

const isStray = (part: ToolTemplatePart) => part.kind === 'text' && /[{}#\\\s\p{Cc}]/u.test(part.text)

/** Null for a text that is not part of a URL, and if a brace belongs to no placeholder. */
function strict(text: string): Template | null {
  const template = parseTemplate(text)
  return template?.some(isStray) ? null : template
}

function sampleOf(template: Template): string {
  return template.map((part) => (part.kind === 'text' ? part.text : 'x')).join('')
}

/** Null for a key with a placeholder, and for a value with other braces. */
function queryTemplates(text: string): QueryTemplate[] | null {
  const pairs: QueryTemplate[] = []
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const [key = '', ...rest] = pair.split('=')
    const value = strict(rest.join('='))
    if (!value || /[{}]/.test(key)) return null
    pairs.push({ key: decoded(key), value: value.map(decodedPart) })
  }
  return pairs
}

function decodedPart(part: ToolTemplatePart): ToolTemplatePart {
  return part.kind === 'text' ? { kind: 'text', text: decoded(part.text) } : part
}

/** Decoded like a form; a text with broken escapes is unchanged. */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
