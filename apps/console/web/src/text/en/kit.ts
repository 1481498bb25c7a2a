/** The page `/kit`, in development builds only */
export const kit = {
  title: 'Kit',
  intro: 'Every component of the design system, as it is used.',
};
