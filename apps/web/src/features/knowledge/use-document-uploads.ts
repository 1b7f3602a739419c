import type { IdText, KnowledgeBaseId } from '@troupe/contract'
import { useEffect, useRef, useState } from 'react'
import { useFileUpload } from '../../infrastructure/queries/use-file-upload.ts'
import { addedUpload, type DocumentUpload, uploadOutcome } from './upload-outcome.ts'

/** Maximum concurrent uploads; the server ingests documents sequentially anyway. */
const AT_ONCE = 2

/** The uploads, and the actions on them. */
export type DocumentUploads = ReturnType<typeof useDocumentUploads>

/** Uploads files to a knowledge base, two at a time, and keeps each result until it is dismissed. */
export function useDocumentUploads(knowledgeBaseId: IdText<KnowledgeBaseId>) {
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
      void send({ params: { knowledgeBaseId } }, file).then((sent) => change(id, uploadOutcome(sent)))
    }
  })
  const isBusy = uploads.some(({ state }) => state === 'waiting' || state === 'sending')
  return {
    uploads,
    isBusy,
    add: (files: readonly File[]) => {
      const added = files.map((file) => {
        lastId.current += 1
        return addedUpload(lastId.current, file)
      })
      setUploads((before) => [...before.filter(({ state }) => state !== 'sent'), ...added])
    },
    retry: (id: number) => change(id, { state: 'waiting', note: '' }),
    dismiss: () => setUploads([]),
  }
}
