/** Whether a UTF-16 unit is an ASCII digit. False for NaN, which marks the end of the text. */
export const isDigit = (code: number) => code >= 48 && code <= 57
/** Whether it is an ASCII letter. */
export const isLetter = (code: number) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
/** Whether it is part of a word: ASCII letters and digits, the underscore, and all non-ASCII characters except spaces and punctuation. */
export const isWord = (code: number) =>
  isDigit(code) ||
  isLetter(code) ||
  code === 95 ||
  (code >= 0xc0 && !(code >= 0x2000 && code <= 0x206f) && code < 0x3000)
