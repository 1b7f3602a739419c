export { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'
export { expandNetworks, isLoopbackHost } from './networks.ts'
export { unreachableNetworks } from './platform-networks.ts'
