import { takeFileLock } from '../file-lock.ts'

/** Takes the lock of a file within some milliseconds, prints `held` or `refused`, and keeps it until this process ends. */
const lock = await takeFileLock(process.argv[2] ?? '', Number(process.argv[3]))
process.stdout.write(lock === null ? 'refused\n' : 'held\n')
if (lock !== null) setInterval(() => lock.isNew, 1_000)
