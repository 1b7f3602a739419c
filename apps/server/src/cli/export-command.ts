import { createWriteStream } from 'node:fs'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportBundle, exportWithFiles } from '@troupe/bundles'
import { leftOutOfBundle } from '@troupe/contract'
import { BadArchive, extractZip, writeZip, type ZipContent } from '@troupe/documents'
import { applyPartsOf } from '../boot/bundle-context.ts'
import type { Env } from '../config/env.ts'
import { CliError } from './cli-error.ts'
import type { Output } from './output.ts'
import type { Command } from './read-command.ts'
import { findTarget } from './target.ts'
import { temporaryFile } from './temporary-archive.ts'

type ExportCommand = Extract<Command, { kind: 'export' }>

/** An export by the server's operator has no size limit. */
const UNLIMITED = {
  entries: Number.POSITIVE_INFINITY,
  inflatedBytes: Number.POSITIVE_INFINITY,
  ratio: Number.POSITIVE_INFINITY,
}

/**
 * `troupe export`: the bundle alone, or with its files as an archive (`-o acme.zip`) or a folder (`-o acme/`).
 *
 * @throws CliError, RemoteError, DomainError and errors of opening the database
 */
export async function exportCommand(command: ExportCommand, env: Env, output: Output): Promise<void> {
  const kind = await kindOf(command.output)
  if (command.output !== null && kind !== 'bundle') {
    await (kind === 'archive' ? toArchive : toFolder)(command, env, command.output).catch(
      (error: unknown) => {
        if (error instanceof BadArchive) throw new CliError(error.message)
        const code = error instanceof Error && 'syscall' in error && 'code' in error ? error.code : null
        throw code === null ? error : new CliError(`${command.output} cannot be written (${code}).`)
      },
    )
    output.err(`Wrote ${command.output}\n`)
    return
  }
  const yaml = await read(command, env)
  const leftOut = leftOutOfBundle(yaml)
  if (leftOut !== null) {
    output.err(
      `The bundle does not contain: ${leftOut}. With -o bundle.zip or -o folder/ they are exported with it.\n`,
    )
  }
  if (command.output === null) return output.out(yaml)
  await writeFile(command.output, yaml).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${command.output} cannot be written (${error.code ?? 'unknown'}).`)
  })
  output.err(`Wrote ${command.output}\n`)
}

/** The format chosen by the output path: `.zip` for an archive, a trailing slash or an existing folder for a folder. */
async function kindOf(path: string | null): Promise<'bundle' | 'archive' | 'folder'> {
  if (path === null) return 'bundle'
  if (/[\\/]$/.test(path)) return 'folder'
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) return 'folder'
  return /\.zip$/i.test(path) ? 'archive' : 'bundle'
}

async function read(command: ExportCommand, env: Env): Promise<string> {
  const target = await findTarget(command, env)
  if (target.kind === 'server') return target.remote.export(command.organization)
  await using context = await target.open()
  return await exportBundle(applyPartsOf(context), command.organization)
}

async function toArchive(command: ExportCommand, env: Env, path: string): Promise<void> {
  const target = await findTarget(command, env)
  if (target.kind === 'server') return save(await target.remote.exportArchive(command.organization), path)
  await using context = await target.open()
  const contents = await exportWithFiles(applyPartsOf(context), command.organization)
  await save(writeZip(contents), path)
}

async function toFolder(command: ExportCommand, env: Env, path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  if ((await readdir(path)).length > 0) throw new CliError(`${path} is not empty. Export to a new folder.`)
  const target = await findTarget(command, env)
  if (target.kind === 'server') {
    await using archive = await temporaryFile()
    await save(await target.remote.exportArchive(command.organization), archive.path)
    return await extractZip(archive.path, path, UNLIMITED)
  }
  await using context = await target.open()
  const contents = await exportWithFiles(applyPartsOf(context), command.organization)
  for await (const one of contents) await write(path, one)
}

async function write(folder: string, { path, content }: ZipContent): Promise<void> {
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true })
  const stream = Buffer.isBuffer(content) ? Readable.from([content]) : content
  await save(stream, target)
}

async function save(stream: Readable, path: string): Promise<void> {
  await pipeline(stream, createWriteStream(path))
}
