/** Texts about a response of an earlier visit, shown while the next one loads. */
export const knownWords = { before: 'Last loaded ' }
