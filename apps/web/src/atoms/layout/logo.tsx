/** The logo of the product: a stage as a T, whose post is the beam of a spotlight between two players. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="var(--on-accent)">
        <path d="M7.3 6.5h17.4a2.2 2.2 0 0 1 0 4.4h-6.6l4 14.5H9.9l4-14.5H7.3a2.2 2.2 0 0 1 0-4.4z" />
        <circle cx="6.9" cy="22.9" r="2.5" fillOpacity=".8" />
        <circle cx="25.1" cy="22.9" r="2.5" fillOpacity=".8" />
      </g>
    </svg>
  )
}
