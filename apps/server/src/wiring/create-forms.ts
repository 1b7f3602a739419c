import type { Clock } from '@troupe/agents/ports'
import type { NewId } from '@troupe/contract'
import type { TextExtractor } from '@troupe/documents'
import { type FileStore, IncomingFiles } from '@troupe/file-stores'
import { PublishedForms } from '@troupe/operations/forms/published-forms'
import type { WorkflowGraphs } from '@troupe/operations/workflows/workflow-graphs'
import type { People } from '@troupe/people/people'
import type { Guard } from '@troupe/rate-limits'
import type { EncryptionKey, Passwords } from '@troupe/secrets'
import type { Database } from '@troupe/storage'
import type { WorkflowRunner } from '@troupe/workflows'
import { FormAccess } from '../access/form-access.ts'
import { FormPasswords } from '../access/form-passwords.ts'
import { FormSecret } from '../access/form-secret.ts'
import { FormSessions } from '../access/form-sessions.ts'

/** Dependencies of forms. */
export interface FormParts {
  database: Database
  runner: WorkflowRunner
  graphs: WorkflowGraphs
  people: People
  guard: Guard
  passwords: Passwords
  clock: Clock
  newId: NewId
  encryptionKeys: readonly [EncryptionKey, ...EncryptionKey[]]
  publicUrl: string
  files: FileStore
  extractor: TextExtractor
  /** Folder for uploads in progress. */
  incomingDirectory: string
  /** Largest file, in bytes. */
  maxFileBytes: number
}

/** The hosted forms of this process. */
export interface Forms
  extends Pick<
    FormParts,
    'database' | 'runner' | 'people' | 'guard' | 'clock' | 'newId' | 'files' | 'extractor' | 'maxFileBytes'
  > {
  incoming: IncomingFiles
  published: PublishedForms
  access: FormAccess
  passwords: FormPasswords
  sessions: FormSessions
  secret: FormSecret
}

/** Wires forms to this process. */
export function createForms(parts: FormParts): Forms {
  const { database, runner, graphs, people, guard, clock, newId, files, extractor, maxFileBytes } = parts
  const { encryptionKeys, publicUrl, incomingDirectory } = parts
  const secret = new FormSecret(encryptionKeys)
  const sessions = new FormSessions(secret, clock, publicUrl)
  const passwords = new FormPasswords(guard, parts.passwords)
  const incoming = new IncomingFiles(incomingDirectory)
  return {
    database,
    runner,
    people,
    guard,
    clock,
    newId,
    files,
    extractor,
    maxFileBytes,
    incoming,
    published: new PublishedForms(database.read.forms, graphs),
    access: new FormAccess(people, sessions, passwords),
    passwords,
    sessions,
    secret,
  }
}
