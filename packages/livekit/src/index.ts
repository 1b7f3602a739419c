export { createLivekit, type Livekit, type LivekitConfig } from './create-livekit.ts'
