/** A parser's reason for refusing a document, if known. */
export type RefusalReason = 'password' | 'outdated'

/** A document that its parser refuses for a known reason. */
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
  /** Whether the document continues after the text, because it has more pages or characters than are read. */
  isCut: boolean
}
