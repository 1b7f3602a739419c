/** The note of every page of voice and phone on a server that serves neither sessions nor calls. */
export const noMediaServerWords = {
  what: 'This server is not connected to a media server, so no voice session or call can start. You can already set up voices, trunks and numbers.',
  /** The names of the variables follow, then `guide`. */
  variables: 'To connect one, an operator must set all five of these server variables: ',
  guide: ', as docs/guides/voice.md describes. On a laptop, ',
  command: 'npm run dev:voice',
  laptop: ' starts all the services.',
} as const
