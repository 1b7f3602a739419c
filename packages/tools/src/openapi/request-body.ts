import { isJsonObject, type JsonObject, shortened } from '@troupe/contract'
import { followed } from './local-reference.ts'
import { essence, isJsonType, isTextType } from './media-types.ts'
import { type BodyPlan, type FieldPlan, NotOffered, type ValueFormat } from './operation-request.ts'
import { formatOf } from './parameters.ts'

/** Maximum compositions (`allOf`) to search for properties. */
const MAX_LEVELS = 4
const MAX_PARTS = 200

/** A property of a body, before it has an argument. */
export interface BodyProperty extends Omit<FieldPlan, 'argument'> {
  required: boolean
  schema: unknown
}

/** The body of an operation, before it has arguments. */
export interface BodyChoice extends Pick<BodyPlan, 'kind' | 'mediaType' | 'required'> {
  /** The schema of the whole body. */
  schema: unknown
  /** null: the body is one argument. */
  properties: BodyProperty[] | null
  /** For a form that is one argument: the properties with another serialisation than the default. */
  special: BodyProperty[]
}

/** A request body as OpenAPI 3 describes it. */
export interface RequestBody {
  required: boolean
  content: JsonObject
}

/** The settings of a document for bodies. */
export interface BodyReading {
  document: JsonObject
  /** Whether `style` and `explode` also apply to parts of multipart/form-data (since OpenAPI 3.1). */
  stylesParts: boolean
}

/** The request body of an operation of OpenAPI 3; null if it has none. */
export function requestBodyOf(document: JsonObject, { requestBody }: JsonObject): RequestBody | null {
  if (requestBody === undefined || requestBody === null) return null
  const body = followed(document, requestBody)
  if (!body) throw new NotOffered('Its request body is described outside the document, or nowhere.')
  const content = isJsonObject(body.content) ? body.content : {}
  return { required: body.required === true, content }
}

const DEFAULT: ValueFormat = { kind: 'default' }
const NO_PART = { isFile: false, mediaType: null }

/** JSON comes first, because it supports every schema; then forms, then texts. */
const KINDS = ['json', 'form', 'multipart', 'text'] as const

/**
 * The media type to send, of those that the operation accepts; null if it accepts no body.
 *
 * @throws NotOffered if none can be sent
 */
export function chosenBody(reading: BodyReading, { required, content }: RequestBody): BodyChoice | null {
  const types = Object.entries(content).filter(([, media]) => isJsonObject(media))
  if (types.length === 0) {
    if (required) throw new NotOffered('Its body is required, but no media type is given.')
    return null
  }
  let refusal: NotOffered | null = null
  for (const kind of KINDS) {
    for (const [mediaType, media] of inOrder(kind, types, reading)) {
      try {
        return choice(reading, { kind, mediaType, required, media: isJsonObject(media) ? media : {} })
      } catch (error) {
        if (!(error instanceof NotOffered)) throw error
        refusal ??= error
      }
    }
  }
  const listed = types
    .map(([type]) => shortened(type, 60))
    .slice(0, 3)
    .join(', ')
  throw refusal ?? new NotOffered(`Its body is ${listed}, which is not supported.`)
}

