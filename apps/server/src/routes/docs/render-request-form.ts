import { html, type Markup } from '@troupe/html'
import type { ExampleRequest, PlacedOperation } from './example-request.ts'

/** Headers set by the script itself. */
const WRITTEN = new Set(['x-service-timestamp'])

/**
 * The form that sends a request to this server with a key of the reader: `reference.js` reads and shows it. Operations that upload
 * a file have none.
 */
export function renderRequestForm(
  { method, path, operation }: PlacedOperation,
  { credential, isTimed, body }: ExampleRequest,
): Markup | null {
  if (body?.kind === 'file') return null
  const id = operation.operationId
  const parameters = (operation.parameters ?? []).filter(
    (one) => one.in !== 'cookie' && !WRITTEN.has(one.name),
  )
  const fields = parameters.map(({ in: place, name, required, schema }) => {
    const field = `try-${id}-${place}-${name}`
    const hint = typeof schema.format === 'string' ? schema.format : ''
    return html`<label for="${field}">${name}${required ? null : html` <span class="type">optional</span>`}</label><input id="${field}" data-place="${place}" name="${name}" placeholder="${hint}" autocomplete="off" spellcheck="false"${required ? html` required` : null}>`
  })
  return html`<details class="try scripted"><summary>Send this request</summary>
<form data-method="${method}" data-path="${path}" data-credential="${credential ?? ''}"${isTimed ? html` data-timed` : null}>
${
  credential === null
    ? null
    : html`<label for="try-${id}-key">API key</label><input id="try-${id}-key" data-place="key" type="password" autocomplete="off" placeholder="trp_…" required>`
}
${fields}
${
  body?.kind === 'json'
    ? html`<label for="try-${id}-body">Body</label><textarea id="try-${id}-body" data-place="body" rows="6" spellcheck="false" required>${JSON.stringify(body.value, null, 2)}</textarea>`
    : null
}
<p class="actions"><button type="submit">Send</button><button type="button" class="stop" hidden>Stop</button><span class="note">${credential === null ? 'It is sent to this server.' : 'It is sent to this server. The key is kept until you leave this page.'}</span></p>
</form>
<div class="sent" hidden><p class="code-bar" role="status"></p><pre tabindex="0"><code></code></pre></div>
</details>`
}
