export { PROVIDER_WIRES, type ProviderWire } from './answers.ts'
export { type BodyServer, inWrites, type RawAnswer, type RawRequest, startBodyServer } from './body-server.ts'
export { type Framing, framed } from './framing.ts'
