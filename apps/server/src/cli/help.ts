/** The output of `troupe --help`. */
export const HELP = `Troupe: organizations and their contents as a file.

Usage:
  troupe apply <file>                 create or update the contents of a bundle: YAML, JSON, a folder
                                      with a bundle.yaml, or a .zip of one
  troupe export                       print everything as a bundle, without secrets
  troupe reset-link <e-mail address>  print a link for choosing a new password
  troupe create-owner <e-mail address>
                                      create an organization and its first owner, and print a link
                                      for choosing the owner's password
  troupe mcp-tools <server>           print the changed tools of an MCP server, and confirm them
  troupe guardrail-secret <url>       print the secret that signs the requests of guardrails to this URL

Options:
  --url <url>                         the server; default: the local port, else TROUPE_PUBLIC_URL.
                                      Without it, and when nothing listens there, the database
                                      of this configuration is opened directly
  --token <token>                     the admin token; default: TROUPE_ADMIN_TOKEN, else the file
                                      in the data folder
  --organization <slug>               export: only this organization. mcp-tools: of the server.
                                      guardrail-secret: its id. create-owner: the new one
  --name <name>                       create-owner: the person's name
  --confirm <tool>=<fingerprint>      mcp-tools: confirm a changed tool; may be repeated
  -o, --output <file>                 export: write to a file. With a name that ends with .zip or /,
                                      an archive or a folder with uploaded documents beside the bundle
  -h, --help                          this text

In a bundle, \${NAME} is read from the environment of this command, and $\${ is a literal \${.
`
