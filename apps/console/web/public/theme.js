(() => {
  const html = document.documentElement.dataset;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const set = () => {
    let s = {};
    try {
      s = localStorage;
    } catch {}
    html.theme = s.theme ?? (dark.matches ? 'dark' : 'light');
    html.density = s.density;
  };
  set();
  dark.onchange = set;
  addEventListener('storage', set);
})();
