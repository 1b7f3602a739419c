/** Texts of the page that shows how code calls an agent or a team. */
export const callingWords = {
  title: 'Call it from your code',
  detail: (name: string) => `These programs run unchanged: they call ${name} on this server.`,
  message: 'Message',
  example: 'What can you do for me?',
  language: 'Language',
  languages: { curl: 'curl', typescript: 'TypeScript', python: 'Python' },
  style: 'Answer',
  styles: { answer: 'Complete', stream: 'Streamed' },
  program: (language: string) => `Program in ${language}`,
  run: {
    curl: 'Set the key once in your terminal, then paste the command.',
    typescript: 'Save it as ask.ts and run it with Node 24 or newer; it needs no package.',
    python: 'Save it as ask.py and run it with Python 3.9 or newer; it needs no package.',
  },
  start: { typescript: 'node ask.ts', python: 'python3 ask.py' },
  key: 'The key',
  keyText: 'The programs read an API key from TROUPE_API_KEY. A key is shown once, when it is created.',
  keyCommand: "export TROUPE_API_KEY='…'",
  keyLabel: 'Set the key',
  startLabel: 'Run it',
  makeKey: 'Create an API key',
  docs: 'All operations of the API',
  bundle: 'As a bundle',
  bundleText:
    'The same as text: keep it in your repository and apply it to any server. It contains no secrets.',
} as const
