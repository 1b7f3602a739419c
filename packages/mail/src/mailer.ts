/** An e-mail of plain text to one person. */
export interface Mail {
  /** One address, without a name. */
  to: string
  subject: string
  text: string
  /** The same as a small page, for readers that show one; the text alone when absent. */
  html?: string
  /** The same for every try: a mail that comes twice is recognised. */
  id?: string
}

/** Sends e-mail. A server without SMTP has one that sends nothing. */
export interface Mailer {
  /** false: nothing is ever sent, and whoever needs to tell somebody something must find another way. */
  readonly sends: boolean
  /** Resolves when the mail server has taken the mail, or when there is none. Rejects when it did not; try again then. */
  send(mail: Mail): Promise<void>
}
