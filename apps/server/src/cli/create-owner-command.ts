import { randomBytes } from 'node:crypto'
import { DomainError, EmailAddress, type PasswordResetLink, PersonName, validator } from '@troupe/contract'
import type { CreateOrganizationBody } from '@troupe/contract/builder'
import { createOrganization } from '@troupe/operations/organization/create-organization'
import { createPasswordResetLink } from '@troupe/operations/passwords/issue-password-reset'
import type { Env } from '../config/env.ts'
import { CliError } from './cli-error.ts'
import type { Output } from './output.ts'
import type { Command } from './read-command.ts'
import { findTarget } from './target.ts'

type CreateOwnerCommand = Extract<Command, { kind: 'create-owner' }>

const isEmail = validator(EmailAddress)
const isName = validator(PersonName)

/**
 * `troupe create-owner <e-mail address> --organization <slug> [--name <name>]`: creates an organization and its first owner, and
 * prints a link for choosing the password. An existing account keeps its name, and its password until the link is used.
 *
 * @throws CliError, RemoteError, DomainError and errors of opening the database
 */
export async function createOwnerCommand(
  command: CreateOwnerCommand,
  env: Env,
  output: Output,
): Promise<void> {
  const { email, organization } = command
  const name = command.name ?? email.split('@')[0] ?? email
  if (!isEmail(email).ok) throw new CliError(`${email} is not an e-mail address.`)
  if (!isName(name).ok) throw new CliError('--name must have 1 to 128 characters.')
  // Nobody ever sees this password: the link replaces it.
  const password = randomBytes(24).toString('base64url')
  const { link, expiresAt } = await create(command, env, {
    slug: organization,
    name: organization,
    owner: { email, name, password },
  })
  output.out(`${link}\n`)
  output.err(
    `${email} owns the organization ${organization}. The link can be used once, until ${expiresAt}; anyone with the link can choose the password. To create another one: troupe reset-link ${email}\n`,
  )
}

async function create(
  command: CreateOwnerCommand,
  env: Env,
  body: CreateOrganizationBody,
): Promise<PasswordResetLink> {
  try {
    const target = await findTarget(command, env)
    if (target.kind === 'server') {
      await target.remote.createOrganization(body)
      return await target.remote.createResetLink(command.email)
    }
    await using context = await target.open()
    const { database, config, clock } = context
    const operator = { kind: 'operator', id: null, ip: null, requestId: null } as const
    await createOrganization({ ...context, limitCeilings: config.limitCeilings }, operator, body)
    const parts = { database, publicUrl: config.exposure.publicUrl, now: () => clock.now() }
    return await createPasswordResetLink(parts, operator, command.email)
  } catch (error) {
    if (!isTaken(error)) throw error
    throw new CliError(
      `The organization ${command.organization} already exists. Choose another --organization, or invite people in the builder; troupe reset-link lets an owner choose a new password.`,
    )
  }
}

function isTaken(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'slug_taken'
  return error instanceof Error && 'body' in error && Object(error.body).error === 'slug_taken'
}
