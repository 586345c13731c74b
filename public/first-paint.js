// Runs before the first paint, so that a chosen theme does not flash in and the language is known from the start.
(() => {
  const root = document.documentElement;
  let theme = null;
  try {
    theme = localStorage.getItem('coverdesk.theme');
    root.lang = localStorage.getItem('coverdesk.language') === 'id' ? 'id' : 'en';
  } catch {
    // Storage may be closed to the page; the system's theme and English remain.
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.mantineColorScheme = dark ? 'dark' : 'light';
})();
