/** The spoken conversation that a run answers. */
export interface VoiceChannel {
  kind: 'web' | 'outbound_call'
  /** BCP 47; the caller's language. */
  language: string
}
