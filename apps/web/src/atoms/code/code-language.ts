/** What a code editor colours. */
export type CodeLanguage = 'json' | 'yaml' | 'markdown' | 'text'
