import type { Mailer } from './mailer.ts'

/** Milliseconds. A mail server that takes longer is down for us. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/**
 * Sends by SMTP. One connection for each mail: a server sends few, and an idle connection would be closed by the other
 * side.
 *
 * @param url `smtp://` (STARTTLS when the server offers it) or `smtps://`, with user name and password
 * @param from the sender, `Name <address>` or an address
 */
export function smtpMailer(url: string, from: string): Mailer {
  return {
    sends: true,
    async send({ to, subject, text, html, id }) {
      // 20 MB that only a server with e-mail needs.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true })
      try {
        // An address in parts is never read as a list of several.
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          ...(html && { html }),
          ...(id && { messageId: `<${id}@${new URL(url).hostname}>` }),
        })
      } finally {
        transport.close()
      }
    },
  }
}
