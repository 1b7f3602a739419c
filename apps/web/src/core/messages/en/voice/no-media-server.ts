/** The note of every page of voice and phone on a server that serves neither sessions nor calls. */
export const noMediaServerWords = {
  what: 'This server is not connected to a media server: no voice session starts and no call is placed. Voices, trunks and numbers can be set up already.',
  /** The names of the variables follow, then `guide`. */
  variables: 'To connect one, an operator sets five variables of the server, all of them: ',
  guide: ', as docs/guides/voice.md describes. On a laptop, ',
  command: 'npm run dev:voice',
  laptop: ' starts everything that is needed.',
} as const
