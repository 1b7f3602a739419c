import { appendFile, chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { createDataFolder } from '../config/data-folder.ts'

/** File name in the data folder. */
export const START_SECRETS_FILE = 'start-secrets.txt'

/**
 * Prints a text with secrets that are shown once. If other machines reach the server, its output is likely to end up in a shared
 * log: then the text is appended to a file with mode 0600, and the file name is printed.
 *
 * @param text empty: nothing to show
 */
export async function revealSecrets(
  { exposure, dataDirectory }: Pick<Config, 'exposure' | 'dataDirectory'>,
  text: string,
): Promise<string> {
  if (text === '' || exposure.printsSecrets) return text
  await createDataFolder(dataDirectory)
  const path = join(dataDirectory, START_SECRETS_FILE)
  await appendFile(path, `${text.trim()}\n\n`, { mode: 0o600 })
  await chmod(path, 0o600)
  return `The passwords and keys of this start are in ${path}, which only this user may read. Delete the file when you have read it.\n`
}
