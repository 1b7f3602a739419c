import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { BuildOptions } from 'esbuild'

type EntryPoints = NonNullable<BuildOptions['entryPoints']>

/**
 * Writes ES modules for Node into a folder: one for each entry, with the extension `.mjs`, and shared chunks. The
 * folder appears complete or not at all; an existing one is kept.
 *
 * @returns the absolute paths of all bundled files
 * @throws esbuild's errors, without any changes
 */
export async function bundleInto(
  folder: string,
  entryPoints: EntryPoints,
  options: Pick<BuildOptions, 'minify' | 'plugins'> = {},
): Promise<string[]> {
  const { build } = await import('esbuild')
  await mkdir(dirname(folder), { recursive: true })
  const work = await mkdtemp(`${folder}-new-`)
  try {
    // The user who installs may not be the user of the server process.
    await chmod(work, 0o755)
    const { metafile } = await build({
      ...options,
      entryPoints,
      absWorkingDir: work,
      outdir: work,
      metafile: true,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
      // CommonJS modules inside the bundles require Node's own modules.
      banner: {
        js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
      },
    })
    await rename(work, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error
    })
    return Object.keys(metafile.inputs).map((path) => resolve(work, path))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
