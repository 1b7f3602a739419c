import type { Mailer } from './mailer.ts'

/** Milliseconds after which the mail server counts as down. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/**
 * Sends by SMTP with one connection per mail: a server sends few mails, and the peer would close an idle
 * connection.
 *
 * @param url `smtp://` (STARTTLS when the server offers it) or `smtps://`, with user name and password
 * @param from the sender, `Name <address>` or an address
 */
export function smtpMailer(url: string, from: string): Mailer {
  return {
    sends: true,
    async send({ to, subject, text, html, id }) {
      // Loaded on demand: 20 MB that only a server with e-mail needs.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true })
      try {
        // A structured address is never parsed as a list of several.
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
