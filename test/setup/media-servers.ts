import { ensureBinaries } from '@troupe/media-servers'

/** Builds the programs of the media tests, unless they exist: minutes the first time, nothing later. */
export async function setup(): Promise<void> {
  await ensureBinaries({ report: (line) => process.stdout.write(`${line}\n`), inBackground: false })
}
