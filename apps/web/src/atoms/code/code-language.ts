/** The syntax that a code editor highlights. */
export type CodeLanguage = 'json' | 'yaml' | 'markdown' | 'text'

/** Line height in rem: prose has the same size in the editor as when rendered. */
export const lineRem = (language: CodeLanguage | undefined): number =>
  language === 'markdown' ? 1.375 : 1.25
