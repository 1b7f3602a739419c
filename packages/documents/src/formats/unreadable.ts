/** Why a parser refuses a document, where it knows. */
export type RefusalReason = 'password' | 'outdated'

/** A document that its parser understands well enough to say why it is not read. */
export class RefusedDocument extends Error {
  override readonly name = 'RefusedDocument'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason) {
    super(reason)
    this.reason = reason
  }
}

/** The text of a document. */
export interface ParsedText {
  text: string
  /** Whether the document goes on after the text, because it has more pages or characters than are read. */
  isCut: boolean
}
