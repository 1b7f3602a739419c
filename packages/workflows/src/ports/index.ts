export * from './node-handler.ts'
export * from './review-store.ts'
export * from './workflow-store.ts'
