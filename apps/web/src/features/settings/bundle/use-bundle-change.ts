import type { GivenArchive, GivenBundle } from '@troupe/contract/builder'
import { useState } from 'react'
import type { CallFailure } from '../../../infrastructure/client/call-failure.ts'
import type { OperationName } from '../../../infrastructure/client/operation-types.ts'
import type { FileInput } from '../../../infrastructure/client/upload-file.ts'
import { useFileUpload } from '../../../infrastructure/queries/use-file-upload.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'

const IDLE = { isPending: false, failure: null }

/** A change that takes a bundle as a text, or as an archive with its files. */
export interface BundleChange<Answer, ArchiveAnswer> {
  isPending: boolean
  failure: CallFailure | null
  /** null: it failed. */
  ofText(given: GivenBundle): Promise<Answer | null>
  /** Without a text, the bundle is that of the archive. null: it failed. */
  ofArchive(given: GivenArchive, archive: File): Promise<ArchiveAnswer | null>
  reset(): void
}

/** The changes of a bundle. */
export function useBundlePlan() {
  const change = useChange('planOrganizationBundle')
  const upload = useFileUpload('planOrganizationBundleArchive', [])
  return useEither(change, upload)
}

/** @param refreshes the operations to refetch afterwards */
export function useBundleApply(refreshes: readonly OperationName[]) {
  const change = useChange('applyOrganizationBundle', { refreshes })
  const upload = useFileUpload('applyOrganizationBundleArchive', refreshes)
  return useEither(change, upload)
}

interface TextChange<Answer> {
  isPending: boolean
  failure: CallFailure | null
  run(input: { body: GivenBundle }): Promise<{ answer: Answer } | null>
  reset(): void
}

type Upload<Answer> = (
  input: FileInput,
  file: File,
) => Promise<{ ok: true; answer: Answer } | { ok: false; failure: CallFailure }>

function useEither<Answer, ArchiveAnswer>(
  change: TextChange<Answer>,
  upload: Upload<ArchiveAnswer>,
): BundleChange<Answer, ArchiveAnswer> {
  const [state, setState] = useState<{ isPending: boolean; failure: CallFailure | null }>(IDLE)
  return {
    isPending: change.isPending || state.isPending,
    failure: change.failure ?? state.failure,
    reset: () => {
      change.reset()
      setState(IDLE)
    },
    ofText: async (given) => {
      setState(IDLE)
      const done = await change.run({ body: given })
      return done?.answer ?? null
    },
    ofArchive: async (given, archive) => {
      change.reset()
      setState({ isPending: true, failure: null })
      const sent = await upload({ texts: { bundle: JSON.stringify(given) } }, archive)
      setState({ isPending: false, failure: sent.ok ? null : sent.failure })
      return sent.ok ? sent.answer : null
    },
  }
}
