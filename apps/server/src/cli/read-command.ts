import { parseArgs } from 'node:util'
import { type ConfirmMcpToolsBody, isUuid, propertyOf } from '@troupe/contract'
import { CliError } from './cli-error.ts'

/** The target of a command; null: chosen by the environment. */
export interface TargetOptions {
  url: string | null
  token: string | null
}

/** The parsed command line. */
export type Command =
  | { kind: 'help' }
  | ({ kind: 'apply'; file: string } & TargetOptions)
  | ({ kind: 'reset-link'; email: string } & TargetOptions)
  | ({ kind: 'create-owner'; email: string; organization: string; name: string | null } & TargetOptions)
  | { kind: 'guardrail-secret'; url: string; organization: string }
  | ({
      kind: 'mcp-tools'
      server: string
      organization: string
      confirm: ConfirmMcpToolsBody['tools']
    } & TargetOptions)
  | ({ kind: 'export'; organization: string | null; output: string | null } & TargetOptions)

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  url: { type: 'string' },
  token: { type: 'string' },
  organization: { type: 'string' },
  output: { type: 'string', short: 'o' },
  confirm: { type: 'string', multiple: true },
  name: { type: 'string' },
} as const

/**
 * Parses the arguments after the program's name.
 *
 * @throws CliError if they form no valid command
 */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args)
  const [command, ...rest] = positionals
  if (values.help || command === undefined || command === 'help') return { kind: 'help' }
  const target = { url: values.url ?? null, token: values.token ?? null }
  if (target.url !== null && !/^https?:\/\//.test(target.url)) {
    throw new CliError('--url must start with http:// or https://.')
  }
  if (values.confirm !== undefined && command !== 'mcp-tools') {
    throw new CliError('Only mcp-tools accepts --confirm.')
  }
  if (values.name !== undefined && command !== 'create-owner') {
    throw new CliError('Only create-owner accepts --name.')
  }
  if (command === 'apply') {
    const [file, ...more] = rest
    if (file === undefined || more.length > 0) throw new CliError('Usage: troupe apply <file>')
    if (values.output !== undefined || values.organization !== undefined) {
      throw new CliError('apply accepts only --url and --token.')
    }
    return { kind: 'apply', file, ...target }
  }
  if (command === 'export') {
    if (rest.length > 0) throw new CliError('Usage: troupe export [--organization slug] [--output file]')
    const { organization = null, output = null } = values
    return { kind: 'export', organization, output, ...target }
  }
  if (command === 'reset-link') {
    const [email, ...more] = rest
    const isAlone = values.output === undefined && values.organization === undefined
    if (email === undefined || more.length > 0 || !isAlone) {
      throw new CliError('Usage: troupe reset-link <e-mail address>')
    }
    return { kind: 'reset-link', email, ...target }
  }
  if (command === 'create-owner') {
    const [email, ...more] = rest
    const { organization, name = null } = values
    const isRest = more.length > 0 || values.output !== undefined
    if (email === undefined || isRest || organization === undefined || !SLUG.test(organization)) {
      throw new CliError(
        'Usage: troupe create-owner <e-mail address> --organization <slug> [--name <name>]; a slug has a-z, 0-9 and -, such as acme.',
      )
    }
    return { kind: 'create-owner', email, organization, name, ...target }
  }
  if (command === 'guardrail-secret') {
    const [url, ...more] = rest
    const { organization } = values
    if (url === undefined || more.length > 0 || organization === undefined || !isUuid(organization)) {
      throw new CliError(
        'Usage: troupe guardrail-secret <url> --organization <id>; the id is a UUID, in Settings → Organization of the builder.',
      )
    }
    return { kind: 'guardrail-secret', url, organization }
  }
  if (command === 'mcp-tools') {
    const [server, ...more] = rest
    const { organization, confirm = [] } = values
    const tools = confirm.map((text) => {
      const at = text.lastIndexOf('=')
      return { name: text.slice(0, Math.max(0, at)), fingerprint: text.slice(at + 1) }
    })
    const isComplete = tools.every(({ name, fingerprint }) => name !== '' && fingerprint !== '')
    if (server === undefined || more.length > 0 || organization === undefined || !isComplete) {
      throw new CliError(
        'Usage: troupe mcp-tools <server> --organization <slug> [--confirm <tool>=<fingerprint>]',
      )
    }
    return { kind: 'mcp-tools', server, organization, confirm: tools, ...target }
  }
  throw new CliError(`Unknown command "${command}". See troupe --help.`)
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const option =
      propertyOf(error, 'code') === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
        ? /'(-[^']+)'/.exec(message)?.[1]
        : undefined
    throw new CliError(`${option ? `Unknown option ${option}.` : message}\nSee troupe --help.`)
  }
}
