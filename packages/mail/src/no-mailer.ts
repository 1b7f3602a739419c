import type { Mailer } from './mailer.ts'

/**
 * Without SMTP: logs that a mail was not sent, but neither recipient nor text, which may contain a sign-in
 * link.
 */
export function noMailer(log: Pick<{ info(facts: object, text: string): void }, 'info'>): Mailer {
  return {
    sends: false,
    async send({ subject }) {
      log.info({ subject }, 'an e-mail was not sent, because SMTP_URL is not set')
    },
  }
}
