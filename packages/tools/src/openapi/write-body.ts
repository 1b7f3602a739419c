import { randomUUID } from 'node:crypto'
import { isJsonObject } from '@troupe/contract'
import { textOf } from '../http/fill-template.ts'
import type { BodyPlan, FieldPlan } from './operation-request.ts'
import { inForm, pairsIn } from './write-values.ts'

/** A body and its media type. */
export interface WrittenBody {
  content: string | Uint8Array
  mediaType: string
}

/** An argument cannot be turned into a body. */
export class WrongBody extends Error {
  override readonly name = 'WrongBody'
}

type Input = Readonly<Record<string, unknown>>
type Field = Omit<FieldPlan, 'argument'> & { value: unknown }

const argumentOf = (input: Input, argument: string): unknown =>
  Object.hasOwn(input, argument) ? input[argument] : undefined

/** The fields of a form with the values of a call; absent ones are omitted. */
function fieldsOf({ whole, fields }: BodyPlan, input: Input): Field[] {
  if (whole === null) {
    return fields
      .map(({ argument, ...field }) => ({ ...field, value: argumentOf(input, argument) }))
      .filter(({ value }) => value !== undefined && value !== null)
  }
  const value = argumentOf(input, whole) ?? {}
  if (!isJsonObject(value)) throw new WrongBody(`${whole} must be an object: the body is a form`)
  const special = new Map(fields.map((field) => [field.name, field]))
  return Object.entries(value).flatMap(([name, inner]) => {
    const { format = { kind: 'default' as const }, part = { isFile: false, mediaType: null } } =
      special.get(name) ?? {}
    return inner === undefined || inner === null ? [] : [{ name, format, part, value: inner }]
  })
}

/**
 * The body of a call; null if there is none.
 *
 * @throws WrongBody
 */
export function writeBody(body: BodyPlan, input: Input): WrittenBody | null {
  const { kind, mediaType, required, whole } = body
  if (kind === 'json') {
    const value = whole === null ? Object.fromEntries(fieldsOfJson(body, input)) : argumentOf(input, whole)
    return value === undefined ? null : { content: JSON.stringify(value), mediaType }
  }
  if (kind === 'text') {
    const value = whole === null ? undefined : argumentOf(input, whole)
    if (value === undefined || value === null) return null
    return { content: textOf(value), mediaType: withCharset(mediaType) }
  }
  const fields = fieldsOf(body, input)
  if (fields.length === 0 && !required) return null
  if (kind === 'multipart') return multipart(fields, mediaType)
  const pairs = fields.flatMap(({ name, value, format }) => pairsIn(name, value, format, inForm))
  return { content: pairs.map(([name, value]) => `${name}=${value}`).join('&'), mediaType }
}

function fieldsOfJson({ fields }: BodyPlan, input: Input): [string, unknown][] {
  return fields.flatMap(({ argument, name }) => {
    const value = argumentOf(input, argument)
    return value === undefined ? [] : [[name, value]]
  })
}

function withCharset(mediaType: string): string {
  return /;\s*charset=/i.test(mediaType.slice(0, 200)) ? mediaType : `${mediaType};charset=utf-8`
}

/** One part of a form with files (RFC 7578). */
interface Part {
  name: string
  content: Uint8Array
  fileName: string | null
  mediaType: string | null
}

const utf8 = new TextEncoder()

/** The parts of a field: each item of a list is a separate part. */
function partsOf({ name, value, format, part: { isFile, mediaType } }: Field): Part[] {
  if (format.kind === 'style') {
    return pairsIn(name, value, format, (text) => text).map(([key, text]) => part(key, text, null))
  }
  if (isFile) return (Array.isArray(value) ? value : [value]).map((one) => filePart(name, one, mediaType))
  if (format.kind === 'json') return [part(name, JSON.stringify(value), mediaType ?? 'application/json')]
  const items: unknown[] = Array.isArray(value) ? value : [value]
  return items.flatMap((item) => {
    if (item === null || item === undefined) return []
    const isObject = typeof item === 'object'
    return [part(name, textOf(item), mediaType ?? (isObject ? 'application/json' : null))]
  })
}

function part(name: string, text: string, mediaType: string | null): Part {
  return { name, content: utf8.encode(text.toWellFormed()), fileName: null, mediaType }
}

const DATA = 'data:'
const BASE64 = ';base64'
const EXTENSIONS: Readonly<Record<string, string>> = {
  ...{
    'text/plain': 'txt',
    'text/csv': 'csv',
    'text/html': 'html',
    'text/markdown': 'md',
    'application/json': 'json',
  },
  ...{
    'image/png': 'png',
    'image/jpeg': 'jpg',
    'image/gif': 'gif',
    'image/webp': 'webp',
    'application/pdf': 'pdf',
  },
}

/** A file: its text, or a `data:` URL with base64 (RFC 2397). */
function filePart(name: string, value: unknown, wanted: string | null): Part {
  const text = textOf(value)
  const comma = text.startsWith(DATA) ? text.slice(0, 200).indexOf(',') : -1
  const head = comma < 0 ? '' : text.slice(DATA.length, comma)
  const named = (mediaType: string) => {
    const extension = EXTENSIONS[mediaType.split(';', 1)[0] ?? '']
    return extension === undefined ? 'file' : `file.${extension}`
  }
  if (!head.toLowerCase().endsWith(BASE64)) {
    const mediaType = wanted ?? 'text/plain'
    return { name, content: utf8.encode(text.toWellFormed()), fileName: named(mediaType), mediaType }
  }
  const encoded = text.slice(comma + 1).replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(encoded))
    throw new WrongBody(`${name} is a data: URL whose base64 is not valid`)
  const mediaType = head.slice(0, -BASE64.length) || wanted || 'application/octet-stream'
  if (/[^\x20-\x7e]/.test(mediaType))
    throw new WrongBody(`${name} is a data: URL whose media type is not valid`)
  return { name, content: Buffer.from(encoded, 'base64'), fileName: named(mediaType), mediaType }
}

/** A name within a header of a part, as browsers write it (HTML, "multipart/form-data encoding algorithm"). */
function quoted(text: string): string {
  const safe = text.toWellFormed().replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
  return `"${safe}"`
}

function multipart(fields: readonly Field[], mediaType: string): WrittenBody {
  const boundary = `troupe-${randomUUID()}`
  const chunks: Uint8Array[] = []
  for (const { name, content, fileName, mediaType: type } of fields.flatMap(partsOf)) {
    const file = fileName === null ? '' : `; filename=${quoted(fileName)}`
    const typed = type === null ? '' : `\r\nContent-Type: ${type.replaceAll(/[\r\n]/g, ' ')}`
    chunks.push(
      utf8.encode(
        `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}${file}${typed}\r\n\r\n`,
      ),
      content,
      utf8.encode('\r\n'),
    )
  }
  chunks.push(utf8.encode(`--${boundary}--\r\n`))
  const own = mediaType.slice(0, 200).split(';', 1)[0]?.trim() ?? mediaType
  return { content: Buffer.concat(chunks), mediaType: `${own}; boundary=${boundary}` }
}
