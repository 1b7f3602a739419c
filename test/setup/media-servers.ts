import { ensureBinaries } from '@troupe/media-servers'

/** Builds what the media tests start, unless it is there: minutes the first time, nothing later. */
export async function setup(): Promise<void> {
  await ensureBinaries({ report: (line) => process.stdout.write(`${line}\n`), inBackground: false })
}
