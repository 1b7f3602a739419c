import type { FieldError } from '../../errors/error-body.ts'
import { fieldPath } from '../../errors/field-path.ts'
import { isJsonObject, type JsonObject } from '../../schema/json-object.ts'
import type { AgentConfig } from './agent-config.ts'

// Some provider packages overwrite fields of the request body with unknown options, and some have options with the same
// effect: fallback models, conversations and prompts stored by the provider, tool servers.
const RESERVED = new Set([
  ...['model', 'models', 'modelid', 'modelname', 'modellist', 'engine', 'deployment', 'deploymentid'],
  ...['fallbacks', 'fallbackmodels', 'contextwindowfallbacks', 'contentpolicyfallbacks'],
  ...[
    'messages',
    'input',
    'prompt',
    'contents',
    'system',
    'systemprompt',
    'systeminstruction',
    'instructions',
  ],
  ...['conversation', 'previousresponseid', 'cachedcontent'],
  ...['tools', 'toolchoice', 'toolconfig', 'functions', 'functioncall', 'mcpservers'],
  ...['stream', 'streamoptions'],
  ...['apikey', 'key', 'authorization', 'headers', 'extraheaders', 'credentials', 'accesstoken', 'token'],
  ...['baseurl', 'apibase', 'url', 'endpoint', 'extrabody', 'extraquery', 'customllmprovider'],
])
/** Options whose keys become fields of the request body. */
const CONTAINERS = new Set(['additionalmodelrequestfields'])

/** An option's letters: servers match `Tool-Choice` and, when written in Go, even `toolſ`. */
const plain = (name: string) =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

/** Whether a provider option would override the platform's model, messages, tools, stream or credentials. */
export function isReservedOption(name: string): boolean {
  return RESERVED.has(plain(name))
}

const isContainer = (name: string, value: unknown): value is JsonObject =>
  CONTAINERS.has(plain(name)) && isJsonObject(value)

/** A copy of provider options without the reserved ones, which older stored configurations may still contain. */
export function withoutReservedOptions(options: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => !isReservedOption(name))
      .map(([name, value]) => [name, isContainer(name, value) ? withoutReservedOptions(value) : value]),
  )
}

function reservedPaths(options: JsonObject, path: string): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const place = fieldPath(path, name)
    if (isReservedOption(name)) return [place]
    return isContainer(name, value) ? reservedPaths(value, place) : []
  })
}

/** The reserved options that a model chain sets, with their paths below `path`. */
export function reservedOptions({ primary, fallbacks }: AgentConfig['model'], path: string): FieldError[] {
  const links = [
    { at: `${path}.primary`, link: primary },
    ...fallbacks.map((link, index) => ({ at: `${path}.fallbacks.${index}`, link })),
  ]
  return links.flatMap(({ at, link }) =>
    reservedPaths(link.provider_options ?? {}, `${at}.provider_options`).map((place) => ({
      path: place,
      message: 'must not be set here: the platform decides model, messages, tools, stream and credentials',
    })),
  )
}
