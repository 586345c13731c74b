import type pg from 'pg';
import '../../src/features/devices/server/registration/registration.queries.ts';
import { statements } from '../../src/server/db/statement.ts';

/** When the register of devices gets results: after they are written (the product), never, or within their transaction. */
export type Registration = 'afterwards' | 'never' | 'within';

const triggers = {
  never: () => `
    CREATE FUNCTION skip_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
    CREATE TRIGGER skip_note BEFORE INSERT ON unregistered_results FOR EACH ROW EXECUTE FUNCTION skip_note()`,
  within: () => `
    CREATE FUNCTION register_note() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE changed record;
    BEGIN
      FOR changed IN ${findRegisterStatement()} LOOP END LOOP;
      RETURN NULL;
    END $$;
    CREATE TRIGGER register_note AFTER INSERT ON unregistered_results FOR EACH ROW EXECUTE FUNCTION register_note()`,
};

/** Lets the database of a measurement register results at another time than the product does. */
export async function setRegistration(pool: pg.Pool, registration: Registration): Promise<void> {
  if (registration !== 'afterwards') await pool.query(triggers[registration]());
}

function findRegisterStatement(): string {
  const register = statements.find(({ name }) => name === 'register-results');
  if (!register) throw new Error('no statement registers results');
  return register.text.replaceAll('$1', 'NEW.id');
}
