export { folderMailer } from './folder-mailer.ts'
export type { Mail, Mailer } from './mailer.ts'
export { noMailer } from './no-mailer.ts'
export { smtpMailer } from './smtp-mailer.ts'
