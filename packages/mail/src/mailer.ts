/** A plain-text e-mail to one recipient. */
export interface Mail {
  /** One address, without a name. */
  to: string
  subject: string
  text: string
  /** An HTML version for mail readers that display it; absent: text only. */
  html?: string
  /** The same for every attempt, so that a duplicate mail is recognised. */
  id?: string
}

/** Sends e-mail. A server without SMTP uses one that sends nothing. */
export interface Mailer {
  /** false: nothing is ever sent, and callers must notify users in another way. */
  readonly sends: boolean
  /**
   * Resolves when the mail server has accepted the mail, or when there is none. Rejects otherwise; the caller
   * may retry.
   */
  send(mail: Mail): Promise<void>
}
