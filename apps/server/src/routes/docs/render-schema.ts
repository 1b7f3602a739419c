import { html, inline, Markup } from '@troupe/html'
import type { JsonSchema } from '@troupe/http/openapi/writing/schema-writer'

/** The page that describes named schemas. */
const SCHEMAS_PATH = '/docs/schemas'

/** The name that a schema refers to, or null. */
function refName(schema: JsonSchema): string | null {
  return typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? null) : null
}

/** The type of a value as text, with links to named schemas. */
export function typeName(schema: JsonSchema): Markup {
  const name = refName(schema)
  if (name) return html`<a href="${SCHEMAS_PATH}#schema-${name}">${name}</a>`
  if (schema.contentSchema) return html`JSON of ${typeName(schema.contentSchema)} as text`
  const union = schema.anyOf
  if (union) return joined([...new Set(union.map((member) => typeName(member).text))])
  const types = [schema.type ?? 'any'].flat().map(String)
  const named = types.map((type) => {
    if (type === 'array') return html`array of ${typeName(schema.items ?? {})}`
    return html`${typeof schema.format === 'string' && type === 'string' ? schema.format : type}`
  })
  return joined(named.map(({ text }) => text))
}

/** @param texts markup */
function joined(texts: readonly string[]): Markup {
  return new Markup(texts.join(' or '))
}

const FIGURES = new Intl.NumberFormat('en')
const figure = (value: unknown) => (typeof value === 'number' ? FIGURES.format(value) : String(value))

/** The constraints of a value besides its type. */
function rules(schema: JsonSchema): string[] {
  const found: string[] = []
  const { minLength, maxLength, minimum, maximum } = schema
  if (minLength !== undefined || maxLength !== undefined) {
    found.push(`${figure(minLength ?? 0)} to ${figure(maxLength ?? 'any number of')} characters`)
  }
  if (minimum !== undefined || maximum !== undefined) {
    found.push(
      maximum === undefined
        ? `at least ${figure(minimum)}`
        : `${figure(minimum ?? 'any')} to ${figure(maximum)}`,
    )
  }
  if (Array.isArray(schema.enum))
    found.push(`one of ${schema.enum.map((value) => `\`${value}\``).join(', ')}`)
  if (schema.const !== undefined) found.push(`always \`${schema.const}\``)
  if (schema.default !== undefined) found.push(`default \`${schema.default}\``)
  return found
}

/** One field or parameter: name and type in one line, below it the description and constraints, and its own fields folded. */
export function fieldRow(
  field: { name: string; required: boolean; description?: string | undefined },
  schema: JsonSchema,
): Markup {
  const text = field.description ?? schema.description
  const limits = rules(schema)
  const inner = fieldsBelow(schema)
  return html`<div class="field"><p class="head"><code>${field.name}</code> <span class="type">${typeName(schema)}</span>${
    field.required ? html` <span class="required">required</span>` : null
  }</p>${text === undefined ? null : html`<p>${inline(text)}</p>`}${
    limits.length === 0 ? null : html`<p class="rules">${inline(limits.join(' · '))}</p>`
  }${inner.count === 0 ? null : html`<details class="nested"><summary>${inner.count} ${inner.count === 1 ? 'field' : 'fields'} of <code>${field.name}</code></summary>${inner.markup}</details>`}</div>`
}

/** The fields of an object or of each of its variants; the type of any other schema. */
export function renderSchema(schema: JsonSchema): Markup {
  const { markup, count } = fieldsBelow(schema)
  return count === 0 ? html`<p class="type">${typeName(schema)}</p>` : markup
}

/** The fields of a value: of the object itself, of the items of a list, or of each variant. */
function fieldsBelow(schema: JsonSchema): { markup: Markup; count: number } {
  const union = schema.anyOf
  if (union) {
    const variants = union.map(fieldsBelow).filter(({ count }) => count > 0)
    const [only] = variants
    if (variants.length === 1 && only) return only
    return {
      markup: html`${variants.map(({ markup }, index) => html`<div class="variant"><p class="or">${index === 0 ? 'Either' : 'Or'}</p>${markup}</div>`)}`,
      count: variants.reduce((sum, { count }) => sum + count, 0),
    }
  }
  const isList = [schema.type].flat().includes('array')
  if (isList) return schema.items ? fieldsBelow(schema.items) : NO_FIELDS
  const required = new Set(schema.required ?? [])
  const properties = Object.entries(schema.properties ?? {})
  const rows = properties.map(([name, property]) =>
    fieldRow({ name, required: required.has(name) }, property),
  )
  return { markup: html`<div class="fields">${rows}</div>`, count: rows.length }
}

const NO_FIELDS = { markup: html``, count: 0 }
