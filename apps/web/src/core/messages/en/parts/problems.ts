/** What the API says of settings that refer to others, in the words of the page. */
export const problemWords: Readonly<Record<string, string>> = {
  'is required when mode is json_schema': 'Enter the schema of the answer, or choose text',
  'must have at least 2 members when the lead is managed': 'A lead of its own needs at least 2 members',
  'must be null in every mode but handoff': 'Remove it: only the mode Handoff uses it',
}
