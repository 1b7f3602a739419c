/** Texts about an answer of an earlier visit, while the next one loads. */
export const knownWords = { before: 'Last loaded ' }
