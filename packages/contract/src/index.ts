export { PROVIDER_IDS, type ProviderId } from './providers.ts'
