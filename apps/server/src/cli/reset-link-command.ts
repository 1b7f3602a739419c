import type { PasswordResetLink } from '@troupe/contract'
import { createPasswordResetLink } from '@troupe/operations/passwords/issue-password-reset'
import type { Env } from '../config/env.ts'
import type { Output } from './output.ts'
import type { Command } from './read-command.ts'
import { findTarget } from './target.ts'

/**
 * `troupe reset-link <e-mail address>`.
 *
 * @throws CliError, RemoteError, DomainError and errors of opening the database
 */
export async function resetLinkCommand(
  command: Extract<Command, { kind: 'reset-link' }>,
  env: Env,
  output: Output,
): Promise<void> {
  const { link, expiresAt } = await create(command, env)
  output.out(`${link}\n`)
  output.err(`The link can be used once, until ${expiresAt}. Anyone who has it can choose the password.\n`)
}

async function create(
  command: Extract<Command, { kind: 'reset-link' }>,
  env: Env,
): Promise<PasswordResetLink> {
  const target = await findTarget(command, env)
  if (target.kind === 'server') return target.remote.createResetLink(command.email)
  await using context = await target.open()
  const { database, config, clock } = context
  const parts = { database, publicUrl: config.publicUrl, now: () => clock.now() }
  const operator = { kind: 'operator', id: null, ip: null, requestId: null } as const
  return await createPasswordResetLink(parts, operator, command.email)
}
