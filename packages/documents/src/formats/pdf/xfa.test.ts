import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parsePdf } from '../pdf.ts'

const RESOURCES = fileURLToPath(new URL('../../../resources/pdfjs', import.meta.url))

/**
 * A form as the XFA specification 3.3 describes it: all of it is in XML, and its page tells people to use another
 * reader.
 */
const FORM = `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">
<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="form1" layout="tb" locale="en_US">
<pageSet><pageArea name="Page1"><contentArea x="20pt" y="20pt" w="550pt" h="750pt"/><medium stock="a4" short="595pt" long="842pt"/></pageArea></pageSet>
<subform w="500pt" layout="tb">
<draw w="300pt" h="20pt"><font typeface="Courier New"/><value><text>Sponsor of the club</text></value></draw>
<draw w="20pt" h="20pt"><value><image contentType="image/png" transferEncoding="base64">iVBORw0KGgo=</image></value></draw>
<field name="member" w="300pt" h="20pt"><font typeface="Courier New"/><ui><textEdit/></ui><caption reserve="50pt"><value><text>Member</text></value></caption><value><text>Ada</text></value></field>
</subform></subform></template>
<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form1><member>Ada</member></form1></xfa:data></xfa:datasets>
</xdp:xdp>`

function xfaPdf(form: string): Buffer {
  const wait = 'BT /F1 12 Tf 72 700 Td (Please wait...) Tj ET'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /XFA 6 0 R /Fields [] >> /NeedsRendering true >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${wait.length} >>\nstream\n${wait}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${form.length} >>\nstream\n${form}\nendstream`,
  ]
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = file.length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`
  file += `trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

test('a form in XML with a picture has its own text, and not that of the page for other readers', async () => {
  const { text } = await parsePdf(xfaPdf(FORM), 100_000, RESOURCES)
  expect(text).toContain('Sponsor of the club\n')
  expect(text).toMatch(/^Member.*/m)
  expect(text).toContain('Ada')
  expect(text).not.toContain('Please wait')
})
