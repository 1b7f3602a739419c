export {
  type BuildOptions,
  ensureBinaries,
  findBinaries,
  type MediaBinaries,
} from './binaries/ensure-binaries.ts'
export { startVoiceWorker } from './development/start-voice-worker.ts'
export { voiceEnvironment } from './development/voice-environment.ts'
export { mediaEnvironment } from './environment/media-environment.ts'
export type { MediaServerProcess } from './servers/media-server-process.ts'
export {
  type MediaServerOptions,
  type MediaServers,
  startMediaServers,
} from './servers/start-media-servers.ts'
