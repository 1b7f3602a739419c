export { type FileLock, FileLockError, takeFileLock, tryFileLock } from './file-lock.ts'
