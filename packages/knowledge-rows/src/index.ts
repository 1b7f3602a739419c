export type * from './port.ts'
export { knowledgeReader } from './reader.ts'
export { knowledgeStore } from './store.ts'
export { knowledgeWriter } from './writer.ts'
