import { useEffect, useRef, useState } from 'react'
import { type FileUpload, useFileUpload } from '../../infrastructure/queries/use-file-upload.ts'

/** Files that are sent at the same time; the server reads one document after the other anyway. */
const AT_ONCE = 2

/** One file on its way. */
export interface DocumentUpload {
  id: number
  file: File
  state: 'waiting' | 'sending' | 'sent' | 'existing' | 'failed'
  /** Why it failed, or as what the content is here already. */
  note: string
}

/** Files on their way, and what can be done about them. */
export type DocumentUploads = ReturnType<typeof useDocumentUploads>

/** Sends files to a knowledge base, two at a time, and keeps what became of each until it is dismissed. */
export function useDocumentUploads(knowledgeBaseId: string) {
  const send = useFileUpload('addKnowledgeDocument', [
    'listKnowledgeDocuments',
    'getKnowledgeBase',
    'listKnowledgeBases',
  ])
  const [uploads, setUploads] = useState<readonly DocumentUpload[]>([])
  const lastId = useRef(0)
  const change = (id: number, next: Partial<DocumentUpload>) =>
    setUploads((before) => before.map((one) => (one.id === id ? { ...one, ...next } : one)))

  useEffect(() => {
    const sending = uploads.filter(({ state }) => state === 'sending').length
    const next = uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, AT_ONCE - sending))
    for (const { id, file } of next) {
      change(id, { state: 'sending' })
      void send({ params: { knowledgeBaseId } }, file).then((sent) => change(id, outcomeOf(sent)))
    }
  })
  const isBusy = uploads.some(({ state }) => state === 'waiting' || state === 'sending')
  return {
    uploads,
    isBusy,
    add: (files: readonly File[]) => {
      const added = files.map((file): DocumentUpload => {
        lastId.current += 1
        return { id: lastId.current, file, state: 'waiting', note: '' }
      })
      setUploads((before) => [...before.filter(({ state }) => state !== 'sent'), ...added])
    },
    retry: (id: number) => change(id, { state: 'waiting', note: '' }),
    dismiss: () => setUploads([]),
  }
}

function outcomeOf(sent: FileUpload<'addKnowledgeDocument'>): Pick<DocumentUpload, 'state' | 'note'> {
  if (!sent.ok) return { state: 'failed', note: sent.failure.message }
  return sent.isNew ? { state: 'sent', note: '' } : { state: 'existing', note: sent.answer.name }
}
