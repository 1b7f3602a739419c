import type { ReactNode } from 'react'
import { Link } from 'react-aria-components'
import { classNames } from '../styles/class-names.ts'
import buttonStyles from './button.module.css'
import type { Emphasis } from './button.tsx'
import styles from './text-link.module.css'

export interface TextLinkProps {
  href: string
  /** `plain` looks like the text around it until it is hovered. */
  look?: 'link' | 'plain'
  /** Opens in a new tab and sends no referrer. */
  isExternal?: boolean
  'aria-label'?: string
  children: ReactNode
}

/** A link. Addresses of the builder change the page without loading it again. */
export function TextLink({ look = 'link', isExternal = false, ...props }: TextLinkProps) {
  const outside = isExternal ? { target: '_blank', rel: 'noreferrer noopener' } : {}
  return (
    <Link {...props} {...outside} className={classNames(styles.link, look === 'plain' && styles.plain)} />
  )
}

export interface LinkButtonProps {
  href: string
  emphasis?: Emphasis
  size?: 'medium' | 'small'
  icon?: ReactNode
  'aria-label'?: string
  /** Called before navigation. */
  onPress?: () => void
  children?: ReactNode
}

/** A link that looks like a button: it navigates instead of changing data. */
export function LinkButton({
  emphasis = 'secondary',
  size = 'medium',
  icon,
  children,
  ...props
}: LinkButtonProps) {
  const classes = classNames(
    buttonStyles.button,
    buttonStyles[emphasis],
    size === 'small' && buttonStyles.small,
    !children && buttonStyles.icon,
  )
  return (
    <Link {...props} className={classes}>
      {icon}
      {children}
    </Link>
  )
}
