/** The note of every page of voice and phone on a server that serves neither sessions nor calls. */
export const noMediaServerWords = {
  what: 'This server is not connected to a media server, so no voice session or call can start. Voices, trunks and numbers can already be set up.',
  how: 'Connect a media server',
  /** The names of the variables follow, then `guide`. */
  variables: 'An operator sets these five variables of the server, as docs/guides/voice.md describes:',
  laptop: 'starts all the services on a laptop.',
  command: 'npm run dev:voice',
} as const
