import { isJsonObject, type JsonObject, shortened } from '@troupe/contract'
import { followed } from './local-reference.ts'
import { isJsonType, isTextType } from './media-types.ts'
import { NotOffered, type ParameterPlan, STYLES, type Style, type ValueFormat } from './operation-request.ts'

const PLACES = ['path', 'query', 'header', 'cookie'] as const
type Place = (typeof PLACES)[number]

/** The styles of each parameter location, its default first (OpenAPI 3.1.1, "Style Values"). */
const STYLES_OF: Readonly<Record<Place, readonly Style[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}
/** The delimiters of the items of a list in one text, as they occur in an address. */
const DELIMITERS: Partial<Record<Style, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' }
/** The specification describes these headers elsewhere. */
const DESCRIBED_ELSEWHERE = /^(accept|content-type|authorization)$/i

/** A parameter of an operation, before it has an argument. */
export interface Parameter extends Omit<ParameterPlan, 'argument'> {
  required: boolean
  schema: unknown
  description: unknown
}

/**
 * The parameters of an operation; those of its path item come first and may be replaced.
 *
 * @throws NotOffered for one that cannot be sent
 */
export function parametersOf(document: JsonObject, item: JsonObject, operation: JsonObject): Parameter[] {
  const found = new Map<string, Parameter>()
  for (const list of [item.parameters, operation.parameters]) {
    for (const given of Array.isArray(list) ? list : []) {
      const parameter = followed(document, given)
      if (!parameter || typeof parameter.name !== 'string') {
        throw new NotOffered('One of its parameters has no name, or its reference leads to nothing.')
      }
      // Swagger 2.0: these parameters are part of the body.
      if (parameter.in === 'body' || parameter.in === 'formData') continue
      const place = PLACES.find((one) => one === parameter.in)
      if (!place)
        throw new NotOffered(`Its parameter ${shown(parameter.name)} has a place that is not supported.`)
      if (place === 'header' && DESCRIBED_ELSEWHERE.test(parameter.name)) continue
      found.set(
        `${place} ${parameter.name}`,
        parameterOf(document, parameter, { name: parameter.name, place }),
      )
    }
  }
  return [...found.values()]
}

function parameterOf(
  document: JsonObject,
  given: JsonObject,
  { name, place }: Pick<Parameter, 'name' | 'place'>,
): Parameter {
  const { description } = given
  const required = place === 'path' || given.required === true
  const common = { name, place, required, description }
  if (isJsonObject(given.content)) {
    const [type = '', media] = Object.entries(given.content)[0] ?? []
    const schema = isJsonObject(media) ? media.schema : undefined
    if (isJsonType(type)) return { ...common, schema: schema ?? {}, format: { kind: 'json' } }
    if (isTextType(type) && followed(document, schema)?.type === 'string') {
      return { ...common, schema, format: { kind: 'default' } }
    }
    throw new NotOffered(`Its parameter ${shown(name)} is ${shown(type)}, which is not supported.`)
  }
  const schema = given.schema ?? (given.type === undefined ? {} : schemaOfParameter(given))
  return { ...common, schema, format: formatOf(given, place, `parameter ${shown(name)}`) }
}

/** Members of a Swagger 2.0 parameter that describe the parameter, not its value. */
const OF_PARAMETER = new Set(['name', 'in', 'required', 'description', 'collectionFormat', 'allowEmptyValue'])

/** The schema of a Swagger 2.0 parameter, whose keywords are members of the parameter. */
export function schemaOfParameter(parameter: JsonObject): JsonObject {
  const own = Object.entries(parameter).filter(([key]) => !OF_PARAMETER.has(key))
  return Object.fromEntries(own)
}

/** The serialisation of values of a parameter or of a form's field. `what` names it. */
export function formatOf(given: JsonObject, place: Place, what: string): ValueFormat {
  const collection =
    given.collectionFormat ?? (given.schema === undefined && given.type === 'array' ? 'csv' : undefined)
  if (collection !== undefined) return ofCollection(collection, place, what)
  const allowed = STYLES_OF[place]
  const style = given.style === undefined ? allowed[0] : STYLES.find((one) => one === given.style)
  if (!style || !allowed.includes(style)) {
    throw new NotOffered(`Its ${what} has the style ${shown(given.style)}, which is not supported there.`)
  }
  const explode = typeof given.explode === 'boolean' ? given.explode : style === 'form'
  const delimiter = DELIMITERS[style] ?? ','
  return { kind: 'style', style, explode, delimiter, allowReserved: given.allowReserved === true }
}

/** Swagger 2.0 (https://swagger.io/specification/v2/#parameter-object): the serialisation of lists. */
function ofCollection(collection: unknown, place: Place, what: string): ValueFormat {
  const style = place === 'query' || place === 'cookie' ? 'form' : 'simple'
  const written = { kind: 'style' as const, style: style as Style, explode: false, allowReserved: false }
  switch (collection) {
    case 'csv':
      return { ...written, delimiter: ',' }
    case 'ssv':
      return { ...written, delimiter: place === 'header' ? ' ' : '%20' }
    case 'tsv':
      return { ...written, delimiter: place === 'header' ? '\t' : '%09' }
    case 'pipes':
      return { ...written, delimiter: place === 'header' ? '|' : '%7C' }
    case 'multi':
      return { ...written, explode: true, delimiter: ',' }
    default:
      throw new NotOffered(`Its ${what} has the collectionFormat ${shown(collection)}, which does not exist.`)
  }
}

function shown(value: unknown): string {
  return shortened(String(value), 80)
}
