/** Texts of the settings of a knowledge base. */
export const knowledgeFieldWords = {
  name: 'Name',
  project: 'Project',
  projectDetail: 'Agents of other projects cannot use it. It cannot be moved later.',
  organizationDetail: 'Agents of every project can use it. It cannot be moved later.',
  wholeOrganization: 'Whole organization',
  language: 'Language',
  languageDetail: 'The language for stemming. “Any” matches words exactly.',
  anyLanguage: 'Any',
  embedding: 'Search by meaning',
  embeddingDetail: 'An embedding model turns passages into vectors. Without one, only words are found.',
  noEmbedding: 'No, words only',
  model: 'Embedding model',
  modelDetail: 'The provider’s id for the model.',
  sandboxNote: 'The sandbox compares hashed words and understands nothing. It is for trying things out.',
  advanced: 'Passage size',
  advancedDetail: 'For documents that are added later. The defaults suit most texts.',
  chunkTokens: 'Passage length (tokens)',
  overlapTokens: 'Overlap (tokens)',
} as const

/** Texts of the tab that changes them. */
export const knowledgeSettingsWords = {
  save: 'Save',
  saved: 'Saved',
  saveFailed: 'It was not saved',
  id: 'Id',
} as const
