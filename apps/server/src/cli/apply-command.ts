import { openAsBlob } from 'node:fs'
import {
  applyBundle,
  BundleError,
  type BundleFile,
  describeApplied,
  escapeVariables,
  filesNamed,
  fromFieldError,
  openBundleFile,
  parseText,
  readBundle,
} from '@troupe/bundles'
import type { AppliedBundle } from '@troupe/contract'
import { applyPartsOf } from '../boot/bundle-context.ts'
import { whyNoBundle } from '../boot/why-no-bundle.ts'
import type { Env } from '../config/env.ts'
import { CliError } from './cli-error.ts'
import type { Output } from './output.ts'
import type { Command } from './read-command.ts'
import { type Remote, RemoteError } from './remote.ts'
import { findTarget } from './target.ts'
import { archived } from './temporary-archive.ts'

/**
 * `troupe apply <file>`: a bundle, a folder with one, or an archive of such a folder.
 *
 * @throws BundleError with the lines of the bundle, CliError, RemoteError and errors of opening the database
 */
export async function applyCommand(
  command: Extract<Command, { kind: 'apply' }>,
  env: Env,
  output: Output,
): Promise<void> {
  await using bundle = await openBundleFile(command.file).catch((error: unknown) => {
    throw new CliError(`${command.file} cannot be read (${whyNoBundle(error)}).`)
  })
  const { text, folder } = bundle
  const target = await findTarget(command, env)
  if (target.kind === 'server') {
    output.err(`Applying ${command.file} to ${target.url}\n\n`)
    output.out(describeApplied(await applyRemotely(target.remote, bundle, env.all)))
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
 * Resolves variables in the caller's environment, uploads the files named by the bundle with it, and adds line numbers of the
 * bundle to the server's errors.
 */
async function applyRemotely(
  remote: Remote,
  { text, folder }: BundleFile,
  variables: Env['all'],
): Promise<AppliedBundle> {
  const { value, lines, problems } = parseText(text, variables)
  if (problems.length > 0) throw new BundleError(readBundle(text, variables).problems)
  const named = await filesNamed(value, folder)
  if (named.problems.length > 0) {
    throw new BundleError(named.problems.map((problem) => ({ ...problem, line: lines.at(problem.path) })))
  }
  const resolved = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? escapeVariables(part) : part,
  )
  try {
    const applied: AppliedBundle = JSON.parse(await send(remote, resolved, named.files))
    // The server received a different text than this file.
    const warnings = applied.warnings?.map((warning) => ({ ...warning, line: lines.at(warning.path) }))
    return { ...applied, ...(warnings && { warnings }) }
  } catch (error) {
    if (!(error instanceof RemoteError) || !error.body.errors) throw error
    const found = error.body.errors.map(fromFieldError)
    throw new BundleError(found.map(({ path, message }) => ({ path, message, line: lines.at(path) })))
  }
}

async function send(
  remote: Remote,
  json: string,
  files: Awaited<ReturnType<typeof filesNamed>>['files'],
): Promise<string> {
  if (files.length === 0) return remote.apply(json, 'application/json')
  const contents = async function* () {
    for (const { path, open } of files) yield { path, content: open() }
    yield { path: 'bundle.json', content: Buffer.from(json) }
  }
  await using archive = await archived(contents())
  return await remote.applyArchive(await openAsBlob(archive.path, { type: 'application/zip' }))
}
