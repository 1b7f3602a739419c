import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  type DropItem,
  DropZone,
  type FileDropItem,
  FileTrigger,
  isFileDropItem,
} from 'react-aria-components'
import { Button } from './button.tsx'
import styles from './file-drop.module.css'

export interface FileDropProps {
  /** The content to drop: "Drop files here". */
  label: string
  /** The accepted files, and their use. */
  detail: ReactNode
  /** The button that opens the browser's own dialog. */
  choose: string
  /** Called with one or more files. */
  onFiles(files: File[]): void
  /** Called if a drop reached the maximum number of files: there may be more. */
  onCut?(most: number): void
  /** File extensions or media types: `.pdf`. Dropped files are not checked. */
  accepts?: readonly string[]
  isMultiple?: boolean
  isDisabled?: boolean
  /** More ways to add something, beside the button. */
  actions?: ReactNode
}

/** A drop target for files, with a button for users without a mouse. Dropped folders yield their files. */
export function FileDrop(props: FileDropProps) {
  const { label, detail, choose, onFiles, onCut, accepts, actions } = props
  const { isMultiple = true, isDisabled = false } = props
  const give = (files: File[]) => {
    const given = isMultiple ? files : files.slice(0, 1)
    if (given.length > 0) onFiles(given)
  }
  return (
    <DropZone
      aria-label={label}
      isDisabled={isDisabled}
      className={styles.zone ?? ''}
      getDropOperation={(_, allowed) => (!isDisabled && allowed.includes('copy') ? 'copy' : 'cancel')}
      onDrop={async ({ items }) => {
        const files = await filesOfDrop(items, isFileDropItem)
        give(files)
        if (files.length === MOST_FILES) onCut?.(MOST_FILES)
      }}
    >
      <Upload size={18} aria-hidden="true" />
      <div className={styles.words}>
        <strong>{label}</strong>
        <span className={styles.detail}>{detail}</span>
      </div>
      <div className={styles.actions}>
        <FileTrigger
          allowsMultiple={isMultiple}
          {...(accepts ? { acceptedFileTypes: accepts } : {})}
          onSelect={(files) => files && give([...files])}
        >
          <Button isDisabled={isDisabled}>{choose}</Button>
        </FileTrigger>
        {actions}
      </div>
    </DropZone>
  )
}

/** Maximum depth of nested folders. */
const DEEPEST = 8
const MOST_FILES = 500

/** The dropped files, including those in folders, at most {@link MOST_FILES}. Files whose names begin with a dot are skipped. */
async function filesOfDrop(
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
