/** Texts of the editor of instructions. */
export const instructionsWords = { outline: 'Headings' }
