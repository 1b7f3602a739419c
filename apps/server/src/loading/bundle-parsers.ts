import { existsSync } from 'node:fs'
import { parserBundle } from '@troupe/documents'
import { bundleInto } from './bundle-into.ts'

/**
 * Bundles the program that parses a document, which runs in a new process for each one.
 *
 * @throws esbuild's errors, without any changes
 */
export async function bundleParsers(): Promise<void> {
  const { entries, folder } = parserBundle()
  if (!existsSync(folder)) await bundleInto(folder, entries, { minify: true })
}
