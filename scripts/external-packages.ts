/** Packages that load files or programs beside themselves, so that the server's bundle leaves them out. */
export const externalPackages = ['@node-rs/argon2', '@fastify/swagger-ui', 'pdfmake'];
