import { type ReactNode, useEffect, useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { Button } from './button.tsx'

/** The text of a file, or the reason that it has none. */
export type ReadFile =
  | { name: string; text: string; fault: null }
  | { name: string; text: null; fault: 'too_long' | 'not_text' }

export interface TextFileButtonProps {
  /** File extensions and media types: `.yaml`. */
  accept: readonly string[]
  icon?: ReactNode
  maxBytes: number
  onFile(file: ReadFile): void
  /** Handles the raw file; false: it is read as text. */
  onRawFile?: (file: File) => boolean
  children: ReactNode
}

/** A button that chooses one file and reads its text. */
export function TextFileButton({ accept, icon, maxBytes, onFile, onRawFile, children }: TextFileButtonProps) {
  return (
    <FileTrigger
      acceptedFileTypes={accept}
      onSelect={(files) => {
        const [file] = files ?? []
        if (file && !onRawFile?.(file)) void readTextFile(file, maxBytes).then(onFile)
      }}
    >
      <Button icon={icon}>{children}</Button>
    </FileTrigger>
  )
}

/** Reads a file that is dropped anywhere on the page. True while one is dragged over it. */
export function useTextFileDrop(
  maxBytes: number,
  onFile: (file: ReadFile) => void,
  onRawFile?: (file: File) => boolean,
): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef({ onFile, onRawFile })
  latest.current = { onFile, onRawFile }
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      const [file] = event.dataTransfer?.files ?? []
      if (!file || latest.current.onRawFile?.(file)) return
      void readTextFile(file, maxBytes).then((read) => latest.current.onFile(read))
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [maxBytes])
  return isOver
}

async function readTextFile(file: File, maxBytes: number): Promise<ReadFile> {
  const { name } = file
  if (file.size > maxBytes) return { name, text: null, fault: 'too_long' }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return text.includes('\0') ? { name, text: null, fault: 'not_text' } : { name, text, fault: null }
  } catch {
    return { name, text: null, fault: 'not_text' }
  }
}
