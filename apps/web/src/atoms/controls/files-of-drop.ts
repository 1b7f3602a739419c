import type { DropItem, FileDropItem } from 'react-aria-components'

/** Folders in folders, down to here. */
const DEEPEST = 8
const MOST_FILES = 500

/** The files that were dropped, with those in folders. Files whose names begin with a dot are left out. */
export async function filesOfDrop(
  items: Iterable<DropItem> | AsyncIterable<DropItem>,
  isFile: (item: DropItem) => item is FileDropItem,
  depth = 0,
): Promise<File[]> {
  const files: File[] = []
  for await (const item of items) {
    if (files.length >= MOST_FILES) break
    if (isFile(item)) {
      if (!item.name.startsWith('.')) files.push(await item.getFile())
    } else if (item.kind === 'directory' && depth < DEEPEST) {
      files.push(...(await filesOfDrop(item.getEntries(), isFile, depth + 1)))
    }
  }
  return files.slice(0, MOST_FILES)
}
