import type { IdText, OrganizationId } from '@troupe/contract'
import { send } from './call-operation.ts'
import type { AnswerOf } from './operation-types.ts'

/** Operations that take a file as `multipart/form-data`. */
export type UploadOperation =
  | 'addKnowledgeDocument'
  | 'uploadSkill'
  | 'planOrganizationBundleArchive'
  | 'applyOrganizationBundleArchive'

/** Fields sent with a file. */
export interface FileInput {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** Parts before the file, by name. */
  texts?: Readonly<Record<string, string>>
}

/** Sends one file. Throws {@link CallFailure} like every call. */
export async function uploadFile<Name extends UploadOperation>(
  name: Name,
  organizationId: IdText<OrganizationId> | null,
  { texts = {}, ...input }: FileInput,
  file: File,
): Promise<{ answer: AnswerOf<Name>; isNew: boolean }> {
  const body = new FormData()
  for (const [part, text] of Object.entries(texts)) body.append(part, text)
  body.append('file', file, file.name)
  const response = await send(name, organizationId, { ...input, body })
  // As in `callOperation`: the contract types the response.
  return { answer: (await response.json()) as AnswerOf<Name>, isNew: response.status !== 200 }
}
