const font = "font-family:'Inter','Segoe UI',Arial,Helvetica,sans-serif";
const cell = 'padding:8px 0;border-bottom:1px solid #dfe7e5;vertical-align:top;overflow-wrap:anywhere';

/** The inline styles of a mail's elements, each with the class of its name: light, as most mail programs show mails. */
export const styles = {
  page: `margin:0;padding:24px 12px;background:#f5f8f7;color:#12211f;font-size:15px;line-height:1.5;${font}`,
  card: 'max-width:560px;margin:0 auto;background:#ffffff;border:1px solid #dfe7e5;border-radius:12px;overflow:hidden',
  product: 'margin:0;padding:14px 24px;background:#0d2b2a;color:#ffffff;font-size:15px;font-weight:600',
  section: 'padding:24px;border-bottom:1px solid #dfe7e5;overflow-wrap:break-word',
  heading: 'margin:0 0 12px;font-size:20px;line-height:1.3;font-weight:600',
  subheading: 'margin:20px 0 4px;font-size:13px;line-height:1.3;font-weight:600;color:#4f615e',
  paragraph: 'margin:0 0 12px',
  table: 'width:100%;margin:0 0 16px;border-collapse:collapse;font-size:14px',
  label: `${cell};padding-right:16px;text-align:left;font-weight:400;color:#4f615e`,
  value: `${cell};text-align:right;font-weight:600;font-variant-numeric:tabular-nums`,
  buttons: 'margin:20px 0 4px;border-collapse:separate',
  button: 'background:#0f6b65;border-radius:8px',
  buttonLink: 'display:inline-block;padding:11px 20px;color:#ffffff;font-weight:600;text-decoration:none',
  link: 'color:#0f6b65',
  footer: 'margin:20px 0 0;font-size:12px;color:#4f615e',
  footerLink: 'color:#4f615e',
};

const dark: Partial<Record<keyof typeof styles, string>> = {
  page: 'background:#0c1514;color:#e4eeec',
  card: 'background:#121e1d;border-color:#253432',
  product: 'background:#091b1a',
  section: 'border-color:#253432',
  subheading: 'color:#a2b6b2',
  label: 'color:#a2b6b2;border-color:#253432',
  value: 'border-color:#253432',
  button: 'background:#6fcdc2',
  buttonLink: 'color:#0c1514',
  link: 'color:#6fcdc2',
  footer: 'color:#a2b6b2',
  footerLink: 'color:#a2b6b2',
};

// Inline styles give way only to `!important`.
const rules = Object.entries(dark).map(
  ([part, style]) => `.${part}{${style.replaceAll(/(?=;|$)/g, ' !important')}}`,
);

/** The colours of a mail in dark mode. */
export const darkStyles = `@media (prefers-color-scheme: dark){${rules.join('')}}`;
