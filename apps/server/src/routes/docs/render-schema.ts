import { html, inline, type Markup } from '@troupe/html'
import type { JsonSchema } from '@troupe/openapi'

/** The name that a schema refers to, or null. */
function refName(schema: JsonSchema): string | null {
  return typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? null) : null
}

/** The type of a value as text, with links to named schemas. */
export function typeName(schema: JsonSchema): Markup {
  const name = refName(schema)
  if (name) return html`<a href="#schema-${name}">${name}</a>`
  if (schema.contentSchema) return html`JSON of ${typeName(schema.contentSchema)} as text`
  const union = schema.anyOf
  if (union) return html`${union.map((member, index) => html`${index > 0 ? ' or ' : ''}${typeName(member)}`)}`
  const types = [schema.type ?? 'any'].flat().map(String)
  const named = types.map((type) =>
    type === 'array'
      ? html`array of ${typeName(schema.items ?? {})}`
      : html`${typeof schema.format === 'string' && type === 'string' ? schema.format : type}`,
  )
  return html`${named.map((type, index) => html`${index > 0 ? ' or ' : ''}${type}`)}`
}

/** The constraints of a value besides its type. */
function rules(schema: JsonSchema): string[] {
  const found: string[] = []
  const { minLength, maxLength, minimum, maximum } = schema
  if (minLength !== undefined || maxLength !== undefined) {
    found.push(`${minLength ?? 0} to ${maxLength ?? 'any number of'} characters`)
  }
  if (minimum !== undefined || maximum !== undefined) {
    found.push(maximum === undefined ? `at least ${minimum}` : `${minimum ?? 'any'} to ${maximum}`)
  }
  if (Array.isArray(schema.enum))
    found.push(`one of ${schema.enum.map((value) => `\`${value}\``).join(', ')}`)
  if (schema.const !== undefined) found.push(`always \`${schema.const}\``)
  if (schema.default !== undefined) found.push(`default \`${schema.default}\``)
  return found
}

/** One row of a table of fields or parameters. */
export function fieldRow(
  field: { name: string; required: boolean; description?: string | undefined },
  schema: JsonSchema,
): Markup {
  const sentences = [field.description ?? schema.description, ...rules(schema)]
  const text = sentences.filter((part): part is string => part !== undefined).join(' · ')
  const marker = field.required ? html` <span class="required">required</span>` : null
  return html`<tr><th scope="row"><code>${field.name}</code>${marker}</th><td class="type">${typeName(schema)}</td><td>${inline(text)}</td></tr>`
}

/** The fields of an object, with nested objects below their names; any other schema by its type. */
export function renderSchema(schema: JsonSchema): Markup {
  const union = schema.anyOf
  if (union) return html`${union.map((member) => html`<div class="variant">${renderSchema(member)}</div>`)}`
  const rows = fieldRows(schema, '')
  if (rows.length === 0) return html`<p class="type">${typeName(schema)}</p>`
  return html`<div class="scroll"><table><tbody>${rows}</tbody></table></div>`
}

function fieldRows(schema: JsonSchema, prefix: string): Markup[] {
  const required = new Set(schema.required ?? [])
  const properties = schema.properties ?? {}
  return Object.entries(properties).flatMap(([key, property]) => {
    const name = `${prefix}${key}`
    const items = [property.type].flat().includes('array') ? (property.items ?? null) : null
    const inner = items ? fieldRows(items, `${name}[].`) : fieldRows(property, `${name}.`)
    return [fieldRow({ name, required: required.has(key) }, property), ...inner]
  })
}
