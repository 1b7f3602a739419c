import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mailer } from './mailer.ts'

/** Number of newest mails that are kept. */
const KEPT = 100
/** Readable only by the owner of the data folder: a mail may contain a sign-in link. */
const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600

/**
 * Writes each mail to a text file, so that links can be opened on a laptop without SMTP. Only for the data
 * folder of an embedded database, which already holds every key.
 */
export function folderMailer(folder: string, now: () => number): Mailer {
  let written = 0
  return {
    sends: true,
    async send({ to, subject, text }) {
      await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
      written += 1
      const moment = new Date(now()).toISOString().replaceAll(':', '-')
      const file = `${moment}-${String(written).padStart(4, '0')}.txt`
      const mail = `To: ${to}\nSubject: ${subject}\n\n${text}\n`
      await writeFile(join(folder, file), mail, { mode: PRIVATE_FILE, flag: 'wx' })
      const files = (await readdir(folder)).filter((name) => name.endsWith('.txt')).sort()
      const old = files.slice(0, Math.max(0, files.length - KEPT))
      await Promise.all(old.map((name) => rm(join(folder, name), { force: true })))
    },
  }
}
