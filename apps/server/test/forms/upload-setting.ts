import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { seedForm } from '@troupe/test-kit/seed-form'
import type { FormServer } from './form-setting.ts'

const FIELDS = [
  { name: 'cv', label: 'CV', type: 'file' },
  { name: 'papers', label: 'Papers', type: 'file', multiple: true, accept: '.txt, .MD' },
  { name: 'name', label: 'Name', type: 'text' },
]

/** A published form with two fields for files. */
export const seedUploadForm = (server: FormServer) =>
  seedForm(server.context, { organizationId: server.seed.organizationId, fields: FIELDS })

/** Names of all files stored on this machine. */
export async function storedFiles(server: FormServer): Promise<string[]> {
  const list = async (folder: string) =>
    readdir(join(server.context.config.dataDirectory, folder), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => [])
  const entries = [...(await list('files')), ...(await list('incoming'))]
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
