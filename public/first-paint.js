// Runs before the first paint, so that a chosen theme does not flash in and the language is known from the start.
(() => {
  const root = document.documentElement;
  const languages = ['en', 'id'];
  let theme = null;
  let language = null;
  try {
    theme = localStorage.getItem('coverdesk.theme');
    language = localStorage.getItem('coverdesk.language');
  } catch {
    // Storage may be closed to the page; what the browser prefers remains.
  }
  const preferred = [language, ...navigator.languages].map((tag) => tag?.slice(0, 2));
  root.lang = preferred.find((tag) => languages.includes(tag)) ?? 'en';
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.mantineColorScheme = dark ? 'dark' : 'light';
})();
