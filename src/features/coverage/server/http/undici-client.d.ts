// undici types its whole package only; this is one file of it.
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
