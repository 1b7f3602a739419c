import { html, type Markup } from './markup.ts'

/** One message with one action. */
interface MailContent {
  /** The event, as a sentence. */
  lead: string
  /** The subject of the event, if the sentence does not name it. */
  title?: string
  action: { label: string; href: string }
  /** Deadlines and warnings, below the action. */
  notes: readonly string[]
}

/** The light colours of `tokens.css`: mail readers load no style sheet, and most know no variables. */
const PAGE = 'margin:0;padding:32px 16px;background:#fafafb'
const SHEET =
  "max-width:480px;margin:0 auto;padding:32px;border:1px solid #e6e4ea;border-radius:10px;background:#ffffff;color:#1d1b22;font:15px/24px Inter,system-ui,-apple-system,'Segoe UI',sans-serif;overflow-wrap:anywhere"
const NAME = 'margin:0 0 24px;color:#6a3fd1;font-size:15px;font-weight:600'
const TITLE = 'margin:0 0 24px;font-size:20px;line-height:28px;font-weight:600'
const BUTTON =
  'display:inline-block;padding:10px 20px;border-radius:6px;background:#6a3fd1;color:#ffffff;font-weight:500;text-decoration:none'
const NOTE = 'margin:0 0 8px;color:#625d6d;font-size:13px;line-height:20px'

/** The HTML version of a mail, in the colours and sizes of the pages. Every text is escaped. */
export function mailMarkup({ lead, title, action, notes }: MailContent): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
</head>
<body style="${PAGE}">
<div style="${SHEET}">
<p style="${NAME}">Troupe</p>
<p style="margin:0 0 ${title === undefined ? '24px' : '8px'}">${lead}</p>
${title === undefined ? null : html`<p style="${TITLE}">${title}</p>`}
<p style="margin:0 0 24px"><a href="${action.href}" style="${BUTTON}">${action.label}</a></p>
${notes.map((note) => html`<p style="${NOTE}">${note}</p>\n`)}
<p style="${NOTE};margin:0">If the button does not work, open this address: <a href="${action.href}" style="color:#6a3fd1">${action.href}</a></p>
</div>
</body>
</html>
`
}
