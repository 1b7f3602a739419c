/** A media type without its parameters, in lower case. */
export function essence(mediaType: string): string {
  return mediaType.slice(0, 200).split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

const JSON_SUFFIX = '+json'
const TEXTS = new Set([
  ...['application/xml', 'application/yaml', 'application/x-yaml', 'application/graphql', 'application/sql'],
  ...['application/javascript', 'application/x-ndjson', 'application/jsonl', 'application/toml'],
])

/** Whether a value of a media type is serialised as JSON. */
export function isJsonType(mediaType: string): boolean {
  const type = essence(mediaType)
  return type === 'application/json' || type === 'text/json' || type.endsWith(JSON_SUFFIX)
}

/** Whether a value of a media type is a text that can be sent unchanged. */
export function isTextType(mediaType: string): boolean {
  const type = essence(mediaType)
  return type.startsWith('text/') || TEXTS.has(type) || type.endsWith('+xml') || type.endsWith('+yaml')
}
