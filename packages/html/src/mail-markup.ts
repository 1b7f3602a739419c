import { html, Markup } from './markup.ts'

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
  "max-width:480px;margin:0 auto;padding:32px;border:1px solid #e6e4ea;border-radius:10px;background:#ffffff;color:#1d1b22;font:14px/22px Inter,system-ui,-apple-system,'Segoe UI',sans-serif;overflow-wrap:anywhere"
/** A letter, because most mail readers show no SVG and load no image. */
const MARK =
  'display:inline-block;width:32px;height:32px;margin:0 8px 0 0;border-radius:8px;background:#6a3fd1;color:#ffffff;font-size:20px;line-height:32px;font-weight:600;text-align:center;vertical-align:middle'
const LEAD = 'margin:0 0 4px;color:#625d6d'
const TITLE = 'margin:0 0 24px;font-size:20px;line-height:28px;font-weight:600'
const BUTTON =
  'display:inline-block;padding:9px 20px;border-radius:6px;background:#6a3fd1;color:#ffffff;font-weight:500;text-decoration:none'
const NOTES = 'margin:32px 0 0;padding:16px 0 0;border-top:1px solid #e6e4ea'
const NOTE = 'margin:0 0 8px;color:#625d6d;font-size:13px;line-height:20px'
/** The first line in a list of mails. */
const PREVIEW = 'display:none;max-height:0;overflow:hidden'

/** The dark colours of `tokens.css`, for mail readers that follow the system. */
const DARK = new Markup(`<style>
@media (prefers-color-scheme: dark) {
.page { background: #0b0a0e !important }
.sheet { background: #17161c !important; border-color: #2a2832 !important; color: #ece9f1 !important }
.mark, .button { background: #b79cff !important; color: #1b1526 !important }
.quiet { color: #a39dae !important }
.notes { border-color: #2a2832 !important }
.link { color: #b79cff !important }
}
</style>`)

/** The HTML version of a mail, in the colours and sizes of the pages. Every text is escaped. */
export function mailMarkup({ lead, title, action, notes }: MailContent): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title ?? lead}</title>
${DARK}
</head>
<body class="page" style="${PAGE}">
<div style="${PREVIEW}">${lead} ${title ?? null}</div>
<div class="sheet" style="${SHEET}">
<p style="margin:0 0 24px;font-weight:600"><span class="mark" style="${MARK}" aria-hidden="true">T</span>Troupe</p>
${title === undefined ? null : html`<p class="quiet" style="${LEAD}">${lead}</p>`}
<h1 style="${TITLE}">${title ?? lead}</h1>
<p style="margin:0"><a class="button" href="${action.href}" style="${BUTTON}">${action.label}</a></p>
<div class="notes" style="${NOTES}">
${notes.map((note) => html`<p class="quiet" style="${NOTE}">${note}</p>\n`)}
<p class="quiet" style="${NOTE};margin:0">If the button does not work, open this address: <a class="link" href="${action.href}" style="color:#6a3fd1">${action.href}</a></p>
</div>
</div>
</body>
</html>
`
}
