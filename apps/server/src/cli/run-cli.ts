import { resolve } from 'node:path'
import { BundleError, formatProblems } from '@troupe/bundles'
import { DomainError } from '@troupe/contract'
import type { Env } from '../config/env.ts'
import { ConfigError } from '../config/problems.ts'
import { CliError } from './cli-error.ts'
import { HELP } from './help.ts'
import type { Output } from './output.ts'
import { type Command, readCommand } from './read-command.ts'
import { RemoteError } from './remote.ts'

/** Runs one command. @returns the exit code */
export async function runCli(args: readonly string[], env: Env, output: Output): Promise<0 | 1> {
  let command: Command | null = null
  try {
    command = readCommand(args)
    await execute(command, env, output)
    return 0
  } catch (error) {
    output.err(`${await explain(error, command, env)}\n`)
    return 1
  }
}

/** Imports only the modules of the command, so that `--help` prints immediately. */
async function execute(command: Command, env: Env, output: Output): Promise<void> {
  switch (command.kind) {
    case 'help':
      return output.out(HELP)
    case 'apply':
      return (await import('./apply-command.ts')).applyCommand(command, env, output)
    case 'export':
      return (await import('./export-command.ts')).exportCommand(command, env, output)
    case 'reset-link':
      return (await import('./reset-link-command.ts')).resetLinkCommand(command, env, output)
    case 'create-owner':
      return (await import('./create-owner-command.ts')).createOwnerCommand(command, env, output)
    case 'mcp-tools':
      return (await import('./mcp-tools-command.ts')).mcpToolsCommand(command, env, output)
    case 'guardrail-secret':
      return (await import('./guardrail-secret-command.ts')).guardrailSecretCommand(command, env, output)
    default:
      return command satisfies never
  }
}

/** One sentence for an error that the operator can fix; the stack for a defect. */
async function explain(error: unknown, command: Command | null, env: Env): Promise<string> {
  if (error instanceof BundleError && command?.kind === 'apply') {
    return `${formatProblems(command.file, error.problems)}\n\n${error.message}`
  }
  if (error instanceof RemoteError && error.body.error === 'unauthorized') {
    return 'The server refused the admin token. Pass --token, or set TROUPE_ADMIN_TOKEN.'
  }
  if (error instanceof RemoteError && error.body.errors) {
    return [error.message, ...error.body.errors.map(({ path, message }) => `${path} ${message}`)].join('\n')
  }
  if (!(error instanceof Error)) return String(error)
  if ([CliError, ConfigError, DomainError, RemoteError].some((kind) => error instanceof kind))
    return error.message
  // Loads the database's errors only when a command has failed.
  const { explainFailure } = await import('../explain-failure.ts')
  return explainFailure(error, resolve(env.values.TROUPE_DATA_DIR ?? '.troupe'))
}
