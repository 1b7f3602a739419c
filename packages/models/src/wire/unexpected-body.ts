const MAX_EXCERPT = 200

/** A successful response that is not an answer of a model: an HTML page, a text, or other JSON. */
export class UnexpectedBody extends Error {
  override readonly name = 'UnexpectedBody'
  /** Whether it is an HTML page. */
  readonly isPage: boolean

  constructor(contentType: string, text: string) {
    const start = text.slice(0, MAX_EXCERPT).replaceAll(/\s+/g, ' ').trim()
    super(`the body is not a model’s answer: ${contentType || 'no content type'}, ${JSON.stringify(start)}`)
    this.isPage = start.startsWith('<')
  }
}

/** An answer in JSON ended early. */
export class CutBody extends Error {
  override readonly name = 'CutBody'
}