/** The media types of one kind, the best match first. */
function inOrder(kind: BodyChoice['kind'], types: readonly [string, unknown][], reading: BodyReading) {
  const ranked = types.flatMap(([type, media]) => {
    const rank = rankOf(kind, type, isJsonObject(media) ? typeOf(reading.document, media.schema) : null)
    return rank === null ? [] : [{ rank, entry: [type, media] as const }]
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry)
}

/** The rank of a media type for a kind of body; null: unsuitable. `type` is the type of the body's schema. */
function rankOf(kind: BodyChoice['kind'], mediaType: string, type: string | null): number | null {
  const name = essence(mediaType)
  switch (kind) {
    case 'json':
      if (name === 'application/json') return 0
      // RFC 6902 is a list of operations. Kubernetes offers it beside kinds of merge patches with the same schema.
      if (name === 'application/json-patch+json') return type === 'array' ? 1 : 4
      if (isJsonType(name)) return name === 'application/merge-patch+json' ? 1 : 2
      return (name === '*/*' || name === 'application/*') && type !== 'string' ? 3 : null
    case 'form':
      return name === 'application/x-www-form-urlencoded' ? 0 : null
    case 'multipart':
      return name === 'multipart/form-data' ? 0 : null
    case 'text':
      // Without a schema, a text stays a text.
      if (type !== 'string' && (type !== null || !name.startsWith('text/') || name === 'text/xml'))
        return null
      if (name === 'text/plain' || name === '*/*' || name === 'text/*') return name === 'text/plain' ? 0 : 2
      return isTextType(name) ? 1 : null
  }
}

interface Media {
  kind: BodyChoice['kind']
  mediaType: string
  required: boolean
  media: JsonObject
}

function choice(reading: BodyReading, { kind, mediaType, required, media }: Media): BodyChoice {
  const { document } = reading
  const schema = media.schema ?? {}
  const sent = mediaType.includes('*') ? (kind === 'json' ? 'application/json' : 'text/plain') : mediaType
  const common = { kind, mediaType: sent, required, schema, special: [] }
  if (kind === 'text') {
    if (isBinary(followed(document, schema) ?? {}))
      throw new NotOffered(`Its body is a file (${sent}), which is not supported.`)
    const isDescribed = typeOf(document, schema) !== null
    return { ...common, ...(isDescribed ? {} : { schema: { type: 'string' } }), properties: null }
  }
  if (kind === 'json') {
    const plain = plainProperties(document, schema)
    const properties = plain?.map((property) => ({ ...property, format: DEFAULT, part: NO_PART })) ?? null
    return { ...common, properties }
  }
  const type = typeOf(document, schema)
  if (type !== 'object' && type !== null) {
    throw new NotOffered(
      `Its body is ${essence(sent)}, but its schema is of the type ${type} and describes no fields.`,
    )
  }
  const encoding = isJsonObject(media.encoding) ? media.encoding : {}
  const read = (name: string, own: unknown) =>
    fieldOf(reading, kind, { name, schema: own, encoding: encoding[name] })
  const plain = plainProperties(document, schema)
  if (plain) {
    return {
      ...common,
      properties: plain.map((property) => ({ ...property, ...read(property.name, property.schema) })),
    }
  }
  const special = [...allProperties(document, schema)].flatMap(([name, own]): BodyProperty[] => {
    const field = read(name, own)
    const isDefault = field.format.kind === 'default' && !field.part.isFile && field.part.mediaType === null
    return isDefault ? [] : [{ name, required: false, schema: own, ...field }]
  })
  return { ...common, properties: null, special }
}

/** The serialisation of one field of a form (OpenAPI 3.1.1, "Encoding Object"). */
function fieldOf(
  { document, stylesParts }: BodyReading,
  kind: BodyChoice['kind'],
  { name, schema, encoding }: { name: string; schema: unknown; encoding: unknown },
): Pick<BodyProperty, 'format' | 'part'> {
  const given = isJsonObject(encoding) ? encoding : {}
  const what = `field ${shortened(name, 80)}`
  const headers = isJsonObject(given.headers) ? Object.values(given.headers) : []
  if (headers.some((header) => followed(document, header)?.required === true)) {
    throw new NotOffered(`Its ${what} needs its own headers, which are not supported.`)
  }
  const isStyled = ['style', 'explode', 'allowReserved', 'collectionFormat'].some(
    (key) => given[key] !== undefined,
  )
  const holds = kind === 'form' || stylesParts || given.collectionFormat !== undefined
  if (isStyled && holds) return { format: formatOf({ schema, ...given }, 'query', what), part: NO_PART }
  const mediaType =
    typeof given.contentType === 'string' ? (given.contentType.split(',', 1)[0]?.trim() ?? '') : ''
  const isFile = kind === 'multipart' && hasFile(document, schema)
  if (kind === 'form' && hasFile(document, schema)) {
    throw new NotOffered(
      `Its ${what} is a file, which a form that is application/x-www-form-urlencoded cannot carry.`,
    )
  }
  if (mediaType === '' || mediaType === '*/*') return { format: DEFAULT, part: { isFile, mediaType: null } }
  if (isFile)
    return { format: DEFAULT, part: { isFile, mediaType: mediaType.includes('*') ? null : mediaType } }
  const part = { isFile: false, mediaType: kind === 'multipart' ? mediaType : null }
  if (isJsonType(mediaType)) return { format: { kind: 'json' }, part }
  const type = typeOf(document, schema)
  const isText = type !== 'object' && type !== 'array'
  if (isTextType(mediaType) && isText) return { format: DEFAULT, part }
  // For example an image, whose schema is a string: the content of a file.
  if (kind === 'multipart' && isText) {
    return { format: DEFAULT, part: { isFile: true, mediaType: mediaType.includes('*') ? null : mediaType } }
  }
  throw new NotOffered(`Its ${what} is ${shortened(mediaType, 80)}, which is not supported.`)
}

/** Whether a text is the content of a file: OpenAPI 3.0 has `binary`, 3.1 a media type that is not encoded. */
function isBinary(schema: JsonObject): boolean {
  if (schema.format === 'binary' || schema.type === 'file') return true
  return (
    typeof schema.contentMediaType === 'string' &&
    schema.contentEncoding === undefined &&
    !isTextType(schema.contentMediaType) &&
    !isJsonType(schema.contentMediaType)
  )
}

/** Whether a property is a file, or a list of files. */
export function hasFile(document: JsonObject, given: unknown): boolean {
  const schema = followed(document, given)
  if (!schema) return false
  return isBinary(schema) || isBinary(followed(document, schema.items) ?? {})
}

/** The type required by a schema; null if there is none. */
function typeOf(document: JsonObject, given: unknown, level = 0): string | null {
  const schema = followed(document, given)
  if (!schema || level > MAX_LEVELS) return null
  const types = [schema.type].flat().filter((type) => typeof type === 'string' && type !== 'null')
  if (types.length > 0) return types.length === 1 ? String(types[0]) : null
  if (isJsonObject(schema.properties)) return 'object'
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const parts: unknown = schema[key]
    const found = Array.isArray(parts)
      ? parts.slice(0, 8).map((part) => typeOf(document, part, level + 1))
      : []
    if (
      found.length > 0 &&
      found[0] !== null &&
      (key === 'allOf' || found.every((type) => type === found[0]))
    )
      return found[0] ?? null
  }
  return null
}

