import { isJsonObject } from '@troupe/contract'
import { textOf } from '../http/fill-template.ts'
import type { ValueFormat } from './operation-request.ts'

/** Encodes a text for its place, such as a query. */
export type Encode = (text: string) => string

type Styled = Extract<ValueFormat, { kind: 'style' }>

/** Maximum levels of nested objects (`a[b][c]`); deeper ones are JSON. */
const MAX_LEVELS = 8

/** Characters that `allowReserved` keeps unencoded (RFC 6570, 1.5), except those that end a pair. */
const KEPT = /%(3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C|3B)/gi

/** Encodes for a query. */
export const inQuery: Encode = (text) => encodeURIComponent(text.toWellFormed())
/** Encodes for application/x-www-form-urlencoded, where a space becomes a plus. */
export const inForm: Encode = (text) =>
  inQuery(text)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()~]/g, hex)

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

const isNothing = (value: unknown) => value === null || value === undefined
const present = (values: readonly unknown[]) => values.filter((value) => !isNothing(value))
const members = (value: object) => Object.entries(value).filter(([, member]) => !isNothing(member))

function encodedBy(encode: Encode, { allowReserved }: Styled): Encode {
  return allowReserved
    ? (text) => encode(text).replaceAll(KEPT, (escaped) => decodeURIComponent(escaped))
    : encode
}

/** An object with its levels in brackets, as Stripe, qs and PHP read them: `a[b]=1&a[c][0]=2`. */
function deepPairs(name: string, value: unknown, level = 0): [string, unknown][] {
  if (isNothing(value)) return []
  const isDeep = typeof value === 'object' && level < MAX_LEVELS
  return isDeep && value !== null
    ? Object.entries(value).flatMap(([key, member]) => deepPairs(`${name}[${key}]`, member, level + 1))
    : [[name, value]]
}

/**
 * A value as pairs of names and values of a query, a cookie or a form, both encoded. An absent value and an empty list
 * yield none (OpenAPI 3.1.1, "Style Examples").
 */
export function pairsIn(
  name: string,
  value: unknown,
  format: ValueFormat,
  encode: Encode,
): [string, string][] {
  if (isNothing(value)) return []
  if (format.kind === 'json') return [[encode(name), encode(JSON.stringify(value))]]
  if (format.kind === 'default') {
    return present(Array.isArray(value) ? value : [value]).map((item) => [encode(name), encode(textOf(item))])
  }
  const text = encodedBy(encode, format)
  if (typeof value !== 'object') return [[encode(name), text(textOf(value))]]
  if (format.style === 'deepObject') {
    return deepPairs(name, value).map(([key, item]) => [encode(key), text(textOf(item))])
  }
  if (format.explode) {
    return Array.isArray(value)
      ? present(value).map((item) => [encode(name), text(textOf(item))])
      : members(value ?? {}).map(([key, item]) => [encode(key), text(textOf(item))])
  }
  const flat = flatTexts(value, text)
  return flat.length === 0 ? [] : [[encode(name), flat.join(format.delimiter)]]
}

/** The items of a list, or the names and values of an object, as one sequence. */
function flatTexts(value: unknown, encode: Encode): string[] {
  if (Array.isArray(value)) return present(value).map((item) => encode(textOf(item)))
  return isJsonObject(value)
    ? members(value).flatMap(([key, item]) => [encode(key), encode(textOf(item))])
    : [encode(textOf(value))]
}

/** A value in a header or, encoded, in a path of the style `simple`. */
export function simpleText(value: unknown, format: ValueFormat, encode: Encode = (text) => text): string {
  if (format.kind === 'json') return encode(JSON.stringify(value))
  const { explode, delimiter } = format.kind === 'style' ? format : { explode: false, delimiter: ',' }
  if (isJsonObject(value) && explode) {
    return members(value)
      .map(([key, item]) => `${encode(key)}=${encode(textOf(item))}`)
      .join(',')
  }
  return flatTexts(value, encode).join(delimiter)
}

/** A value in a path. */
export function pathText(name: string, value: unknown, format: ValueFormat): string {
  if (format.kind !== 'style' || format.style === 'simple') return simpleText(value, format, inQuery)
  const isLabel = format.style === 'label'
  const start = isLabel ? '.' : ';'
  if (typeof value !== 'object' || value === null || !format.explode) {
    const text = flatTexts(value, inQuery).join(',')
    return isLabel ? `.${text}` : `;${inQuery(name)}${text === '' ? '' : `=${text}`}`
  }
  const parts = Array.isArray(value)
    ? present(value).map((item) =>
        isLabel ? inQuery(textOf(item)) : `${inQuery(name)}=${inQuery(textOf(item))}`,
      )
    : members(value).map(([key, item]) => `${inQuery(key)}=${inQuery(textOf(item))}`)
  return parts.map((part) => start + part).join('')
}
