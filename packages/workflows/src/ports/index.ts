export * from './node-handler.ts'
export * from './review-store.ts'
export type * from './run-scope.ts'
export * from './workflow-store.ts'