/** The properties of a plain object schema; null for any other schema. Read-only properties are omitted. */
function plainProperties(
  document: JsonObject,
  given: unknown,
): { name: string; required: boolean; schema: unknown }[] | null {
  const schema = followed(document, given)
  if (!schema || !isJsonObject(schema.properties)) return null
  if (schema.allOf || schema.oneOf || schema.anyOf || isJsonObject(schema.additionalProperties)) return null
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  return Object.entries(schema.properties).flatMap(([name, property]) =>
    followed(document, property)?.readOnly === true
      ? []
      : [{ name, required: required.has(name), schema: property }],
  )
}

/** The properties of a schema and of its compositions. */
function allProperties(document: JsonObject, given: unknown): Map<string, unknown> {
  const found = new Map<string, unknown>()
  let left = MAX_PARTS
  const collect = (part: unknown, level: number) => {
    const schema = followed(document, part)
    left -= 1
    if (!schema || level > MAX_LEVELS || left < 0) return
    for (const [name, property] of Object.entries(isJsonObject(schema.properties) ? schema.properties : {})) {
      if (!found.has(name)) found.set(name, property)
    }
    for (const key of ['allOf', 'anyOf', 'oneOf']) {
      const parts: unknown = schema[key]
      for (const one of Array.isArray(parts) ? parts.slice(0, MAX_PARTS) : []) collect(one, level + 1)
    }
  }
  collect(given, 0)
  return found
}
