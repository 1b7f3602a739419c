import type { FieldError } from '../../errors/error-body.ts'
import type { AgentConfig } from './agent-config.ts'

// Some provider packages overwrite fields of the request body with unknown options.
const RESERVED = new Set([
  ...['model', 'models', 'modelid', 'fallbackmodels', 'deployment'],
  ...['messages', 'input', 'prompt', 'contents', 'system', 'systeminstruction', 'instructions'],
  ...['tools', 'toolchoice', 'toolconfig', 'functions', 'functioncall'],
  ...['stream', 'streamoptions'],
  ...['apikey', 'key', 'authorization', 'headers', 'credentials', 'accesstoken', 'token'],
  ...['baseurl', 'url', 'endpoint'],
])

/** Whether a provider option would override the platform's model, messages, tools, stream or credentials. */
export function isReservedOption(name: string): boolean {
  return RESERVED.has(name.toLowerCase().replaceAll(/[_-]/g, ''))
}

/** The reserved options that a model chain sets, with their paths below `path`. */
export function reservedOptions({ primary, fallbacks }: AgentConfig['model'], path: string): FieldError[] {
  const links = [
    { at: `${path}.primary`, link: primary },
    ...fallbacks.map((link, index) => ({ at: `${path}.fallbacks.${index}`, link })),
  ]
  return links.flatMap(({ at, link }) =>
    Object.keys(link.provider_options ?? {})
      .filter(isReservedOption)
      .map((name) => ({
        path: `${at}.provider_options.${name}`,
        message: 'must not be set here: the platform decides model, messages, tools, stream and credentials',
      })),
  )
}
