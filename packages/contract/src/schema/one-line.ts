/** Characters without a glyph, except the joiners of scripts and emoji, which change the glyphs beside them. */
const HIDDEN = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * A text without control, bidirectional and invisible characters: in displayed names they reverse, hide or imitate the
 * text beside them.
 */
export function withoutHidden(text: string): string {
  return text.replaceAll(HIDDEN, '').toWellFormed()
}

/** A text as one trimmed line without hidden characters, for titles and names within sentences and mails. */
export function oneLine(text: string): string {
  return withoutHidden(text.replaceAll(/[\s\p{Cc}]+/gu, ' '))
    .replaceAll(/ +/g, ' ')
    .trim()
}
