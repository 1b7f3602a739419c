/** What a code editor colours. */
export type CodeLanguage = 'json' | 'yaml' | 'markdown' | 'text'

/** How high a line is, in rem: prose that is written has the size of prose that is read. */
export const lineRem = (language: CodeLanguage | undefined): number =>
  language === 'markdown' ? 1.375 : 1.25
