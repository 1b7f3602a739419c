import { writeFile } from 'node:fs/promises'
import { exportBundle } from '@troupe/bundles'
import { leftOutOfBundle } from '@troupe/contract'
import { applyPartsOf } from '../boot/bundle-context.ts'
import type { Env } from '../config/env.ts'
import { CliError } from './cli-error.ts'
import type { Output } from './output.ts'
import type { Command } from './read-command.ts'
import { findTarget } from './target.ts'

/**
 * `troupe export`.
 *
 * @throws CliError, RemoteError, DomainError and what opening the database throws
 */
export async function exportCommand(
  command: Extract<Command, { kind: 'export' }>,
  env: Env,
  output: Output,
): Promise<void> {
  const yaml = await read(command, env)
  const leftOut = leftOutOfBundle(yaml)
  if (leftOut !== null) {
    output.err(
      `The bundle does not contain: ${leftOut}. On another installation, give these documents a path.\n`,
    )
  }
  if (command.output === null) return output.out(yaml)
  await writeFile(command.output, yaml).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${command.output} cannot be written (${error.code ?? 'unknown'}).`)
  })
  output.err(`Wrote ${command.output}\n`)
}

async function read(command: Extract<Command, { kind: 'export' }>, env: Env): Promise<string> {
  const target = await findTarget(command, env)
  if (target.kind === 'server') return target.remote.export(command.organization)
  await using context = await target.open()
  return await exportBundle(applyPartsOf(context), command.organization)
}
