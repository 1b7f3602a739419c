import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { asCallFailure, type CallFailure } from '../client/call-failure.ts'
import type { AnswerOf, OperationName } from '../client/operation-types.ts'
import { type FileInput, type UploadOperation, uploadFile } from '../client/upload-file.ts'
import { useOrganizationId } from '../sign-in/organization-id.ts'

/** The result of one file. */
export type FileUpload<Name extends UploadOperation> =
  | { ok: true; answer: AnswerOf<Name>; isNew: boolean }
  | { ok: false; failure: CallFailure }

/** Uploads files, several concurrently if called so. The named operations are refetched after each. */
export function useFileUpload<Name extends UploadOperation>(
  name: Name,
  refreshes: readonly OperationName[],
): (input: FileInput, file: File) => Promise<FileUpload<Name>> {
  const organizationId = useOrganizationId()
  const cache = useQueryClient()
  const asked = refreshes.join(',')
  return useCallback(
    async (input, file) => {
      try {
        const sent = await uploadFile(name, organizationId, input, file)
        const wanted = asked.split(',')
        void cache.invalidateQueries({ predicate: ({ queryKey: [one] }) => wanted.includes(String(one)) })
        return { ok: true, ...sent }
      } catch (error) {
        return { ok: false, failure: asCallFailure(error) }
      }
    },
    [name, organizationId, cache, asked],
  )
}
