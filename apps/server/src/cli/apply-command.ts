import { dirname, resolve } from 'node:path'
import {
  applyBundle,
  BundleError,
  type BundleFolder,
  bundleFolder,
  describeApplied,
  escapeVariables,
  fromFieldError,
  inlineFiles,
  parseText,
  readBundle,
} from '@troupe/bundles'
import type { AppliedBundle } from '@troupe/contract'
import { applyPartsOf } from '../boot/bundle-context.ts'
import { readBundleFile } from '../boot/read-bundle-file.ts'
import type { Env } from '../config/env.ts'
import { CliError } from './cli-error.ts'
import type { Output } from './output.ts'
import type { Command } from './read-command.ts'
import { type Remote, RemoteError } from './remote.ts'
import { findTarget } from './target.ts'

/**
 * `troupe apply <file>`.
 *
 * @throws BundleError with the lines of the file, CliError, RemoteError and what opening the database throws
 */
export async function applyCommand(
  command: Extract<Command, { kind: 'apply' }>,
  env: Env,
  output: Output,
): Promise<void> {
  const text = await readBundleFile(command.file).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${command.file} cannot be read (${error.code ?? 'unknown'}).`)
  })
  const folder = bundleFolder(dirname(resolve(command.file)))
  const target = await findTarget(command, env)
  if (target.kind === 'server') {
    output.err(`Applying ${command.file} to ${target.url}\n\n`)
    output.out(describeApplied(await applyRemotely(target.remote, { text, folder }, env.all)))
    return
  }
  // Checked before the target is opened: an invalid bundle must not create a database.
  const { problems } = readBundle(text, env.all)
  if (problems.length > 0) throw new BundleError(problems)
  await using context = await target.open()
  output.err(`No server is running: applying ${command.file} to the database\n\n`)
  const actor = { kind: 'operator', id: null, ip: null, requestId: null } as const
  const parts = applyPartsOf(context)
  const source = { text, variables: env.all, actor, folder, readAtOnce: true }
  output.out(describeApplied(await applyBundle(parts, source)))
}

/**
 * Resolves variables in the caller's environment and files in the bundle's folder, and adds line numbers of the file to
 * the server's errors.
 */
async function applyRemotely(
  remote: Remote,
  { text, folder }: { text: string; folder: BundleFolder },
  variables: Env['all'],
): Promise<AppliedBundle> {
  const { value, lines, problems } = parseText(text, variables)
  if (problems.length > 0) throw new BundleError(readBundle(text, variables).problems)
  const inlined = await inlineFiles(value, folder)
  if (inlined.problems.length > 0) {
    throw new BundleError(inlined.problems.map((problem) => ({ ...problem, line: lines.at(problem.path) })))
  }
  const resolved = JSON.stringify(inlined.value, (_key, part: unknown) =>
    typeof part === 'string' ? escapeVariables(part) : part,
  )
  try {
    const applied: AppliedBundle = JSON.parse(await remote.apply(resolved, 'application/json'))
    // The server has seen another text than this file.
    const warnings = applied.warnings?.map((warning) => ({ ...warning, line: lines.at(warning.path) }))
    return { ...applied, ...(warnings && { warnings }) }
  } catch (error) {
    if (!(error instanceof RemoteError) || !error.body.errors) throw error
    const found = error.body.errors.map(fromFieldError)
    throw new BundleError(found.map(({ path, message }) => ({ path, message, line: lines.at(path) })))
  }
}
