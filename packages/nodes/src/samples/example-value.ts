import { isJsonObject } from '@troupe/contract'

const MESSAGE = 'My order A-1001 has not arrived yet. Can you tell me where it is?'

/** Texts by a part of the field's name, the first match wins. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/e-?mail/, 'ana@example.com'],
  [/phone|mobile|\btel\b/, '+49 30 123456'],
  [/ur[il]\b|link|website|homepage/, 'https://example.com'],
  [/company|organi[sz]ation|firm/, 'Example Ltd'],
  [/first ?name|given ?name/, 'Ana'],
  [/last ?name|family ?name|surname/, 'Costa'],
  [/name|author|customer|person|\buser\b/, 'Ana Costa'],
  [/street|address/, '1 Example Street'],
  [/city|town/, 'Lisbon'],
  [/postal|post ?code|\bzip\b/, '1100-148'],
  [/country/, 'PT'],
  [/currency/, 'EUR'],
  [/language|locale/, 'en'],
  [/date|\bday\b|\bdue\b|deadline/, '2026-01-31'],
  [/time|\bat\b/, '2026-01-31T09:30:00Z'],
  [/\bids?\b|order|invoice|number|reference|\bref\b|\bkey\b|\bsku\b|code/, 'A-1001'],
  [/subject|title|topic/, 'A question about my order'],
  [/message|question|description|comment|body|text|content|details|feedback|request|problem/, MESSAGE],
]

const NUMBERS: readonly (readonly [RegExp, number])[] = [
  [/price|amount|total|cost|sum|budget/, 19.9],
  [/\bage\b/, 34],
  [/year/, 2026],
  [/count|quantity|number|\bqty\b/, 2],
]

/** Characters of a name that are read, and the most of a generated text: drafts have names and limits of any size. */
const MAX_NAME = 300
const MAX_TEXT = 10_000

/** "orderId" and "order-id" as "order id", in lower case. */
function wordsOf(name: string): string {
  return name
    .slice(0, MAX_NAME)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_\-.]+/g, ' ')
    .toLowerCase()
}

function matching<T>(rules: readonly (readonly [RegExp, T])[], name: string): T | undefined {
  const words = wordsOf(name)
  return rules.find(([rule]) => rule.test(words))?.[1]
}

const textOf = (name: string) => matching(TEXTS, name) ?? 'Example'

function numberOf({ name, min, max, step }: Record<string, unknown>): number {
  const value = matching(NUMBERS, String(name)) ?? 1
  const [low, high] = [typeof min === 'number' ? min : null, typeof max === 'number' ? max : null]
  // Only the lower bound is certain to be a multiple of the step.
  if (typeof step === 'number' && step > 0) return low ?? (high !== null && high < 0 ? high : 0)
  if (low !== null && value < low) return low
  return high !== null && value > high ? high : value
}

/** The value of an option: a text, or the `value` of an object. */
function optionOf(option: unknown): string[] {
  if (typeof option === 'string') return [option]
  return isJsonObject(option) && typeof option.value === 'string' ? [option.value] : []
}

function fitted(text: string, { minLength, maxLength }: Record<string, unknown>): string {
  const shortest = typeof minLength === 'number' ? Math.min(minLength, MAX_TEXT) : 0
  const long = text.length < shortest ? text.padEnd(shortest, ` ${text}`) : text
  return typeof maxLength === 'number' ? long.slice(0, maxLength) : long
}

function dateWithin({ min, max }: Record<string, unknown>): string {
  const value = '2026-01-31'
  if (typeof min === 'string' && min > value) return min
  return typeof max === 'string' && max < value ? max : value
}

/** An example value of a declared payload field, from its name and type. null: the type is unknown. */
export function examplePayloadValue(field: Record<string, unknown>): unknown {
  switch (field.type) {
    case 'string':
      return textOf(String(field.name))
    case 'number':
      return numberOf(field)
    case 'boolean':
      return true
    case 'object':
      return {}
    default:
      return null
  }
}

/** An example answer to a question of a form, from its name, type, options and limits. Its default value comes first. */
export function exampleAnswer(field: Record<string, unknown>): unknown {
  const { type, options, defaultValue, multiple } = field
  const choices = (Array.isArray(options) ? options : []).flatMap(optionOf)
  switch (type) {
    case 'number':
      return typeof defaultValue === 'number' ? defaultValue : numberOf(field)
    case 'checkboxes': {
      if (Array.isArray(defaultValue)) return defaultValue
      const fewest = typeof field.min === 'number' ? field.min : 1
      return choices.slice(0, Math.max(fewest, 1))
    }
    case 'file': {
      const text = 'The text of the file.'
      const file = { text, filename: 'example.txt', contentType: 'text/plain', sizeBytes: text.length }
      return multiple === true ? [file] : file
    }
    default:
  }
  if (typeof defaultValue === 'string' && defaultValue !== '') return defaultValue
  switch (type) {
    case 'email':
      return 'ana@example.com'
    case 'password':
      return 'example-password'
    case 'date':
      return dateWithin(field)
    case 'dropdown':
    case 'radio':
      return choices[0] ?? ''
    default:
      return fitted(textOf(`${field.name} ${field.label ?? ''}`), field)
  }
}
