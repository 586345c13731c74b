# Makes the product's role and its database once, when the volume is new. The role owns the database and nothing else.
psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set password="$COVERDESK_PASSWORD" <<'SQL'
CREATE ROLE coverdesk LOGIN PASSWORD :'password';
CREATE DATABASE coverdesk OWNER coverdesk;
SQL
