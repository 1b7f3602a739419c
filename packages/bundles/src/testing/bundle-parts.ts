import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '@troupe/contract'
import { createDiskFileStore, IncomingFiles } from '@troupe/file-stores'
import { createHeavyWork } from '@troupe/heavy-work'
import { DocumentFiles } from '@troupe/operations/knowledge/documents/document-files'
import { createPasswords, SecretBox } from '@troupe/secrets'
import type { Actor, Database } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import type { ApplyParts } from '../apply-bundle.ts'

/** The actor that applies bundles in tests. */
export const TEST_ACTOR: Actor = { kind: 'operator', id: null, ip: null, requestId: null }

/** The dependencies of applying bundles in tests, over a separate database. */
export interface BundleParts extends ApplyParts, AsyncDisposable {
  database: Database
  /** Key hashes and organization ids of notifications to this process. */
  told: string[]
}

/** Parts over an empty in-memory database, or over one that the caller closes. */
export async function openBundleParts(shared?: Database): Promise<BundleParts> {
  const database = shared ?? (await openReusedDatabase())
  const told: string[] = []
  const folder = join(tmpdir(), `troupe-bundles-${randomUUID()}`)
  const files = createDiskFileStore(join(folder, 'files'))
  return {
    database,
    told,
    box: new SecretBox([{ id: 'test', key: Buffer.alloc(32, 7) }]),
    passwords: createPasswords(createHeavyWork(), { cost: 4 }),
    newId,
    now: () => Date.now(),
    heavy: createHeavyWork(),
    toolSources: {
      scriptProblem: async (source) => (source.includes('export default') ? null : 'does not compile'),
      documentFindings: async (document) => ({
        problem: typeof document === 'string' ? 'It is text.' : null,
        leftOut: [{ name: 'upload', reason: 'Its body is a file.' }],
      }),
      addressFindings: async ({ address }) => ({ problem: `${address} is away.`, leftOut: [] }),
    },
    acceptsWeakSecrets: false,
    limitCeilings: { rpm: null, concurrentRuns: null },
    configChanges: {
      committed(organizationId) {
        told.push(organizationId)
      },
    },
    documents: new DocumentFiles({
      files,
      incoming: new IncomingFiles(join(folder, 'incoming')),
      maxFileBytes: 1_000_000,
      deleteFiles: async (keys) => {
        for (const key of keys) await files.delete(key)
      },
      hurry: () => void told.push('documents'),
    }),
    apiKeys: { forget: (secretHash) => void told.push(secretHash) },
    async [Symbol.asyncDispose]() {
      if (!shared) await database[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
