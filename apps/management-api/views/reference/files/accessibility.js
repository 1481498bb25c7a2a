/** What Swagger UI leaves without a name, so that screen readers can say what it is. */
const NAMES = [
  ['.servers select', 'Server'],
  ['.body-param-content-type select, .opblock-section-request-body select', 'Content type of the request'],
  ['.responses-wrapper select', 'Content type of the answer'],
  ['.examples-select select', 'Example'],
  ['.parameters select', 'Value of the parameter'],
  ['select', 'Choice'],
];

/** Names each control once it appears: Swagger UI adds them when an operation is opened. */
export function nameControls(root) {
  const name = () => {
    for (const [selector, text] of NAMES) {
      for (const control of root.querySelectorAll(selector)) {
        if (!control.hasAttribute('aria-label')) control.ariaLabel = text;
      }
    }
  };
  new MutationObserver(name).observe(root, { childList: true, subtree: true });
}
