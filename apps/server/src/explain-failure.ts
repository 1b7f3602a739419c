import { propertyOf } from '@troupe/contract'
import { MissingKeyError } from '@troupe/operations/llm-configurations/require-openable-credentials'
import {
  BrokenDatabaseError,
  DamagedDatabaseError,
  DatabaseInUseError,
  type DatabaseTrouble,
  DatabaseUnreachableError,
  databaseTrouble,
  FileLockError,
  FolderLostError,
  IncompatibleDatabaseError,
} from '@troupe/storage'
import { ConfigError } from './config/problems.ts'
import { ListenError } from './listen.ts'

/** Errors whose message is written for the operator. */
const EXPECTED_ERRORS = [
  BrokenDatabaseError,
  ConfigError,
  DamagedDatabaseError,
  DatabaseInUseError,
  DatabaseUnreachableError,
  FileLockError,
  FolderLostError,
  IncompatibleDatabaseError,
  ListenError,
  MissingKeyError,
]

const TROUBLES: Record<DatabaseTrouble, string> = {
  storage_full: 'The disk of the database is full. Free up space on it and start again.',
  away: 'The database did not answer in time or closed the connection. Start it, and then this program again.',
  damaged: 'The database has pages that cannot be read. Restore it from a backup.',
}

type Folder = (folder: string, path: string) => string

/** File system errors that the operator can fix. */
const FOLDER_ERRORS: Record<string, Folder> = {
  ENOTDIR: notAFolder,
  EEXIST: notAFolder,
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: (folder) =>
    `The data folder ${folder} is on a read-only file system. Set TROUPE_DATA_DIR to a folder that can be written to.`,
  ENOENT: (folder, path) =>
    `The data folder ${folder} cannot be used: ${path} does not exist and cannot be created. Set TROUPE_DATA_DIR to a folder that can be written to.`,
  ENOSPC: full,
  EDQUOT: full,
}

/** One sentence for each failure that the operator can fix; any other error is a defect and is reported with its stack. */
export function explainFailure(error: unknown, dataDirectory: string): string {
  if (error instanceof Error && EXPECTED_ERRORS.some((kind) => error instanceof kind)) return error.message
  const folder = explainFolder(error, dataDirectory)
  if (folder !== null) return folder
  const trouble = databaseTrouble(error)
  if (trouble !== null) return `${TROUBLES[trouble]} (${String(propertyOf(error, 'message'))})`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** null for an error outside the data folder. A failed write has no path. */
function explainFolder(error: unknown, folder: string): string | null {
  const [code, path] = [propertyOf(error, 'code'), propertyOf(error, 'path')]
  if (typeof code !== 'string' || propertyOf(error, 'syscall') === undefined) return null
  const explain = Object.hasOwn(FOLDER_ERRORS, code) ? FOLDER_ERRORS[code] : undefined
  if (typeof path !== 'string') return explain === full ? full(folder) : null
  const isInside = path === folder || path.startsWith(`${folder}/`) || folder.startsWith(`${path}/`)
  return isInside ? (explain?.(folder, path) ?? null) : null
}

function notAFolder(folder: string): string {
  return `The data folder ${folder} is a file, or lies below one. Set TROUPE_DATA_DIR to a folder.`
}

function notAllowed(folder: string, path: string): string {
  return `This user may not write to the data folder ${folder} (${path}). Change its owner, or set TROUPE_DATA_DIR to another folder.`
}

function full(folder: string): string {
  return `The disk of the data folder ${folder} is full. Free up space on it and start again; stored data is kept.`
}
