/** The logo of the console. */
export const Mark = ({ size = 24 }: { readonly size?: number }) => (
  <svg
    aria-hidden
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2.5"
    strokeLinecap="round"
  >
    <circle cx="6" cy="4.5" r="2" fill="currentColor" stroke="none" />
    <path d="M6 9v6a4 4 0 0 0 4 4h2.5" />
    <circle cx="18.5" cy="19" r="2.5" />
  </svg>
);
