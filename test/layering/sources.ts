import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, '..', '..')

/** A package.json, limited to the fields of the rules. */
export interface Manifest {
  name: string
  description?: string
  /** Its floor, and the files to start reading at, as Markdown. */
  troupe?: { floor: string; startAt: string }
  exports?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  scripts?: Record<string, string>
  workspaces?: string[]
}

/** A TypeScript file. */
export interface Source {
  /** Relative to the root, with forward slashes. */
  path: string
  text: string
  /** Tests and code used only by tests. */
  isTest: boolean
  /** Files beside `src`, such as a tool's configuration or a build. */
  isTool: boolean
}

/** A package of the repository with its files. */
export interface Workspace {
  folder: string
  manifest: Manifest
  sources: Source[]
}

export function manifestAt(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest
}

/** The TypeScript files below a folder, without built and installed ones. */
export function sourcesBelow(folder: string): Source[] {
  return globSync(`${folder}/**/*.{ts,tsx}`, {
    cwd: ROOT,
    exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name.replaceAll('\\', '/')),
  })
    .map((found) => found.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({
      path,
      text: readFileSync(join(ROOT, path), 'utf8'),
      isTest: path.endsWith('.test.ts') || /\/(testing|test)\//.test(path),
      isTool: !/\/(src|test)\//.test(path),
    }))
}

/** Every workspace that the root names. */
export function workspaces(): Workspace[] {
  return (manifestAt('').workspaces ?? [])
    .flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: ROOT }))
    .map((found) => found.replaceAll('\\', '/').replace(/\/package\.json$/, ''))
    .sort()
    .map((folder) => ({ folder, manifest: manifestAt(folder), sources: sourcesBelow(folder) }))
}
