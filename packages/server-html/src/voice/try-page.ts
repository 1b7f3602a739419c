import type { AgentId, IdText } from '@troupe/contract'
import { html, originsOf } from '@troupe/html'
import { personHeader } from '../people/person-header.ts'
import { readAsset } from '../rendering/asset.ts'
import type { HtmlPage } from '../rendering/html-page.ts'

export const VOICE_TRY_STYLE = readAsset(new URL('./try.css', import.meta.url), 'css')
/** The endpoint from which the page's script requests a session. */
export const VOICE_TRY_SESSION_PATH = '/voice/try/session'

export interface VoiceTryView {
  /** Voice agents of the user's organizations; may be empty. */
  agents: readonly { agentId: IdText<AgentId>; name: string; organization: string }[]
  /** The initially selected agent; null, or one that is not among them: the first. */
  chosen: string | null
  /** Path of the page's script; null: the builder's pages are not built. */
  script: string | null
  /** The media server's URL for browsers. */
  wsUrl: string
}

/** A page on which the user talks to a voice agent, with the recognized text and the latency of each answer. */
export function voiceTryPage({ agents, chosen, script, wsUrl }: VoiceTryView): HtmlPage {
  const isReady = agents.length > 0 && script !== null
  return {
    title: 'Talk to a voice agent · Troupe',
    width: 'wide',
    header: personHeader(null, true),
    styles: [VOICE_TRY_STYLE],
    modules: script === null ? [] : [script],
    policy: { connectOrigins: [...originsOf(wsUrl), ...originsOf(wsUrl.replace(/^ws/, 'http'))] },
    main: html`
<h1>Talk to a voice agent</h1>
<p class="help">Your microphone is used while a conversation runs. No audio is stored.</p>
${isReady ? conversation(agents, chosen) : obstacle(script)}`,
  }
}

function conversation(agents: VoiceTryView['agents'], chosen: string | null) {
  const isOne = new Set(agents.map(({ organization }) => organization)).size === 1
  return html`<noscript><p>This page needs JavaScript.</p></noscript>
<div class="voice" id="voice" data-session="${VOICE_TRY_SESSION_PATH}" data-phase="idle">
<section class="voice-panel" aria-label="Conversation">
<div class="voice-choice">
<label for="voice-agent">Agent</label>
<select id="voice-agent">${agents.map(
    ({ agentId, name, organization }) =>
      html`<option value="${agentId}" data-name="${name}"${agentId === chosen ? html` selected` : null}>${isOne ? name : `${name} · ${organization}`}</option>`,
  )}</select>
</div>
<div class="voice-orb" aria-hidden="true"><span id="voice-level"></span></div>
<p class="voice-state" id="voice-state" role="status">Ready</p>
<div class="voice-buttons">
<button type="button" id="voice-start">Start talking</button>
<button type="button" id="voice-mute" class="quiet" hidden aria-pressed="false">Mute</button>
<button type="button" id="voice-end" class="quiet" hidden>End</button>
</div>
<p class="voice-failure" id="voice-failure" role="alert" hidden></p>
</section>
<section class="voice-transcript" aria-labelledby="voice-transcript-title">
<h2 id="voice-transcript-title">Transcript</h2>
<p class="help" id="voice-empty">What you and the agent say appears here.</p>
<ol id="voice-turns" aria-live="polite"></ol>
</section>
<section class="voice-latency" aria-labelledby="voice-latency-title">
<h2 id="voice-latency-title">Latency</h2>
<dl>
<div><dt>Last</dt><dd id="voice-last">–</dd></div>
<div><dt>Median</dt><dd id="voice-median">–</dd></div>
<div><dt>Slowest</dt><dd id="voice-slowest">–</dd></div>
</dl>
<p class="help">From the end of your sentence to the first sound of the agent, measured in this browser.</p>
</section>
</div>`
}

function obstacle(script: string | null) {
  return script === null
    ? html`<p>The script of this page is not built yet: run <code>npm run build:web</code>, then start again.</p>`
    : html`<p>None of your organizations has an agent with a voice configuration. Add one with a bundle: see
<code>docs/guides/voice.md</code>.</p>`
}
