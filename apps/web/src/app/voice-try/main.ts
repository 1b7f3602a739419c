import { SpokenView } from './spoken-view.ts'
import { VoiceConversation } from './voice-conversation.ts'

/** The script of `/voice/try`, a page of the server: everything it shows is in that page already. */
const root = document.getElementById('voice')
if (root !== null) {
  const view = new SpokenView(root)
  let conversation: VoiceConversation | null = null

  async function start(): Promise<void> {
    view.starting()
    const begun = new VoiceConversation(view)
    conversation = begun
    try {
      await begun.start(root?.dataset.session ?? '', view.agentId())
    } catch (error) {
      await begun.end()
      view.failed(error instanceof Error ? error.message : 'The conversation could not be started.')
    }
  }

  view.onStart(() => void start())
  view.onEnd(() => void conversation?.end())
  view.onMute((isMuted) => void conversation?.mute(isMuted))
  window.addEventListener('pagehide', () => void conversation?.end())
}
