export * from './chat-models.ts'
