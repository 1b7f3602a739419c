import type { Mailer } from './mailer.ts'

/** Without SMTP: says that a mail was not sent, but neither to whom nor what: the text may hold a link that lets people in. */
export function noMailer(log: Pick<{ info(facts: object, text: string): void }, 'info'>): Mailer {
  return {
    sends: false,
    async send({ subject }) {
      log.info({ subject }, 'an e-mail was not sent, because SMTP_URL is not set')
    },
  }
}
