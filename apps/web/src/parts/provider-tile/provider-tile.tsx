import { Cloud, FlaskConical, type LucideIcon, Server } from 'lucide-react'
import { KindTile } from '../../atoms/states/kind-tile.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'

/** Providers with models of several vendors have a symbol; the others show their initials. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  'azure-openai': Cloud,
  'amazon-bedrock': Cloud,
  'openai-compatible': Server,
  sandbox: FlaskConical,
}

export interface ProviderTileProps {
  providerId: string
  /** Its name, whose initials are shown. */
  label: string
  /** `small` is 20 px, for rows. */
  size?: 'usual' | 'small'
}

/** The tile of a provider of models or speech. Decorative: the name is beside it. */
export function ProviderTile({ providerId, label, size = 'usual' }: ProviderTileProps) {
  const icon = ICONS[providerId]
  if (icon) return <KindTile kind="tool" icon={icon} size={size} />
  return <Avatar name={label} id={providerId} shape="square" size={size} />
}
