import type { Database } from '@troupe/database'
import type { RunSweeper, WorkflowRunner } from '@troupe/runtime'
import type { Clock } from '../clock.ts'
import type { FileStore } from '../files/file-store.ts'
import { IncomingFiles } from '../files/incoming-files.ts'
import type { TextExtractor } from '../files/text-extractor.ts'
import type { Guard } from '../limits/guard.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { People } from '../people/people.ts'
import type { EncryptionKey } from '../secrets/encryption-keys.ts'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'
import { FormDoor } from './form-door.ts'
import { FormPasswords } from './form-passwords.ts'
import { FormSecret } from './form-secret.ts'
import { FormSessions } from './form-sessions.ts'
import { PublishedForms } from './published-forms.ts'
import { sweepUploads } from './sweep-uploads.ts'

/** What forms are made of. */
export interface FormParts {
  database: Database
  runner: WorkflowRunner
  graphs: WorkflowGraphs
  people: People
  guard: Guard
  passwords: Passwords
  clock: Clock
  encryptionKeys: readonly [EncryptionKey, ...EncryptionKey[]]
  publicUrl: string
  files: FileStore
  extractor: TextExtractor
  /** Folder for files on their way in. */
  incomingDirectory: string
  /** Largest file, in bytes. */
  maxFileBytes: number
  sweeper: Pick<RunSweeper, 'add'>
}

/** The hosted forms of this process. */
export interface Forms
  extends Pick<
    FormParts,
    'database' | 'runner' | 'people' | 'guard' | 'clock' | 'files' | 'extractor' | 'maxFileBytes'
  > {
  incoming: IncomingFiles
  published: PublishedForms
  door: FormDoor
  passwords: FormPasswords
  sessions: FormSessions
  secret: FormSecret
}

/** Wires forms to this process. */
export function createForms(parts: FormParts): Forms {
  const { database, runner, graphs, people, guard, clock, files, extractor, maxFileBytes } = parts
  const { encryptionKeys, publicUrl, incomingDirectory, sweeper } = parts
  const secret = new FormSecret(encryptionKeys)
  const sessions = new FormSessions(secret, clock, publicUrl)
  const passwords = new FormPasswords(guard, parts.passwords)
  const incoming = new IncomingFiles(incomingDirectory)
  sweeper.add('retention', 'uploads of forms', () =>
    sweepUploads({ uploads: database.formUploads, files }, clock.now()),
  )
  sweeper.add('retention', 'files on their way in', () => incoming.sweep(clock.now()))
  return {
    database,
    runner,
    people,
    guard,
    clock,
    files,
    extractor,
    maxFileBytes,
    incoming,
    published: new PublishedForms(database.read.forms, graphs),
    door: new FormDoor(people, sessions, passwords),
    passwords,
    sessions,
    secret,
  }
}
